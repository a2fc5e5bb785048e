"""Our extractor in the shape the shared evaluation harness asks for: bytes and URL in, a dict of fields out."""

from extraction.html.extract_page import extract_page
from extraction.html.page import PageInput


def extract(html, url):
    """One page, no knowledge of its site."""
    page = extract_page(PageInput(body=html, url=url))
    return {
        "text": page.text,
        "title": page.title,
        "authors": list(page.authors),
        "date": page.published_at,
    }


EXTRACTORS = ["extract"]
