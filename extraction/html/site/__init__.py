"""What the pages of one site have in common, learnt page by page."""
