"""Lines of a page: what speaks for each being text, and the model that weighs it."""
