"""Pages on which editors judge pairs of texts and try another limit."""
