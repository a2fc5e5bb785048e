"""Systems that keep readers' comments apart from the page: one table, and a reader for each."""
