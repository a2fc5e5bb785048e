"""An index that follows another machine's: listed there, fetched, checked and swapped in here."""
