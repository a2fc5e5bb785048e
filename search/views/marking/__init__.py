"""Pages of marked lines."""
