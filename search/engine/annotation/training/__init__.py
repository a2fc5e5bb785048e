"""Building the taggers and lemma tables that ship with the program, from labelled data."""
