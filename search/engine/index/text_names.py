"""Names of texts in addresses: the key of an article, a letter and a key for all others.

``12`` is an article, ``c12`` a comment, ``m12`` a post, ``q12`` the quotes of article 12.
"""

import re

from search.engine.index.documents import DocumentKind

# What stands before the number of a text; articles have nothing there.
LETTERS = {
    DocumentKind.COMMENT: "c",
    DocumentKind.HEADLINE: "h",
    DocumentKind.STANDFIRST: "s",
    DocumentKind.HEADING: "t",
    DocumentKind.QUOTE: "q",
    DocumentKind.LIST_ITEM: "l",
    DocumentKind.CAPTION: "p",
    DocumentKind.POST: "m",
}
_KINDS = {letter: kind for kind, letter in LETTERS.items()}
# 18 digits stay below 2**60, where the kind begins in `segments.columns.make_identities`.
TEXT_NAME = f"([{''.join(_KINDS)}]?)([1-9][0-9]{{0,17}})"


def text_name(kind: DocumentKind, key: int) -> str:
    """Name a text.

    Examples
    --------
    >>> text_name(DocumentKind.ARTICLE, 12), text_name(DocumentKind.COMMENT, 12)
    ('12', 'c12')
    """
    return f"{LETTERS.get(kind, '')}{key}"


def named_text(name: str) -> tuple[DocumentKind, int]:
    """Read the name of a text.

    Raises
    ------
    ValueError
        With a sentence for the reader.

    Examples
    --------
    >>> named_text("q12")
    (<DocumentKind.QUOTE: 6>, 12)
    """
    found = re.fullmatch(TEXT_NAME, name)
    if found is None:
        raise ValueError(f"“{name[:40]}” is no text: write 12 for an article, c12 for a comment.")
    return _KINDS.get(found[1], DocumentKind.ARTICLE), int(found[2])
