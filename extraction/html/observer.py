"""For those who want to know how a page was read: `extract_page` tells them of its steps."""

from typing import Protocol

from lxml import etree

from extraction.html.cascade import CascadeInput, Choice


class PageObserver(Protocol):
    """Told of each step of one extraction, in this order; must not change anything."""

    def parsed(self, root: etree._Element) -> None:
        """See the tree of the whole page, before anything is removed from it."""

    def cleaned(self, root: etree._Element) -> None:
        """See the tree after the generic cleaning."""

    def ruled(self, root: etree._Element) -> None:
        """See the tree after the publication's own removals."""

    def chosen(self, page: CascadeInput, choice: Choice) -> None:
        """See what was chosen from, and the choice."""
