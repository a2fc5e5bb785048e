"""The corpus engine, free of Django: tags, the index, queries, concordances, statistics, files."""
