"""A draft's rules tried on stored pages by the real extraction; nothing is written.

Stored article → archived bytes → `extract_page` with the draft → verdict against what is stored.
"""

import hashlib
import logging
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.core.cache import cache
from django.db.models import QuerySet
from django.utils import timezone
from lxml import etree
from propcache.api import cached_property

from extraction.documents import DOCUMENT, taken, taken_since
from extraction.html.extract_page import extract_page
from extraction.html.markup.decode import decode_html
from extraction.html.markup.elements import text_of
from extraction.html.markup.json_ld import read_json_ld
from extraction.html.markup.meta_tags import read_head
from extraction.html.markup.parse import parse_html
from extraction.html.page import ExtractedPage, Extractor, PageInput
from extraction.html.proposals.known_pages import KnownPage
from extraction.html.proposals.verdicts import (
    PageEvidence,
    ReadFields,
    RuleOutcome,
    RuleVerdict,
    affix_of,
    judge,
)
from extraction.html.site_rules.rules import RuleField, SiteRules
from extraction.models import Article, ArticleKind
from extraction.models.article import EDITOR, SECTION_CHARACTERS
from extraction.page_inputs import page_input
from extraction.sites.lookup import NOTHING_KNOWN, KnownSite, known_sites_of
from feeds.archive.fetches import read_exchange
from feeds.crawler.documents.limited_work import FOR_A_REQUEST, Limits, WorkEndedError, run_limited
from presentation.wording.times import stamp

logger = logging.getLogger(__name__)

SAMPLE_SIZE = 20  # a table that is read in one look; a dry run tries all articles
# What a page of the site may take; the rest is tried in a dry run.
LIMIT_SECONDS = 2.0
# Of readings by one draft, some 200 kB: as long as an editor looks at it before the next change.
_REMEMBERED_SECONDS = 600
# A value that stands on more than half of the pages is the layout's, not the article's.
_COMMON_SHARE = 0.5
_LEAST_COMMON = 3
# What a correction by hand of a field holds of what is compared here.
_CORRECTED = {
    "title": ("title",),
    "authors": ("authors",),
    "published_at": ("day", "published"),
    "section": ("section",),
}


@dataclass(frozen=True)
class StoredPage:
    """A stored article with its archived page.

    It is a stranger's, and read where it is looked at first: for a request, in a child.
    """

    article: Article
    page: PageInput
    site: KnownSite = NOTHING_KNOWN  # what the page is read with

    @cached_property
    def html(self) -> str:
        """Its characters."""
        return decode_html(self.page.body, self.page.content_type).text

    @cached_property
    def root(self) -> etree._Element:
        """Its tree."""
        return parse_html(self.html)


@dataclass(frozen=True, slots=True)
class Trial:
    """What a draft makes of one stored article."""

    article: Article
    now: ReadFields
    draft: ReadFields
    verdict: RuleVerdict

    @property
    def n_words(self) -> int:
        return len(self.draft.text.split())


def readable_articles() -> QuerySet[Article]:
    """Articles with all that is needed to read their pages again; posts have none."""
    rows = Article.shown.exclude(kind=ArticleKind.POST)
    return rows.select_related("page__publication__extractor_setting", *DOCUMENT)


def sample_articles(publication_id: int, since: datetime | None = None) -> list[Article]:
    """Newest 20 articles, then the known hard ones: shortest, longest, a gallery, the oldest.

    With `since`, only those whose document was fetched then or later: a layout's own pages.
    """
    rows = readable_articles().filter(publication=publication_id)
    if since is not None:
        rows = rows.filter(taken_since(since))
    texts = rows.filter(kind=ArticleKind.TEXT)
    hard = (
        texts.order_by("n_words").first(),
        texts.order_by("-n_words").first(),
        rows.filter(kind=ArticleKind.GALLERY).first(),
        rows.order_by("dated_at").first(),
    )
    newest = list(rows[:SAMPLE_SIZE])
    found = {row.pk: row for row in (*newest, *(row for row in hard if row is not None))}
    return list(found.values())


def stored_pages(articles: Sequence[Article]) -> list[StoredPage]:
    """Read the pages of articles back, with what their sites' pages share; unreadable ones go."""
    fetches = {
        article.page: fetch for article in articles if article.page and (fetch := taken(article))
    }
    sites = known_sites_of(fetches)
    found = []
    for article in articles:
        fetch = fetches.get(article.page) if article.page else None
        archived = read_exchange(fetch) if fetch else None
        if article.page is not None and archived is not None:
            site = sites.get(article.page.pk, NOTHING_KNOWN)
            page = page_input(article.page, archived, SiteRules(), site)
            found.append(StoredPage(article, page, site))
    return found


