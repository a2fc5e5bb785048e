"""Which kind of block a line is: by its tag, by those around it, and by telling class names."""

import re
from collections.abc import Iterator

from extraction.html.markup.blocks import BlockKind
from extraction.html.markup.class_words import Hint
from extraction.html.markup.outline import HEADING_TAGS, Outline, tag_bit

_CAPTION, _QUOTE, _LIST = tag_bit("figcaption"), tag_bit("blockquote"), tag_bit("li")
_PREFORMATTED = tag_bit("pre")
_HEADINGS = tag_bit("h1") | tag_bit("h2") | tag_bit("h4")
_NAMED_CAPTION, _NAMED_QUOTE = Hint.CAPTION.value, Hint.EMBED.value
# Names that leave no doubt; what `class_words` knows is wider ("photo", "media"), since there it is
# one sign among many.
_CAPTION_NAME = re.compile(
    r"caption|cutline|bild-?(?:unter|text)|onderskrif|bijschrift|legende|didascali|leyenda"
    r"|pie-?de-?foto|podpis|подпис",
    re.IGNORECASE,
)
_QUOTE_NAME = re.compile(r"pull-?quote|block-?quote|(?:^|[\s_-])quote(?:$|[\s_-])", re.IGNORECASE)
_EMBED_NAME = re.compile(
    r"twitter-(?:tweet|video)|instagram-media|tiktok-embed|fb-post|bluesky-embed|mastodon-embed"
    r"|reddit-(?:card|embed)",
    re.IGNORECASE,
)
# A name further up is that of a part of the page, not of the line.
_NAMED_LEVELS = 3


def kind_of_line(outline: Outline, position: int) -> BlockKind:
    """Kind of one line; a paragraph where nothing says otherwise."""
    node = outline.lines[position].node
    bits, hints = outline.tag_bits[node], outline.hints[node]
    if bits & _CAPTION or (hints & _NAMED_CAPTION and _is_named(outline, node, _CAPTION_NAME)):
        return BlockKind.CAPTION
    if outline.tags[node] in HEADING_TAGS or bits & _HEADINGS:
        return BlockKind.HEADING
    if bits & _QUOTE:
        is_post = _is_named(outline, node, _EMBED_NAME)
        return BlockKind.EMBED if is_post else BlockKind.QUOTE
    if hints & _NAMED_QUOTE and _is_named(outline, node, _QUOTE_NAME):
        return BlockKind.QUOTE
    if bits & _LIST:
        return BlockKind.LIST_ITEM
    return BlockKind.PREFORMATTED if bits & _PREFORMATTED else BlockKind.PARAGRAPH


def _is_named(outline: Outline, node: int, pattern: re.Pattern[str]) -> bool:
    return any(pattern.search(name) for name in _names_around(outline, node))


def _names_around(outline: Outline, node: int) -> Iterator[str]:
    for _ in range(_NAMED_LEVELS):
        if node < 0:
            return
        yield outline.classes[node]
        node = outline.parents[node]
