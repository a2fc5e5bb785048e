"""What an algorithm is given and what it answers: a page → blocks with scores → the kept text."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from lxml import etree

from extraction.html.algorithms.page_layout import Box, take_boxes
from extraction.html.fields.field_candidates import MetadataRequest
from extraction.html.fields.metadata import decide
from extraction.html.fields.page_sources import read_sources
from extraction.html.lines.line_blocks import line_blocks
from extraction.html.markup.blocks import join_blocks
from extraction.html.markup.cleaning import clean
from extraction.html.markup.decode import DecodedPage, decode_html
from extraction.html.markup.outline import Outline
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html
from extraction.html.markup.unpacking import unpack_templates
from extraction.html.page import PageInput
from extraction.html.site.fragments import SiteSample
from extraction.html.site_rules.apply_rules import remove_ruled, ruled_body


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A cleaned page, read once for all algorithms; none of them changes it."""

    outline: Outline
    title: str = ""
    url: str = ""
    ruled: tuple[etree._Element, ...] = ()  # what the editor's body rule matched
    site: SiteSample | None = None  # how often each fragment stands on the site's pages
    ruled_texts: tuple[str, ...] = ()  # the lines of it where the rule is a pattern
    json_ld_body: str = ""  # what the page's own metadata says is its text
    # Of its elements, where a browser drew the page.
    boxes: Mapping[etree._Element, Box] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoredBlock:
    """One unit of an algorithm: an element, a segment or a line of the source.

    `lines` are positions in the outline, ascending; each position stands in at most one block of a
    page. Scores compare blocks of one algorithm only.
    """

    lines: tuple[int, ...]
    score: float
    is_kept: bool


@dataclass(frozen=True, slots=True)
class ScoredPage:
    """The blocks in page order, and a sentence where the answer is doubtful."""

    blocks: tuple[ScoredBlock, ...]
    remark: str = ""

    @property
    def kept_lines(self) -> tuple[int, ...]:
        """Positions of the kept lines in the outline, ascending."""
        return tuple(
            sorted(position for block in self.blocks if block.is_kept for position in block.lines)
        )


def read_page(page: PageInput, site: SiteSample | None = None) -> ReadPage:
    """Decode, parse, clean and outline a page; a page without any text has no lines."""
    decoded = decode_html(page.body, page.content_type)
    root, boxes = parse_measured(page, decoded)
    sources = read_sources(root, page.url, page.site_name)
    unpack_templates(root)
    clean(root)
    remove_ruled(page.rules, root)
    ruled = ruled_body(page.rules, root, decoded.text)
    outline = outline_page(root)
    title = decide(sources, MetadataRequest(url=page.url, outline=outline)).title
    body = sources.json_ld.body
    return ReadPage(outline, title, page.url, ruled.elements, site, ruled.texts, body, boxes)


def parse_measured(
    page: PageInput, decoded: DecodedPage
) -> tuple[etree._Element, Mapping[etree._Element, Box]]:
    """Parse a page, and give the places of its elements where a browser drew it."""
    if not page.measured:
        return parse_html(decoded.text), {}
    root = parse_html(decode_html(page.measured, page.content_type).text)
    return root, take_boxes(root)


def kept_text(page: ReadPage, scored: ScoredPage) -> str:
    """Text as the site stores it: the kept lines as blocks, one a line."""
    return join_blocks(line_blocks(page.outline, scored.kept_lines))
