"""What can be asked of the corpus: one table of parameters, and all that is made from it."""
