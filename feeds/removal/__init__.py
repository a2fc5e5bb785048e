"""What is erased of the sources: pages with their records, and what quotes them."""
