"""Two texts of one page: what is a change, what it comes to, what is refused, how it is kept."""
