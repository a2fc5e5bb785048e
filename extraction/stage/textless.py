"""Pages without a text of their own: galleries and videos, kept for their readers' comments.

They are rows outside of the corpus, below which their comments can be stored.
"""

import re

from extraction.html.markup.decode import decode_html
from extraction.html.markup.parse import parse_html
from extraction.html.markup.script_drawn import is_drawn_by_scripts
from extraction.html.page import ExtractedPage
from extraction.models import ArticleKind
from feeds.crawler.archive.warc_reading import ArchivedExchange
from feeds.crawler.timing.conditional import header

NO_TEXT = "No text was found on the page."
DRAWN_BY_SCRIPTS = "No text is in the page as it was sent: scripts draw it."
_WORDS = re.compile(
    r"(?<![a-z])(?:(?P<video>videos?|watch|tv|kyk)"
    r"|(?P<gallery>galler(?:y|ies)|pics|pictures?|photos?|slideshow|galery|fotos?|bildergalerie))"
    r"(?![a-z])",
    re.IGNORECASE,
)


def has_readers(found: ExtractedPage) -> bool:
    """Whether a page without text is kept: it has comments, or names where they are."""
    return found.comment_thread is not None or bool(found.comments)


def why_empty(archived: ArchivedExchange) -> str:
    """Say why a page has no text; what a browser drew has no more to show."""
    if archived.rendered is not None:
        return NO_TEXT
    content_type = header(archived.headers, "content-type") or ""
    root = parse_html(decode_html(archived.body, content_type).text)
    return DRAWN_BY_SCRIPTS if is_drawn_by_scripts(root) else NO_TEXT


def textless_kind(found: ExtractedPage, url: str) -> ArticleKind:
    """Tell by address, then by title, what a page without text shows.

    Examples
    --------
    >>> page = ExtractedPage(kind="empty", title="In pictures: the storm")
    >>> textless_kind(page, "https://example.org/news/storm").value
    'gallery'
    >>> textless_kind(page, "https://example.org/video/storm").value
    'video'
    """
    path = url.split("://", 1)[-1].partition("/")[2]
    for words in (path, found.title):
        if match := _WORDS.search(words):
            return ArticleKind.GALLERY if match["gallery"] else ArticleKind.VIDEO
    return ArticleKind.SHORT
