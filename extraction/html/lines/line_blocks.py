"""Chosen lines → blocks with their kinds; the cells of a data table's row become one block.

Captions the choice left out are kept as blocks of their own where they stand inside the article.
"""

from collections.abc import Sequence
from itertools import groupby

from extraction.html.markup.block_kinds import kind_of_line
from extraction.html.markup.blocks import Block, BlockKind, make_block
from extraction.html.markup.class_words import Hint
from extraction.html.markup.outline import Outline, tag_bit

_CELL_CHARACTERS = 100  # a longer cell is a paragraph of a layout table
_CELL = tag_bit("td")
_CAPTIONED = Hint.CAPTION.value
_CAPTION_TAG = tag_bit("figcaption")
# Pictures of other articles: their captions are links, or stand in lists of them.
_ELSEWHERE = (Hint.RELATED | Hint.ADVERT | Hint.NAVIGATION | Hint.COMMENTS).value
_LINKED_SHARE = 0.5  # a caption that is mostly links is a teaser
# Where more than this share of the chosen letters are captions, they are the article (a gallery, a
# list of products). With the shipped model, F1 with and without: `segments` .9599 and .9592;
# `sites` .9566 and `fundus` .9814 with both.
_GALLERY_SHARE = 0.25
# The picture above the text stands at most so many lines before it (byline, date and share buttons
# lie between).
_LEAD_LINES = 12
_HEADLINE_LINES = 40  # so far up the headline is looked for


def line_blocks(outline: Outline, lines: Sequence[int]) -> tuple[Block, ...]:
    """Blocks of the chosen lines and the captions among them, in page order; no empty ones.

    Every line is a block of its own, so no two words of different blocks can meet; only the short
    cells of one table row are joined, by blanks.
    """
    blocks: list[Block] = []
    kinds = _kinds(outline, lines)
    wanted = sorted({*lines, *caption_lines(outline, lines)})
    for row, members in groupby(wanted, key=lambda position: _row_of(outline, position)):
        positions = tuple(members)
        if row is not None and len(positions) > 1 and _are_cells(outline, positions):
            text = " ".join(outline.lines[position].text for position in positions)
            blocks.append(make_block(BlockKind.TABLE_ROW, text, positions))
        else:
            for position in positions:
                kind = kinds.get(position, BlockKind.CAPTION)
                blocks.append(make_block(kind, outline.lines[position].text, (position,)))
    return tuple(block for block in blocks if block.text)


def caption_lines(outline: Outline, lines: Sequence[int]) -> list[int]:
    """Captions inside the article that are not among the chosen lines.

    Inside is: within the smallest element that holds all chosen lines, not behind the last of them,
    and not far above the first; or between the headline and the first.
    """
    if not lines:
        return []
    first, last = min(lines), max(lines)
    container = _container(outline, first, last)
    begin = max(outline.first_line[container], first - _LEAD_LINES)
    headline = _headline(outline, first)
    if headline is not None and headline < begin:
        begin, container = headline, _container(outline, headline, last)
    chosen = set(lines)
    found: dict[str, int] = {}  # a page may hold one caption twice, for narrow and wide screens
    for position in range(begin, last):
        if position not in chosen and _is_own_caption(outline, position, container):
            found.setdefault(outline.lines[position].text, position)
    return list(found.values())


def _headline(outline: Outline, first: int) -> int | None:
    """Find the nearest first-level heading above the text."""
    for position in range(first - 1, max(-1, first - _HEADLINE_LINES), -1):
        if outline.tags[outline.lines[position].node] == "h1":
            return position
    return None


def _is_own_caption(outline: Outline, position: int, container: int) -> bool:
    line = outline.lines[position]
    may_be = outline.tag_bits[line.node] & _CAPTION_TAG or outline.hints[line.node] & _CAPTIONED
    if not may_be or kind_of_line(outline, position) is not BlockKind.CAPTION:
        return False
    if line.n_link_chars >= _LINKED_SHARE * len(line.text):
        return False
    node = line.node
    while node > container:
        if outline.own_hints[node] & _ELSEWHERE:
            return False
        node = outline.parents[node]
    return True


def _container(outline: Outline, first: int, last: int) -> int:
    """Find the smallest element around two lines."""
    node = outline.lines[first].node
    while outline.parents[node] >= 0 and outline.end_line[node] <= last:
        node = outline.parents[node]
    return node


def _kinds(outline: Outline, lines: Sequence[int]) -> dict[int, BlockKind]:
    """Kinds of the chosen lines; captions are paragraphs where they are most of what there is."""
    kinds = {position: kind_of_line(outline, position) for position in lines}
    captions = [position for position, kind in kinds.items() if kind is BlockKind.CAPTION]
    n_chars = sum(len(outline.lines[position].text) for position in lines)
    n_caption_chars = sum(len(outline.lines[position].text) for position in captions)
    if n_caption_chars > _GALLERY_SHARE * n_chars:
        kinds |= dict.fromkeys(captions, BlockKind.PARAGRAPH)
    return kinds


def _row_of(outline: Outline, position: int) -> int | None:
    """Find the table row a short cell stands in; None for everything else."""
    line = outline.lines[position]
    if not outline.tag_bits[line.node] & _CELL or len(line.text) > _CELL_CHARACTERS:
        return None
    return _ancestor(outline, position, ("tr",))


def _are_cells(outline: Outline, positions: Sequence[int]) -> bool:
    """Whether each line has a cell of its own; where not, the table only lays out the page."""
    cells = {_ancestor(outline, position, ("td", "th")) for position in positions}
    return len(cells) == len(positions)


def _ancestor(outline: Outline, position: int, tags: tuple[str, ...]) -> int | None:
    """Find the nearest element with one of the tags that holds a line, or is it."""
    node = outline.lines[position].node
    while node >= 0 and outline.tags[node] not in tags:
        node = outline.parents[node]
    return node if node >= 0 else None
