"""British English with the 24-hour clock."""
