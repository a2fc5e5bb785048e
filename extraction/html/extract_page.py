"""One page in, text and metadata out: the package's front door.

Decode → parse once → read metadata sources and editor's fields → clean (two phases) → outline → cascade → blocks → metadata. Nothing
the web sends makes it fail; what cannot be read is an empty page.
"""

from collections.abc import Mapping
from datetime import UTC, datetime

from lxml import etree

from extraction.html.blocks import Block, BlockKind, join_blocks, make_block
from extraction.html.cascade import choose_lines
from extraction.html.cleaning import clean
from extraction.html.decode import decode_html
from extraction.html.metadata import MetadataRequest, decide, read_sources
from extraction.html.outline import Outline, outline_page
from extraction.html.page import ExtractedPage, PageInput, PageKind, RuleReport
from extraction.html.page_kind import page_kind
from extraction.html.parse import parse_html
from extraction.html.rules import (
    Rule,
    RuleError,
    RuleField,
    RuleKind,
    find,
    remove_matches,
    value_of,
)

_VALUE_FIELDS = (RuleField.TITLE, RuleField.AUTHOR, RuleField.DATE, RuleField.SECTION)


def extract_page(page: PageInput, *, now: datetime | None = None) -> ExtractedPage:
    """Extract one page.

    Parameters
    ----------
    page
        Bytes and what is known beforehand.
    now
        Moment of the extraction; dates after it are refused. Any date is accepted where it is None.

    Returns
    -------
    ExtractedPage
        `kind` is `EMPTY` when no text was found; metadata is filled as far as the page allows even then.
    """
    decoded = decode_html(page.body, page.content_type)
    root = parse_html(decoded.text)
    sources = read_sources(root, page.url, page.site_name)
    values, reports = _rule_values(root, page)
    clean(root)
    reports += _remove(root, page)
    outline = outline_page(root)
    choice = choose_lines(outline)
    blocks = _blocks(outline, choice.lines)
    text = join_blocks(blocks)
    request = MetadataRequest(
        url=page.url,
        feed=page.feed,
        rule_values=values,
        now=now or datetime.max.replace(tzinfo=UTC),
    )
    metadata = decide(sources, request)
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
        rule_reports=tuple(reports),
        encoding=decoded.encoding,
    )


def _rule_values(
    root: etree._Element, page: PageInput
) -> tuple[Mapping[str, str], list[RuleReport]]:
    values: dict[str, str] = {}
    reports: list[RuleReport] = []
    for field in _VALUE_FIELDS:
        for position, rule in enumerate(page.rules.of(field), start=1):
            value, report = _run(rule, root, f"{field.value} {position}")
            reports.append(report)
            if value:
                values.setdefault(field.value, value)
    return values, reports


def _run(rule: Rule, root: etree._Element, part: str) -> tuple[str, RuleReport]:
    try:
        matches = find(rule, root)
    except RuleError as error:
        return "", RuleReport(part, matched=False, problem=str(error))
    value = next((text for match in matches[:5] if (text := value_of(rule, match))), "")
    return value, RuleReport(part, matched=bool(value))


def _remove(root: etree._Element, page: PageInput) -> list[RuleReport]:
    reports = []
    for position, rule in enumerate(page.rules.of(RuleField.REMOVE), start=1):
        if rule.kind is RuleKind.TEXT:
            continue
        part = f"remove {position}"
        try:
            reports.append(RuleReport(part, matched=remove_matches(rule, root) > 0))
        except RuleError as error:
            reports.append(RuleReport(part, matched=False, problem=str(error)))
    return reports


def _blocks(outline: Outline, lines: tuple[int, ...]) -> tuple[Block, ...]:
    blocks = (make_block(BlockKind.PARAGRAPH, outline.lines[position].text) for position in lines)
    return tuple(block for block in blocks if block.text)
