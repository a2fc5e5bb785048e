"""Read side of the article pages: one module for each tab, and what they share."""
