"""What the help pages show: examples of queries, counted here and now, and worked statistics."""
