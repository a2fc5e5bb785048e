"""Text without Django: stored form, sentences, tokens, language."""
