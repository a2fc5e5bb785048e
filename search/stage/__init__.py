"""What the stage of the index is made of: finding texts, tagging, writing, rebuilding."""
