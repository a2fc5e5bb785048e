"""Pages without a text of their own: galleries and videos, kept for their readers' comments.

They are rows outside of the corpus, below which their comments can be stored.
"""

import re

from extraction.html.page import ExtractedPage
from extraction.models import ArticleKind

_WORDS = re.compile(
    r"(?<![a-z])(?:(?P<video>videos?|watch|tv|kyk)"
    r"|(?P<gallery>galler(?:y|ies)|pics|pictures?|photos?|slideshow|galery|fotos?|bildergalerie))"
    r"(?![a-z])",
    re.IGNORECASE,
)


def has_readers(found: ExtractedPage) -> bool:
    """Whether a page without text is kept: it has comments, or names where they are."""
    return found.comment_thread is not None or bool(found.comments)


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
