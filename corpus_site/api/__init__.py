"""REST under `/api/`: the numbers of the pages, for programs."""
