"""``python -m dedup.similarity``: near-duplicates without the site."""

import signal
import sys

from dedup.similarity.program import main

if __name__ == "__main__":
    # Whoever reads the output may stop at any line, as in `… | head`.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
