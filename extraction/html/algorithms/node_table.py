"""Every element of a page with its templateness and what that was reckoned from.

A page read once → rows in document order: what the study of templates kept of each node, and how
likely it is template. Sizes and places are the browser's where it drew the page, estimates else.
"""

from dataclasses import dataclass

from extraction.html.algorithms.page_layout import lay_out
from extraction.html.algorithms.scored_page import ReadPage
from extraction.html.algorithms.templateness import (
    TemplatenessParameters,
    add_up,
    element_scores,
    link_counts,
)
from extraction.html.algorithms.templateness_model import TemplatenessModel, shipped_model
from extraction.html.markup.outline import Outline


@dataclass(frozen=True, slots=True)
class Node:
    """One element; counts are of its subtree, itself included, where nothing else is said.

    `template` is the probability of the nearest element that is large enough to be judged, this one
    or one around it; None where there is none. Pixels are estimated where no element has a width.
    """

    number: int
    parent: int  # number of the element around it; -1 for the root
    level: int
    tag: str
    classes: str
    template: float | None
    is_judged: bool  # by itself
    top: float
    left: float
    area: float
    n_own_words: int
    n_words: int
    n_linked_words: int
    n_links: int
    n_inner_links: int  # to the same site
    own_text: str
    width: float | None  # an estimate knows areas alone
    height: float | None

    @property
    def name(self) -> str:
        """Tag and first class, as in a selector."""
        first = next(iter(self.classes.split()), "")
        return f"{self.tag}.{first}" if first else self.tag


def node_table(
    page: ReadPage,
    parameters: TemplatenessParameters | None = None,
    model: TemplatenessModel | None = None,
) -> list[Node]:
    """Rows of all elements of a page; empty for an empty page. Linear in elements and text."""
    outline = page.outline
    judged = element_scores(page, parameters or TemplatenessParameters(), model or shipped_model())
    layout = lay_out(outline, page.boxes)
    n_links, n_inner_links = link_counts(outline, page.url)
    own_texts = _own_texts(outline)
    n_own_words = [len(text.split()) for text in own_texts]
    n_words = list(n_own_words)
    n_linked_words = [
        n if is_linked else 0 for n, is_linked in zip(n_own_words, outline.in_link, strict=True)
    ]
    for counts in (n_words, n_linked_words):
        add_up(outline, counts)
    nodes: list[Node] = []
    for index, parent in enumerate(outline.parents):
        around = nodes[parent] if parent >= 0 else None
        box = page.boxes.get(outline.elements[index])
        nodes.append(
            Node(
                number=index,
                parent=parent,
                level=around.level + 1 if around else 0,
                tag=outline.tags[index],
                classes=outline.classes[index],
                template=judged.get(index, around.template if around else None),
                is_judged=index in judged,
                top=layout.top[index],
                left=layout.left[index],
                area=layout.area[index],
                n_own_words=n_own_words[index],
                n_words=n_words[index],
                n_linked_words=n_linked_words[index],
                n_links=n_links[index],
                n_inner_links=n_inner_links[index],
                own_text=own_texts[index],
                width=box.width if box else None,
                height=box.height if box else None,
            )
        )
    return nodes


def _own_texts(outline: Outline) -> list[str]:
    """Text that stands in each element itself: before its children, between and behind them."""
    runs = [(element.text, *(child.tail for child in element)) for element in outline.elements]
    return [" ".join(" ".join(filter(None, own)).split()) for own in runs]
