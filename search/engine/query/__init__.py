"""Query languages and their evaluation on an index."""
