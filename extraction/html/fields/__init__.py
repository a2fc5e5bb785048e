"""Title, authors, dates and the other fields of an article, from what a page says of them."""
