"""One page in, text and metadata out: the package's front door.

Decode → parse once → read metadata sources, editor's fields and readers' comments → clean (two
phases) → outline → metadata → cascade → blocks. Nothing the web sends makes it fail; what cannot be
read is an empty page.
"""

import gc
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from lxml import etree

from extraction.html.algorithms.page_layout import Box
from extraction.html.algorithms.scored_page import parse_measured
from extraction.html.cascade import CascadeInput, LineChoice, choose_for
from extraction.html.fields.agencies import part_agencies
from extraction.html.fields.field_candidates import ANY_TIME, MetadataRequest
from extraction.html.fields.metadata import Metadata, decide
from extraction.html.fields.page_sources import PageSources, read_sources
from extraction.html.fields.replaced_headlines import replaced_headline, replaced_part
from extraction.html.fields.titles import title_pieces
from extraction.html.lines.line_blocks import line_blocks
from extraction.html.lines.line_model import LineModel
from extraction.html.lines.line_places import PageContext
from extraction.html.markup.blocks import Block, BlockKind, join_blocks, make_block
from extraction.html.markup.cleaning import clean
from extraction.html.markup.decode import DecodedPage, decode_html
from extraction.html.markup.outline import Outline
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.page_size import page_size, shown_words
from extraction.html.markup.parse import parse_html
from extraction.html.markup.tree_digest import digest_of
from extraction.html.markup.unpacking import unpack_templates
from extraction.html.page import ExtractedKind, ExtractedPage, Extractor, PageInput
from extraction.html.reader_comments.comment_times import Clock
from extraction.html.reader_comments.page_comments import ShownComments, find_comments
from extraction.html.site.page_in_site import PageInSite
from extraction.html.site_rules.apply_rules import (
    RuledBody,
    RuledValues,
    remove_ruled,
    ruled_body,
    ruled_values,
)
from extraction.html.site_rules.rules import RuleReport, SiteRules
from feeds.crawler.comment_systems.systems import find_thread
from feeds.crawler.rights.page_statements import meta_statements

# Some 170,000 words: no article is longer, and tagging one of 10 MB would take gigabytes.
MAX_TEXT_CHARACTERS = 1_000_000
# Paragraphs that hold as much make an article of a page, whatever a word of its address says. Of
# 244 development pages of newspapers 95 % have it, of 85 with short texts none; of all 1,766 two
# change their kind, both from video to what they are: long texts on how videos are made.
ARTICLE_CHARACTERS = 1_000
_LEAST_PARAGRAPH_CHARACTERS = 100  # captions, credits and teasers are shorter
# Any of these words in the URL, as whole path words ("topics" and "epics" are none).
_IN_URL = re.compile(
    r"(?<![a-z])(?:(?P<gallery>galler(?:y|ies)|pics)|(?P<video>videos?))(?![a-z])", re.IGNORECASE
)
_GALLERY_START = re.compile(r"\s*gallery\b", re.IGNORECASE)


class PageObserver(Protocol):
    """Told of each step of one extraction, in this order; must not change anything."""

    def parsed(self, root: etree._Element) -> None:
        """See the tree of the whole page, before anything is removed from it."""

    def cleaned(self, root: etree._Element) -> None:
        """See the tree after the generic cleaning."""

    def ruled(self, root: etree._Element) -> None:
        """See the tree after the publication's own removals."""

    def chosen(self, page: CascadeInput, choice: LineChoice) -> None:
        """See what was chosen from, and the choice."""


