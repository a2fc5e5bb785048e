"""Same texts, same stories: the algorithms. Texts and hashes in, similarities and clusters out."""
