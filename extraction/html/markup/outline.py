"""Outline of a page: elements as parallel lists, visible text as lines.

All extraction algorithms work on the outline, which `outline_walk` makes in one walk. A line is a
run of text between two block boundaries or line breaks; no line crosses a boundary, so words of two
blocks are never neighbours.
"""

from dataclasses import dataclass, field

from lxml import etree

_BLOCK_NAMES = (
    "address article aside blockquote body caption center dd details dialog dir div dl dt"
    " fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li"
    " main menu nav ol p pre section summary table tbody td tfoot th thead tr ul"
)
BLOCK_TAGS = frozenset(_BLOCK_NAMES.split())
# Controls: their words are the page's, not the author's. Counted as links by composite text
# density, never lines of text.
CONTROL_TAGS = frozenset(["button", "select", "textarea", "option", "input"])
# A control that is never closed swallows the page behind it; such an element inside it ends the
# control.
ENDS_CONTROL = frozenset(
    ["p", "main", "article", "section", "h1", "h2", "h3", "h4", "table", "body", "header", "footer"]
)
LINK_TAGS = frozenset(["a", "button", "select"])
HEADING_TAGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
STRONG_TAGS = frozenset(["b", "strong", "em", "i"])
# Groups of tags whose presence among the ancestors of a line is told apart; bit i is group i.
TAG_GROUPS: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split())
    for group in (
        "p", "li dt dd", "ul ol dl menu", "table", "td th", "blockquote q", "figure picture",
        "figcaption caption", "article", "main", "aside", "nav", "footer", "header",
        "form fieldset", "section", "h1", "h2 h3", "h4 h5 h6", "pre code", "details",
        "center font", "a", "address", "b strong", "em i", "label legend button",
    )
)  # fmt: skip
TAG_BITS = {tag: 1 << bit for bit, group in enumerate(TAG_GROUPS) for tag in group}


def tag_bit(tag: str) -> int:
    """Flag of a tag's group in `Outline.tag_bits`; 0 for a tag that is in none."""
    return TAG_BITS.get(tag, 0)


@dataclass(slots=True)
class OutlineLine:
    """One run of text between two breaks."""

    text: str
    node: int  # index of the innermost block element around it
    n_link_chars: int
    n_links: int
    n_strong_chars: int
    after_break: bool  # begins after a br, not after a block boundary


@dataclass(slots=True)
class Outline:
    """Elements in document order.

    Element `i` has its subtree at `i … ends[i] - 1` and its lines at `first_line … end_line`.
    """

    elements: list[etree._Element] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    own_hints: list[int] = field(default_factory=list)
    hints: list[int] = field(default_factory=list)  # own and inherited
    tag_bits: list[int] = field(default_factory=list)  # own and inherited, see TAG_GROUPS
    runs: list[list[int]] = field(
        default_factory=list
    )  # lengths of the text runs directly in the element
    in_link: list[bool] = field(default_factory=list)
    first_line: list[int] = field(default_factory=list)
    end_line: list[int] = field(default_factory=list)
    lines: list[OutlineLine] = field(default_factory=list)
