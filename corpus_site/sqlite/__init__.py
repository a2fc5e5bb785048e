"""Django's SQLite backend, with as many variables a statement as SQLite itself takes."""
