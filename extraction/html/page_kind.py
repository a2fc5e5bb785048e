"""Text, gallery, video or too short: what kind of page an extraction met (COR-46 to COR-49)."""

import re

from extraction.html.page import PageKind

# COR-47: stories under this many characters are uninteresting.
INTERESTING_CHARACTERS = 500
# COR-46, any of these words in the URL, as whole path words ("topics" and "epics" are none).
_IN_URL = re.compile(
    r"(?<![a-z])(?:(?P<gallery>galler(?:y|ies)|pics)|(?P<video>videos?))(?![a-z])", re.IGNORECASE
)
_GALLERY_START = re.compile(r"\s*gallery\b", re.IGNORECASE)


def page_kind(url: str, text: str) -> PageKind:
    """Kind of a page by its address and extracted text.

    Examples
    --------
    >>> page_kind("https://example.org/news/pics-storm-hits-durban", "x" * 600).value
    'gallery'
    >>> page_kind("https://example.org/topics/storm", "x" * 600).value
    'text'
    >>> page_kind("https://example.org/news/storm", "Rain.").value
    'short'
    """
    if not text.strip():
        return PageKind.EMPTY
    path = url.split("://", 1)[-1].partition("/")[2]
    match = _IN_URL.search(path)
    if match:
        return PageKind.GALLERY if match["gallery"] else PageKind.VIDEO
    if _GALLERY_START.match(text):
        return PageKind.GALLERY
    return PageKind.SHORT if len(text) < INTERESTING_CHARACTERS else PageKind.TEXT
