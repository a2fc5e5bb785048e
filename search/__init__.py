"""Search: the corpus as a linguist sees it."""
