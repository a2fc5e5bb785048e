"""``python -m search``: the search engine without the site."""

import signal
import sys

from search.engine.workbench.program import main

if __name__ == "__main__":
    # Whoever reads the output may stop at any line, as in `… | head`.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
