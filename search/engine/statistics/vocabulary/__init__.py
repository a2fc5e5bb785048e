"""What words a corpus has: lists, ranks by law, growth, and words that are new."""
