"""Pages of articles and stories."""
