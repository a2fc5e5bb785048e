"""Crawling without Django: URLs, feeds, robots.txt, politeness, fetching, archive."""
