"""The concordance page and its file."""
