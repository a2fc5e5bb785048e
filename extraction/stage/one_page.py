"""Pages of a batch that are other addresses of one page: told before their articles are written.

Readings → those that bring an article; the others point to the page that has it. A page that has an
article keeps it. Between two that have none, the one that was read first is the page. What is said
of an address is judged by `feeds.crawler.addressing.same_page`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from extraction.models import Article
from extraction.stage.article_rows import share_paragraph
from extraction.stage.page_reads import ExtractOutcome, ReadRow
from extraction.stage.read_articles import ReadArticle
from extraction.text.digest import text_digest
from feeds.crawler.addressing.canonical import BadUrl, CanonicalUrl, canonicalize
from feeds.crawler.addressing.same_page import Trust, may_take, trust_in
from feeds.crawler.addressing.spellings import keys_of
from feeds.models import Page, PageKind
from feeds.other_addresses import PAGE_ITSELF, point, release, remember


@dataclass(frozen=True, slots=True)
class _Said:
    """An address that a page gives as its own, and how far it is believed."""

    address: CanonicalUrl
    trust: Trust
    is_redirect: bool


@dataclass(frozen=True, slots=True)
class _First:
    """The first reading of a page, with what it says of its address and how that is spelled."""

    reading: ReadRow
    article: ReadArticle
    said: tuple[_Said, ...]
    spellings: tuple[str, ...]

    @property
    def page(self) -> Page:
        return self.article.page


def settle(readings: Sequence[ReadRow], now: datetime) -> frozenset[int]:
    """Take their articles from readings of other addresses, and let those point to the page.

    Needs a transaction; the rows of the pages are locked in one order. Returns the primary keys of
    pages that are known to have no article.
    """
    firsts = _firsts(readings)
    if not firsts:
        return frozenset()
    known = _Known(firsts, now)
    new = [first for first in firsts if first.page.pk not in known.stored]
    for first in new:
        known.settle(first)
    return frozenset(first.page.pk for first in new)


def _firsts(readings: Sequence[ReadRow]) -> list[_First]:
    """Choose the readings of pages that had no article, in order of their arrival."""
    kinds = {PageKind.ARTICLE, PageKind.ALIAS}
    read = [
        (reading, reading.article)
        for reading in readings
        if reading.article is not None and reading.is_first and reading.row.page.kind in kinds
    ]
    firsts = [
        _First(reading, article, _said(article), keys_of(article.page.url))
        for reading, article in read
    ]
    return sorted(firsts, key=lambda first: first.page.pk)


def _said(article: ReadArticle) -> tuple[_Said, ...]:
    """List what a page says of its address, its own link first; what is not believed is left out.

    `article.url` is where redirects led, or what a copy in a web archive was made of.
    """
    own, led = article.page.key, _address(article.url)
    linked = _address(article.extracted.canonical_url)
    twice = led is not None and linked is not None and led.key == linked.key
    found: dict[str, _Said] = {}
    for address, is_redirect in ((led, True), (linked, False)):
        if address is not None and address.key != own and address.key not in found:
            trust = trust_in(own, address.key, twice=twice)
            found[address.key] = _Said(address, trust, is_redirect)
    return tuple(said for said in reversed(found.values()) if said.trust is not Trust.NONE)


def _address(url: str) -> CanonicalUrl | None:
    try:
        return canonicalize(url) if url else None
    except BadUrl:
        return None


class _Known:
    """Pages that addresses mean, and the texts of those that have an article."""

    def __init__(self, firsts: Sequence[_First], now: datetime) -> None:
        self._now = now
        self._keys = {first.page.pk: first.page.key for first in firsts}
        keys = {said.address.key for first in firsts for said in first.said}
        keys |= {key for first in firsts for key in first.spellings} | set(self._keys.values())
        locked = Page.objects.select_for_update(of=("self",)).filter(key__in=keys).order_by("pk")
        found = list(locked.values_list("key", "kind", PAGE_ITSELF, "article"))
        self._kinds = {key: kind for key, kind, *_ in found}
        self._at: dict[str, int] = {key: pk for key, _, pk, _ in found}
        self.stored = {pk for _, _, pk, article in found if article is not None}
        self._texts: dict[int, tuple[str, str]] = {}
        others = set(self._at.values()) - self._keys.keys()
        rows = Article.objects.filter(page__in=others, erased_at=None)
        for pk, key, text, digest in rows.values_list("page", "page__key", "text", "text_digest"):
            self._texts[pk], self._keys[pk] = (text, digest), key

    def settle(self, first: _First) -> None:
        """Let a page point to the one that it is, or be that itself."""
        page, winner = first.page, self._page_of(first)
        if winner is None:
            text = first.article.extracted.text
            self._texts[page.pk] = text, text_digest(text)
            self._claim(first)
            return
        point([page.pk], winner)
        self._at[page.key] = winner
        reading = first.reading
        reading.article = reading.sketch = None
        reading.tree, reading.outcome = "", ExtractOutcome.OTHER_ADDRESS
        reading.detail = f"The page is stored as {self._keys[winner]}."

    def _page_of(self, first: _First) -> int | None:
        """Find the page with an article of which a page is another address."""
        page = first.page
        claimed_by = self._at.get(page.key, page.pk)
        if claimed_by != page.pk and self._is(first, claimed_by, self._trust(first, claimed_by)):
            return claimed_by
        if self._kinds.get(page.key) == PageKind.ALIAS or claimed_by != page.pk:
            release(page)
        self._at[page.key] = page.pk
        for said in first.said:
            other = self._at.get(said.address.key, page.pk)
            if other != page.pk and self._is(first, other, said.trust):
                return other
        for key in first.spellings:
            other = self._at.get(key, page.pk)
            if other != page.pk and self._has_text_of(first, other):
                return other
        return None

    def _trust(self, first: _First, page_id: int) -> Trust:
        """Say how far the text decides of a page that another has claimed."""
        is_spelling = trust_in(first.page.key, self._keys.get(page_id, "")) is Trust.ALONE
        return Trust.ALONE if is_spelling else Trust.WITH_TEXT

    def _is(self, first: _First, page_id: int, trust: Trust) -> bool:
        if page_id not in self._texts:
            return False
        text = first.article.extracted.text
        return (
            trust is Trust.ALONE
            or share_paragraph(self._texts[page_id][0], text)
            or self._has_text_of(first, page_id)
        )

    def _has_text_of(self, first: _First, page_id: int) -> bool:
        text, digest = self._texts.get(page_id, ("", ""))
        return bool(text) and digest == text_digest(first.article.extracted.text)

    def _claim(self, first: _First) -> None:
        """Take the addresses that a page gives as its own, where no article stands there."""
        page, new, waiting = first.page, {}, []
        for said in first.said:
            key = said.address.key
            if not may_take(page.key, key, said.trust, is_redirect=said.is_redirect):
                continue
            if key not in self._at:
                new[key] = said.address.url
            elif self._kinds.get(key) == PageKind.ARTICLE and self._at[key] not in self._texts:
                waiting.append(self._at[key])
            else:
                continue
            self._at[key] = page.pk
        remember(new, page, self._now)
        point(waiting, page.pk)
