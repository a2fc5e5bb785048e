"""Readers' comments in the page itself, by common markup: left out of the outline.

They are never part of the article's text; what they say is kept apart. Only containers whose names
leave no doubt count, since "comments-open" on a whole article is common. Comment systems that load
by script are not here, see `feeds.crawler.comment_systems`.
"""

import re

from lxml import etree

# Set on the elements that `page_comments` has read as comments.
COMMENT_MARK = "broadsheet-comment"
# Whole class or id values, lower case, that mean "here are the readers' comments".
_CONTAINER = re.compile(
    r"^(?:comments?|comments?[-_]?(?:list|area|section|container|wrapper|wrap|block|thread|body|form|respond|holder|box|main)s?"
    r"|(?:reader|user|post|article|view|disqus|fb|wp|all|entry|page)[-_]?comments?|comment[-_]?\d+|disqus_thread|respond|"
    r"kommentare|komentarze|commentaires|comentarios|reader[-_]?reactions|livefyre[-_]?comments|wpdiscuz\w*|wpd-\w+)$",
    re.IGNORECASE,
)
_NEVER = {
    "html",
    "body",
    "main",
    "article",
    "head",
    "h1",
    "input",
    "button",
    "a",
    "script",
    "meta",
    "link",
}


def is_comment_container(element: etree._Element) -> bool:
    """Whether the element's own names say that it holds readers' comments.

    And nothing in it says otherwise.
    """
    if element.get(COMMENT_MARK):
        return True
    if element.tag in _NEVER:
        return False
    item_type = element.get("itemtype") or ""
    if "schema.org/Comment" in item_type or "schema.org/UserComments" in item_type:
        return True
    names = [*(element.get("class") or "").split(), (element.get("id") or "").strip()]
    if not any(name and _CONTAINER.match(name) for name in names):
        return False
    return element.find(".//h1") is None and element.find(".//article[h1]") is None
