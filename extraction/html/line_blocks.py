"""Chosen lines → blocks with their kinds; the cells of a data table's row become one block."""

from collections.abc import Sequence
from itertools import groupby

from extraction.html.blocks import Block, BlockKind, make_block
from extraction.html.outline import HEADING_TAGS, Outline, tag_bit

_CELL_CHARACTERS = 100  # a longer cell is a paragraph of a layout table


_CAPTION, _QUOTE, _LIST = tag_bit("figcaption"), tag_bit("blockquote"), tag_bit("li")
_CELL, _PREFORMATTED = tag_bit("td"), tag_bit("pre")
_HEADINGS = tag_bit("h1") | tag_bit("h2") | tag_bit("h4")


def line_blocks(outline: Outline, lines: Sequence[int]) -> tuple[Block, ...]:
    """Blocks of the chosen lines, in page order; empty ones are left out.

    Every line is a block of its own, so no two words of different blocks can meet (COR-103); only
    the short cells of one table row are joined, by blanks.
    """
    blocks: list[Block] = []
    for row, members in groupby(lines, key=lambda position: _row_of(outline, position)):
        positions = list(members)
        if row is not None and len(positions) > 1:
            text = " ".join(outline.lines[position].text for position in positions)
            blocks.append(make_block(BlockKind.TABLE_ROW, text))
        else:
            blocks += [
                make_block(_kind(outline, position), outline.lines[position].text)
                for position in positions
            ]
    return tuple(block for block in blocks if block.text)


def _kind(outline: Outline, position: int) -> BlockKind:
    node = outline.lines[position].node
    bits = outline.tag_bits[node]
    if outline.tags[node] in HEADING_TAGS or bits & _HEADINGS:
        return BlockKind.HEADING
    if bits & _CAPTION:
        return BlockKind.CAPTION
    if bits & _QUOTE:
        return BlockKind.QUOTE
    if bits & _LIST:
        return BlockKind.LIST_ITEM
    if bits & _PREFORMATTED:
        return BlockKind.PREFORMATTED
    return BlockKind.PARAGRAPH


def _row_of(outline: Outline, position: int) -> int | None:
    """Find the table row a short cell stands in; None for everything else."""
    line = outline.lines[position]
    if not outline.tag_bits[line.node] & _CELL or len(line.text) > _CELL_CHARACTERS:
        return None
    node = line.node
    while node >= 0 and outline.tags[node] != "tr":
        node = outline.parents[node]
    return node if node >= 0 else None
