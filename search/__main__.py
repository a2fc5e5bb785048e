"""``python -m search``: the search engine without the site."""

import sys

from search.workbench.program import main

if __name__ == "__main__":
    sys.exit(main())
