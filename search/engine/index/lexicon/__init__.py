"""The lexicon of an index: forms, lemmas, tags and types, in memory and on disk."""
