"""Out of the corpus and back: withdrawing, putting back, erasing, and the register of it all."""
