"""What is asked of the corpus, answered: hits, lines, counts beside them, facts of words."""
