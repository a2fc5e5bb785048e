"""What a new document of a stored article's page is: the same text, a version of it, or neither.

What differs has to differ when both documents are read alike. So where the stored text is not that
of the new document, its own document is read again beside it: rules, a template or an extractor
that came between two visits make no version.
"""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import re2

from extraction.models import Article
from extraction.revisions.noise import version_digest
from extraction.revisions.refusals import ShownText, refusal
from extraction.stage.read_articles import LaterDocument, ReadArticle, Verdict
from extraction.text.digest import text_digest
from feeds.models import Fetch, Page

# Of a page that shows no text: what it is stands near its beginning.
_MAX_PAGE_BYTES = 100_000
_UNSEEN = re2.compile(
    "|".join(
        rf"(?is)<{name}\b.*?</{name}\s*>"
        for name in ("script", "style", "head", "nav", "footer", "template")
    ).encode()
)
_TAG = re.compile(rb"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A page's newest document with what was read of it; None for no text."""

    page: Page
    read: ReadArticle | None
    body: bytes

    @property
    def words(self) -> str:
        """All words of the page, roughly; for its own account of why there is no text."""
        seen = _TAG.sub(b" ", _UNSEEN.sub(b" ", self.body[:_MAX_PAGE_BYTES]))
        return html.unescape(seen.decode("utf-8", "replace"))


@dataclass(frozen=True, slots=True)
class Stored:
    """The article that is stored of a page; `title` as the page gave it, whatever stands there."""

    article: Article
    title: str


_ReadEarlier = Callable[[Fetch], ReadArticle | None]


def judge(before: Stored, new: NewDocument, read_earlier: _ReadEarlier) -> LaterDocument | None:
    """Judge a page's newest document; None where it is the one that is stored already.

    Parameters
    ----------
    before
        The article with its fetch.
    new
        The page's newest document.
    read_earlier
        Reads an earlier document of the page; None where it is not there any more.
    """
    read, stored = new.read, before.article
    if stored.fetch_id == new.page.content_fetch_id:
        return None
    if read is not None and _is_same(before.title, stored.text, read):
        return LaterDocument(Verdict.SAME)
    former = read_earlier(stored.fetch) if stored.fetch else None
    reason = refusal(_of_stored(before, former), _shown(new))
    if reason is not None:
        return LaterDocument(Verdict.REFUSED, former, reason)
    if read is not None and former is not None and _is_same(_title(former), _text(former), read):
        return LaterDocument(Verdict.REREAD, former)
    return LaterDocument(Verdict.VERSION, former)


def reading_to_store(
    before: Stored, read: ReadArticle | None, later: LaterDocument
) -> ReadArticle | None:
    """Choose what is stored: of a refused document nothing, but its text as it is read today."""
    if later.verdict is not Verdict.REFUSED:
        return replace(read, later=later) if read is not None else None
    former = later.former
    if former is None or _is_same(before.title, before.article.text, former):
        return None
    return replace(former, is_newest=False)


def _is_same(title: str, text: str, read: ReadArticle) -> bool:
    shown = _title(read), _text(read)
    if version_digest(title, text) == version_digest(*shown):
        return True
    # Paragraphs that are cut otherwise are no other text.
    return (version_digest(title, ""), text_digest(text)) == (
        version_digest(shown[0], ""),
        text_digest(shown[1]),
    )


def _title(read: ReadArticle) -> str:
    return read.extracted.title or read.page.feed_headline


def _text(read: ReadArticle) -> str:
    return read.extracted.text


def _of_stored(before: Stored, former: ReadArticle | None) -> ShownText:
    """Show the text before as it is stored, or as its document is read today where that differs."""
    stored = before.article
    shown = ShownText(
        title=before.title,
        text=stored.text,
        language=stored.language,
        url=stored.page.url if stored.page else stored.url,
        canonical_url=stored.canonical_url,
        is_paywalled=stored.is_paywalled,
    )
    if former is None:
        return shown
    return replace(
        shown,
        title=_title(former),
        text=_text(former),
        language=former.languages.decision.language,
        canonical_url=former.extracted.canonical_url,
    )


def _shown(new: NewDocument) -> ShownText:
    read = new.read
    if read is None:
        return ShownText(title="", text="", language="", page_words=new.words)
    return ShownText(
        title=_title(read),
        text=_text(read),
        language=read.languages.decision.language,
        url=read.url,
        canonical_url=read.extracted.canonical_url,
        is_paywalled=read.extracted.is_paywalled,
        page_words=new.words,
    )
