"""Programs that ask the API: one file each, made from its description."""
