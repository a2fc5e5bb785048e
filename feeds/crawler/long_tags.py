"""Tags with thousands of attributes, cut down before a parser sees them.

libxml2 compares each attribute of a tag with all others: 100,000 of them take a minute. The longest
real tags carry much data in a few attributes, so those are left alone.
"""

import re

# Real tags have up to some 60 attributes; a page's data may be a megabyte in one of them.
MAX_ATTRIBUTES = 500
_LONG_CHARACTERS = 4_000
_LONG_TAG = re.compile(rf"<[a-zA-Z][^<>]{{{_LONG_CHARACTERS},}}")
_WORDS = re.compile(r"\S+\s*")


def cut_long_tags(markup: str) -> str:
    """Leave out what stands behind the first attributes of a tag that has more than anybody needs.

    Parameters
    ----------
    markup
        Characters of a page.

    Returns
    -------
    str
        The same where no tag is that long. Time is linear in the length.

    Examples
    --------
    >>> page = "<p " + " ".join(f"data-{n}='{n}'" for n in range(2000)) + ">word"
    >>> cut = cut_long_tags(page)
    >>> cut.count("data-"), cut[-5:]
    (500, '>word')
    """
    # Half the search's time tells that there is none, as on nearly every page.
    long = [
        piece
        for piece in markup.split("<")
        if len(piece) > _LONG_CHARACTERS and ">" not in piece[:_LONG_CHARACTERS]
    ]
    return _LONG_TAG.sub(_cut, markup) if long else markup


def _cut(match: re.Match[str]) -> str:
    pieces = _WORDS.finditer(match[0])
    for n_before, piece in enumerate(pieces):
        if n_before > MAX_ATTRIBUTES:
            return match[0][: piece.start()]
    return match[0]
