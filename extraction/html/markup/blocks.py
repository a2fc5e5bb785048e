"""Blocks: the pieces a text is made of, each with its kind, and the text they give when joined.

Every block boundary of the page is a break here, so the words on both sides of `</p><p>` can never
meet. Captions are blocks too, but stand beside the running text: their words belong to the
pictures.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
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
    EMBED = "embed"  # a post of another site that stands in the article

    @property
    def is_running(self) -> bool:
        """Whether blocks of this kind belong to the running text."""
        return self is not BlockKind.CAPTION


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, heading, list item …; the text is one line in stored form.

    `lines` are the positions of the outline's lines it was made of, empty where the text does not
    come from the outline; two blocks that say the same are equal wherever they stand.
    """

    kind: BlockKind
    text: str
    lines: tuple[int, ...] = field(default=(), compare=False)


def make_block(kind: BlockKind, text: str, lines: tuple[int, ...] = ()) -> Block:
    """Block whose text is NFC, without invisible characters and on one line."""
    if not text.isascii() or not text.isprintable() or "  " in text:
        text = normalize_text(text).replace("\n", " ")
    return Block(kind, text.strip(" "), lines)


def join_blocks(blocks: Iterable[Block]) -> str:
    r"""Give the running text of an article: its blocks without the captions, one a line.

    Examples
    --------
    >>> pot = Block(BlockKind.CAPTION, "A pot.")
    >>> join_blocks([Block(BlockKind.HEADING, "Maas"), pot, Block(BlockKind.QUOTE, "Sour milk.")])
    'Maas\nSour milk.'
    """
    return "\n".join(block.text for block in blocks if block.text and block.kind.is_running)


def join_captions(blocks: Iterable[Block]) -> str:
    """Give the captions of an article, one a line."""
    return "\n".join(block.text for block in blocks if block.text and not block.kind.is_running)
