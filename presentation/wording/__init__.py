"""How figures, nouns, times and lengths of time are written: value in, text out, one way each."""
