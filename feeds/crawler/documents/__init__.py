"""What documents say that lead to articles: feeds, sitemaps, front pages, threads of comments."""
