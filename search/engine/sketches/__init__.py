"""Word sketches: what stands with a word, by grammatical relation."""
