"""Pages of the search and of the articles, one file a screen."""
