"""What is erased of the sources: pages with their records, what quotes them, tombstones."""
