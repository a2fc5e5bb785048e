"""Publications and their feeds: found at an address, imported from a list, kept."""
