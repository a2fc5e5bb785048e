"""Our extractor in the shape the shared evaluation harness asks for.

Bytes and URL in, a dict of fields out.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the site itself does, before numpy

from extraction.html.extract_page import extract_page
from extraction.html.page import PageInput


def as_harness(page):
    """An extracted page as the harness reads it."""
    return {
        "text": page.text,
        "title": page.title,
        "authors": list(page.authors),
        "date": page.published_at,
    }


def extract(html, url):
    """One page, no knowledge of its site."""
    return as_harness(extract_page(PageInput(body=html, url=url)))


EXTRACTORS = ["extract"]
