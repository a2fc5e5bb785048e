"""Blocks: the pieces a text is made of, each with its kind, and the text they give when joined.

Every block boundary of the page is a break here (COR-102, COR-103), so the words on both sides of
`</p><p>` can never meet.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from extraction.text.normalize import normalize_text


class BlockKind(StrEnum):
    """What a block is on its page; the value is what the database stores."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    QUOTE = "quote"
    LIST_ITEM = "list_item"
    CAPTION = "caption"
    TABLE_ROW = "table_row"
    PREFORMATTED = "preformatted"


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, heading, list item …; the text is one line in stored form."""

    kind: BlockKind
    text: str


def make_block(kind: BlockKind, text: str) -> Block:
    """Block whose text is NFC, without invisible characters and on one line."""
    return Block(kind, normalize_text(text).replace("\n", " "))


def join_blocks(blocks: Iterable[Block]) -> str:
    r"""Give the stored text of an article: its blocks, one a line.

    Examples
    --------
    >>> join_blocks([Block(BlockKind.HEADING, "Maas"), Block(BlockKind.PARAGRAPH, "Sour milk.")])
    'Maas\nSour milk.'
    """
    return "\n".join(block.text for block in blocks if block.text)
