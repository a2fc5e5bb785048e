"""What editors say of duplicates, and what it changes."""