@contextmanager
def collector_paused() -> Iterator[None]:
    """Let no collection run inside; what was off before stays off.

    A page makes a hundred thousand objects that live until it is read, and nearly none of them is
    in a cycle: the collector visits them again and again in vain, for 6 to 8 % of a page's CPU
    time (medians over 490 development pages each). Where threads overlap, the last word is on.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@collector_paused()
def extract_page(
    page: PageInput,
    *,
    now: datetime | None = None,
    model: LineModel | None = None,
    observer: PageObserver | None = None,
) -> ExtractedPage:
    """Extract one page.

    Parameters
    ----------
    page
        Bytes and what is known beforehand.
    now
        Moment of the extraction; dates after it are refused. Any date is accepted where it is None.
    model
        Line model to use instead of the shipped one.
    observer
        Somebody to be told of each step; costs nothing where there is none.

    Returns
    -------
    ExtractedPage
        `kind` is `EMPTY` when no text was found; metadata is filled as far as the page allows even
        then.
    """
    opened = _open(page, observer)
    cleaned = _read(opened, page.rules, observer)
    metadata = _metadata(opened, cleaned, page, now or ANY_TIME)
    site = PageInSite(
        cleaned.outline, metadata.title, title_pieces(opened.sources.head), knowledge=page.site
    )
    context = _context(opened, metadata)
    candidates = CascadeInput(
        cleaned.outline,
        context,
        cleaned.body.elements,
        cleaned.body.texts,
        model,
        site,
        metadata.certain_title,
        opened.boxes,
    )
    choice = choose_for(page, candidates)
    site.settle(choice.lines)
    if observer is not None:
        observer.chosen(candidates, choice)
    extracted = _filled(metadata, choice, _blocks(cleaned.outline, choice), page)
    return replace(
        extracted,
        comments=opened.shown.comments,
        comment_count=opened.shown.count,
        rule_reports=cleaned.reports,
        rights_said=tuple(meta_statements(opened.sources.head.values)),
        encoding=opened.decoded.encoding,
        sketch=site.sketch,
        size=page_size(cleaned.n_words, cleaned.outline),
        tree=opened.tree,
    )


@collector_paused()
def headline_in_place(former: PageInput, later: PageInput) -> str:
    """Find what a page's later document shows where the former one showed its headline.

    `former.headline` is that headline. Empty where it did not stand there, or nothing took its
    place.
    """
    opened = [_open(page, None) for page in (former, later)]
    titles = [" ".join(one.sources.head.title.split()) for one in opened]
    outlines = [_read(one, former.rules, None).outline for one in opened]
    shown = replaced_headline(outlines[0], outlines[1], former.headline)
    return shown or replaced_part(titles[0], titles[1], former.headline)


@dataclass(frozen=True, slots=True)
class _Opened:
    """A page parsed, with what is read before its tree is cleaned."""

    decoded: DecodedPage
    root: etree._Element
    sources: PageSources
    values: RuledValues
    shown: ShownComments
    tree: str
    boxes: Mapping[etree._Element, Box]


@dataclass(frozen=True, slots=True)
class _CleanedPage:
    """What the cleaned tree gave."""

    n_words: int  # before the publication's own removals
    outline: Outline
    body: RuledBody
    reports: tuple[RuleReport, ...]


def _open(page: PageInput, observer: PageObserver | None) -> _Opened:
    """Decode and parse; read the sources of metadata, the editor's fields, readers' comments."""
    decoded = decode_html(page.body, page.content_type)
    # Places matter to one extractor alone: all others read what they always read.
    is_measured = page.extractor == Extractor.TEMPLATENESS
    root, boxes = parse_measured(page, decoded) if is_measured else (parse_html(decoded.text), {})
    tree = digest_of(root, decoded.encoding)
    names = page.site.site_names if page.site else ()
    sources = read_sources(root, page.url, page.site_name, names)
    values = ruled_values(page.rules, root, decoded.text)
    if observer is not None:
        observer.parsed(root)
    clock = Clock(page.zone, page.fetched_at)
    shown = find_comments(root, sources.json_ld.comments, clock)
    return _Opened(decoded, root, sources, values, shown, tree, boxes)


def _read(opened: _Opened, rules: SiteRules, observer: PageObserver | None) -> _CleanedPage:
    """Clean the tree in both phases, then outline it."""
    root = opened.root
    unpack_templates(root)
    clean(root)
    if observer is not None:
        observer.cleaned(root)
    n_words = shown_words(root)
    removals = remove_ruled(rules, root)
    if observer is not None:
        observer.ruled(root)
    body = ruled_body(rules, root, opened.decoded.text)
    return _CleanedPage(
        n_words=n_words,
        outline=outline_page(root),
        body=body,
        reports=(*opened.values.reports, *removals, *body.reports),
    )


def _metadata(opened: _Opened, cleaned: _CleanedPage, page: PageInput, now: datetime) -> Metadata:
    request = MetadataRequest(
        url=page.url,
        feed=page.feed,
        rule_values=opened.values.values,
        now=now,
        zone=page.zone,
        outline=cleaned.outline,
        html=opened.decoded.text,
        headline=page.headline,
    )
    return decide(opened.sources, request)


def _context(opened: _Opened, metadata: Metadata) -> PageContext:
    body = opened.sources.json_ld.body
    return PageContext(metadata.title, metadata.description, body, metadata.authors)


def _filled(
    metadata: Metadata, choice: LineChoice, blocks: tuple[Block, ...], page: PageInput
) -> ExtractedPage:
    """Put metadata and the chosen text together."""
    text = join_blocks(blocks)
    kind = page_kind(page.url, text)
    authors, agencies = part_agencies(metadata.authors)
    return ExtractedPage(
        kind=kind,
        blocks=blocks,
        text=text,
        title=metadata.title,
        shows_title=metadata.shows_title,
        authors=authors,
        agencies=agencies,
        published_at=metadata.published_at,
        modified_at=metadata.modified_at,
        section=metadata.section,
        tags=metadata.tags,
        description=metadata.description,
        canonical_url=metadata.canonical_url,
        declared_language=metadata.declared_language,
        is_paywalled=metadata.is_paywalled,
        extractor=choice.extractor,
        confidence=choice.confidence if kind is not ExtractedKind.EMPTY else 0.0,
        reason=choice.reason,
        sources=metadata.sources,
        disagreements=metadata.disagreements,
        comment_thread=find_thread(page.body, page.url),
    )


def _blocks(outline: Outline, choice: LineChoice) -> tuple[Block, ...]:
    if not choice.paragraphs:
        return _of_an_article(line_blocks(outline, choice.lines))
    blocks = (make_block(BlockKind.PARAGRAPH, text) for text in choice.paragraphs)
    return _of_an_article(tuple(block for block in blocks if block.text))


def _of_an_article(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Leave out blocks that do not fit into the length of an article any more."""
    n_left, kept = MAX_TEXT_CHARACTERS, []
    for block in blocks:
        if len(block.text) < n_left:
            kept.append(block)
            n_left -= len(block.text) + 1
    return tuple(kept)


def page_kind(url: str, text: str) -> ExtractedKind:
    """Kind of a page by its address and extracted text, one paragraph a line.

    How long a text must be is the publication's own affair.

    Examples
    --------
    >>> page_kind("https://example.org/news/pics-storm-hits-durban", "x" * 600).value
    'gallery'
    >>> page_kind("https://example.org/news/pics-storm-hits-durban", "x" * 1_600).value
    'text'
    >>> page_kind("https://example.org/topics/storm", "Rain.").value
    'text'
    """
    if not text.strip():
        return ExtractedKind.EMPTY
    path = url.split("://", 1)[-1].partition("/")[2]
    match = _IN_URL.search(path)
    if match and not _is_long(text):
        return ExtractedKind.GALLERY if match["gallery"] else ExtractedKind.VIDEO
    return ExtractedKind.GALLERY if _GALLERY_START.match(text) else ExtractedKind.TEXT


def _is_long(text: str) -> bool:
    """Whether a text's paragraphs make an article."""
    lengths = (len(line) for line in text.split("\n"))
    return sum(n for n in lengths if n >= _LEAST_PARAGRAPH_CHARACTERS) >= ARTICLE_CHARACTERS
