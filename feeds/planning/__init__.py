"""Which known pages are visited again, when, and how far that may go at a host."""