def known_page(stored: StoredPage) -> KnownPage:
    """Gather what is known of a stored page: feed first, then JSON-LD, then what is stored."""
    article, feed = stored.article, stored.page.feed
    said = read_json_ld(stored.root)
    published = feed.published_at or article.published_at
    return KnownPage(
        body=stored.page.body,
        content_type=stored.page.content_type,
        title=feed.title or said.headline or article.title,
        authors=feed.authors or tuple(said.authors) or tuple(article.authors),
        day=timezone.localdate(published) if published else None,
        text=said.body if len(said.body) > len(article.text) else article.text,
    )


def try_rules(
    pages: Sequence[StoredPage],
    rules: SiteRules,
    now: datetime,
    limit_seconds: float | None = LIMIT_SECONDS,
    limits: Limits | None = FOR_A_REQUEST,
) -> list[Trial]:
    """Try rules on stored pages; when the time is up, the later pages are left out.

    With `limits` a child reads the pages, and where they take too much none was tried; without, as
    a worker does, they are read here.
    """
    ends_at = None if limit_seconds is None else time.monotonic() + limit_seconds
    if limits is None:
        drafts = _drafts(pages, rules, now, ends_at)
    else:
        drafts = _drafts_by_child(pages, rules, now, ends_at, limits)
    both = [
        (stored.article, stored_fields(stored.article), draft, evidence)
        for stored, (draft, evidence) in zip(pages, drafts, strict=False)
    ]
    recurring = _recurring_lines([present for _, present, _, _ in both])
    recurring |= _recurring_lines([draft for _, _, draft, _ in both])
    common = _common_values(fields for _, *pair, _ in both for fields in pair)
    trials = []
    for article, present, draft, own in both:
        evidence = replace(own, recurring=recurring, common_values=common)
        trials.append(Trial(article, present, draft, judge(present, draft, evidence)))
    return trials


def _drafts_by_child(
    pages: Sequence[StoredPage],
    rules: SiteRules,
    now: datetime,
    ends_at: float | None,
    limits: Limits,
) -> list[tuple[ReadFields, PageEvidence]]:
    """Read pages in a child; what was read of all of them is remembered while an editor looks on.

    Each pick and each step to another page shows the draft's trials again: half of its time.
    """
    if not pages:
        return []
    key = _key(pages, rules)
    drafts: list[tuple[ReadFields, PageEvidence]] | None = cache.get(key)
    if drafts is not None:
        return drafts
    try:
        drafts = run_limited(lambda: _drafts(pages, rules, now, ends_at), limits)
    except WorkEndedError:
        logger.warning("pages of article %s and others take too much", pages[0].article.pk)
        return []
    if len(drafts) == len(pages):
        cache.set(key, drafts, _REMEMBERED_SECONDS)
    return drafts


def _key(pages: Sequence[StoredPage], rules: SiteRules) -> str:
    """Digest all that the readings rest on: rules, bytes, what is known of pages and their site."""
    digest = hashlib.blake2b(repr(rules).encode(errors="surrogatepass"), digest_size=16)
    for stored in pages:
        article, page = stored.article, stored.page
        # What stands by hand stays; a sample of the site's fragments is learnt with its template.
        known = (article.sources, stored_fields(article), article.kind)
        said = replace(page, body=b"", measured=b"", site=None, site_sample=None)
        site = (stored.site.number, stored.site.updated_at)
        digest.update(repr((known, said, site, len(page.body))).encode(errors="surrogatepass"))
        digest.update(page.body)
        digest.update(page.measured)
    return f"rule-trials:{digest.hexdigest()}"


def _drafts(
    pages: Sequence[StoredPage], rules: SiteRules, now: datetime, ends_at: float | None
) -> list[tuple[ReadFields, PageEvidence]]:
    """Read pages by rules, the first at least, until a moment of the monotonic clock."""
    found: list[tuple[ReadFields, PageEvidence]] = []
    for stored in pages:
        if found and ends_at is not None and time.monotonic() > ends_at:
            break
        extracted = extract_page(replace(stored.page, rules=rules), now=now)
        found.append((_fields_of(extracted, rules, stored), evidence_of(stored)))
    return found


