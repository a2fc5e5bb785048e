"""Pages of the lexicon and of corrections."""
