#!/usr/bin/env python
"""The command line of a checkout; an installed Broadsheet's is `broadsheet`."""

from corpus_site.__main__ import main

if __name__ == "__main__":
    main()