def stored_fields(article: Article) -> ReadFields:
    return ReadFields(
        title=article.title,
        authors=tuple(article.authors),
        day=_day(article.published_at),
        text=article.text,
        published=_minute(article.published_at),
        modified=_minute(article.modified_at),
        section=article.section,
    )


def _fields_of(page: ExtractedPage, rules: SiteRules, stored: StoredPage) -> ReadFields:
    """Give what would be stored: with the feed's headline, and with what stands by hand."""
    read = ReadFields(
        title=page.title or stored.page.feed.title,
        authors=page.authors,
        day=_day(page.published_at),
        text=page.text,
        published=_minute(page.published_at),
        modified=_minute(page.modified_at),
        section=page.section[:SECTION_CHARACTERS],
        has_body_rule=bool(rules.of(RuleField.BODY)),
        body_rule_matched=page.extractor is Extractor.RULE,
    )
    return _with_corrections(read, stored.article)


def _with_corrections(read: ReadFields, article: Article) -> ReadFields:
    """Leave what an editor has written in its place, as the next reading of the page will."""
    present, by_hand = stored_fields(article), set[str]()
    for name, fields in _CORRECTED.items():
        if article.sources.get(name) == EDITOR:
            by_hand.update(fields)
    return replace(read, **{name: getattr(present, name) for name in by_hand})


def _minute(moment: datetime | None) -> str:
    return stamp(timezone.localtime(moment)) if moment else ""


def _day(moment: datetime | None) -> str:
    return timezone.localdate(moment).isoformat() if moment else ""


def evidence_of(stored: StoredPage) -> PageEvidence:
    """Gather what feed, JSON-LD, meta tags, headings and links of a page say."""
    said, head, feed = read_json_ld(stored.root), read_head(stored.root), stored.page.feed
    headings = tuple(text_of(element, " ") for element in stored.root.iter("h1"))
    titles = (feed.title, said.headline, head.first("og:title"), *headings[:3])
    feed_day = _day(feed.published_at)
    days = (feed_day, said.published[:10], head.first("article:published_time")[:10])
    sections = (said.section, head.first("article:section"))
    authors = (feed.authors, tuple(said.authors), tuple(head.values.get("author", ())))
    links = (" ".join(text_of(link, " ").split()) for link in stored.root.iter("a"))
    return PageEvidence(
        titles=tuple(title for title in titles if title),
        authors=tuple(names for names in authors if names),
        days=tuple(day for day in days if day),
        sections=tuple(section for section in sections if section),
        text=said.body,
        link_texts=frozenset(text for text in links if text),
        is_article=stored.article.kind == ArticleKind.TEXT,
    )


def _recurring_lines(pages: Sequence[ReadFields]) -> frozenset[str]:
    """Lines that stand in three texts of the sample, and in a tenth of them."""
    counts = Counter(line for fields in pages for line in set(fields.text.split("\n")))
    least = max(_LEAST_COMMON, len(pages) // 10)
    return frozenset(line for line, count in counts.items() if count >= least)


def _common_values(pages: Iterable[ReadFields]) -> frozenset[str]:
    """Find titles, their ends and authors of more than half of the pages, now or drafted."""
    pairs = list(pages)
    common: set[str] = set()
    for half in (pairs[0::2], pairs[1::2]):
        values = ({fields.title, ", ".join(fields.authors)} for fields in half)
        common |= _frequent(values, len(half))
    both = list(zip(pairs[0::2], pairs[1::2], strict=True))
    common |= _frequent(({affix_of(now.title, draft.title)} for now, draft in both), len(both))
    common |= _frequent(({affix_of(draft.title, now.title)} for now, draft in both), len(both))
    return frozenset(common)


def _frequent(values: Iterable[set[str]], n_pages: int) -> set[str]:
    """Find values of more than half of the pages."""
    counts = Counter(value for own in values for value in own)
    least = max(_LEAST_COMMON, _COMMON_SHARE * n_pages)
    return {value for value, count in counts.items() if value and count > least}


def counts_of(trials: Iterable[Trial]) -> dict[RuleOutcome, int]:
    """Count the trials of each outcome, in the order in which they are shown."""
    counts = Counter(trial.verdict.outcome for trial in trials)
    return {outcome: counts[outcome] for outcome in RuleOutcome}
