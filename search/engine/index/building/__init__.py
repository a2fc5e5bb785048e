"""Writing an index: commits, merges, bulk builds, building anew."""
