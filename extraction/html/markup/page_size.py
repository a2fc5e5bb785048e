"""How much a page shows before anything of it is chosen: its words, characters and tags.

Beside the words of its article they say how much was taken away, and the text-to-tag ratio whether
a page is one of running text or a list of links.
"""

from dataclasses import dataclass

from lxml import etree

from extraction.html.markup.outline import Outline

# The ratio leaves these out with all they hold; scripts, styles, head and frames have left the tree
# in the general cleaning already.
REMOVED_WHOLE = frozenset(["nav", "footer", "header", "button", "form"])
# Their text stays, but they are no tags; of links neither counts.
NOT_COUNTED = frozenset(["br", "img", "input", "a"])


@dataclass(frozen=True, slots=True)
class PageSize:
    """Words of all that a reader sees; characters of running text and tags around them."""

    n_words: int
    n_chars: int
    n_tags: int


def shown_words(root: etree._Element) -> int:
    """Count the words of a tree without what no reader sees; linear.

    Words are what stands between spaces and tags, as `Article.n_words` counts them. XPath's
    `//text()` takes the number of texts squared where elements have left the tree between them.
    """
    return sum(len(text.split()) for text in root.itertext())


def text_and_tags(outline: Outline) -> tuple[list[int], list[int]]:
    """Count characters of text and tags below each element, the listed tags taken away."""
    n_chars, n_tags = [0] * len(outline.tags), [0] * len(outline.tags)
    for index in range(len(outline.tags) - 1, -1, -1):
        tag = outline.tags[index]
        if tag in REMOVED_WHOLE:
            n_chars[index] = n_tags[index] = 0
            continue
        if not outline.in_link[index]:
            n_chars[index] += sum(outline.runs[index])
        parent = outline.parents[index]
        if parent >= 0:
            n_chars[parent] += n_chars[index]
            n_tags[parent] += n_tags[index] + (tag not in NOT_COUNTED)
    return n_chars, n_tags


def body_index(outline: Outline) -> int:
    """Position of the first body, 0 when there is none."""
    try:
        return outline.tags.index("body")
    except ValueError:
        return 0


def page_size(n_words: int, outline: Outline) -> PageSize:
    """Put the words of a page together with what its body holds of text and tags."""
    if not outline.tags:
        return PageSize(n_words, 0, 0)
    body = body_index(outline)
    n_chars, n_tags = text_and_tags(outline)
    return PageSize(n_words, n_chars[body], n_tags[body])
