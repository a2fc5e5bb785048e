"""One page in, text and metadata out: the package's front door.

Decode → parse once → read metadata sources, editor's fields and readers' comments → clean (two
phases) → outline → metadata → cascade → blocks. Nothing the web sends makes it fail; what cannot be
read is an empty page.
"""

from dataclasses import dataclass
from datetime import datetime

from lxml import etree

from extraction.html.apply_rules import RuledValues, remove_ruled, ruled_body, ruled_values
from extraction.html.blocks import Block, BlockKind, join_blocks, make_block
from extraction.html.cascade import CascadeInput, Choice
from extraction.html.chosen_extractor import choose_for
from extraction.html.cleaning import clean
from extraction.html.collector import collector_paused
from extraction.html.decode import decode_html
from extraction.html.line_blocks import line_blocks
from extraction.html.line_model import LineModel
from extraction.html.line_places import PageContext
from extraction.html.metadata import Metadata, decide
from extraction.html.metadata_candidates import ANY_TIME, MetadataRequest
from extraction.html.observer import PageObserver
from extraction.html.outline import Outline
from extraction.html.outline_walk import outline_page
from extraction.html.page import ExtractedPage, PageInput, PageKind, RuleReport
from extraction.html.page_comments import find_comments
from extraction.html.page_kind import page_kind
from extraction.html.page_sources import PageSources, read_sources
from extraction.html.parse import parse_html
from extraction.html.site_reading import SiteReading
from extraction.html.title_affixes import title_pieces
from extraction.html.unpacking import unpack_templates
from feeds.crawler.comment_systems import find_thread

# Some 170,000 words: no article is longer, and tagging one of 10 MB would take gigabytes.
MAX_TEXT_CHARACTERS = 1_000_000


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
    decoded = decode_html(page.body, page.content_type)
    root = parse_html(decoded.text)
    sources = read_sources(
        root, page.url, page.site_name, page.site.site_names if page.site else ()
    )
    ruled = ruled_values(page.rules, root, decoded.text)
    if observer is not None:
        observer.parsed(root)
    comments = find_comments(root, decoded.text, sources.json_ld.comments, page.zone)
    reading = _read(root, decoded.text, _Given(page, ruled, observer))
    metadata = _metadata(sources, page, reading, now or ANY_TIME)
    context = PageContext(
        metadata.title, metadata.description, sources.json_ld.body, metadata.authors
    )
    site = SiteReading(
        reading.outline, metadata.title, title_pieces(sources.head), knowledge=page.site
    )
    candidates = CascadeInput(reading.outline, context, reading.body_elements, model, site)
    choice = choose_for(page, candidates)
    site.settle(choice.lines)
    if observer is not None:
        observer.chosen(candidates, choice)
    blocks = _blocks(reading.outline, choice)
    text = join_blocks(blocks)
    kind = page_kind(page.url, text)
    return ExtractedPage(
        kind=kind,
        blocks=blocks,
        text=text,
        title=metadata.title,
        authors=metadata.authors,
        published_at=metadata.published_at,
        modified_at=metadata.modified_at,
        section=metadata.section,
        tags=metadata.tags,
        description=metadata.description,
        canonical_url=metadata.canonical_url,
        declared_language=metadata.declared_language,
        is_paywalled=metadata.is_paywalled,
        extractor=choice.extractor,
        confidence=choice.confidence if kind is not PageKind.EMPTY else 0.0,
        reason=choice.reason,
        sources=metadata.sources,
        disagreements=metadata.disagreements,
        comment_thread=find_thread(page.body, page.url),
        comments=comments,
        rule_reports=reading.reports,
        encoding=decoded.encoding,
        sketch=site.sketch,
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    """What the cleaned tree gave."""

    html: str
    outline: Outline
    values: RuledValues
    body_elements: tuple[etree._Element, ...]
    reports: tuple[RuleReport, ...]


@dataclass(frozen=True, slots=True)
class _Given:
    """What a tree is read with."""

    page: PageInput
    values: RuledValues
    observer: PageObserver | None


def _read(root: etree._Element, html: str, given: _Given) -> _Reading:
    """Clean the tree in both phases, then outline it."""
    rules, observer = given.page.rules, given.observer
    unpack_templates(root)
    clean(root)
    if observer is not None:
        observer.cleaned(root)
    removals = remove_ruled(rules, root)
    if observer is not None:
        observer.ruled(root)
    body = ruled_body(rules, root)
    return _Reading(
        html=html,
        outline=outline_page(root),
        values=given.values,
        body_elements=body.elements,
        reports=(*given.values.reports, *removals, *body.reports),
    )


def _metadata(sources: PageSources, page: PageInput, reading: _Reading, now: datetime) -> Metadata:
    request = MetadataRequest(
        url=page.url,
        feed=page.feed,
        rule_values=reading.values.values,
        now=now,
        zone=page.zone,
        outline=reading.outline,
        html=reading.html,
    )
    return decide(sources, request)


def _blocks(outline: Outline, choice: Choice) -> tuple[Block, ...]:
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
