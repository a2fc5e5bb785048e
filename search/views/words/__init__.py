"""Pages about words: lists, profiles, new words."""
