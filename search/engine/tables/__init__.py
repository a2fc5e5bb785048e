"""Tables and pictures of the statistic pages as values, and as files."""
