"""Tags with thousands of attributes, and too many tags, cut down before a parser sees them.

libxml2 compares each attribute of a tag with all others: 100,000 of them take a minute. The longest
real tags carry much data in a few attributes, so those are left alone.
"""

import re
from itertools import islice

# Real tags have up to some 60 attributes; a page's data may be a megabyte in one of them.
MAX_ATTRIBUTES = 500
_LONG_CHARACTERS = 4_000  # too few for more attributes than that: eight characters each
_LEAST_CHARACTERS = 2  # of an attribute, with what parts it from the next
_BLOCK_CHARACTERS = _LONG_CHARACTERS // 2
_LONG_TAG = re.compile(rf"<[a-zA-Z][^<>]{{{_LONG_CHARACTERS},}}")
_WORDS = re.compile(r"\S+\s*")
# As libxml2 reads them: quoted values and slashes end an attribute without a blank.
_ATTRIBUTE = re.compile(r"""[^\s/>"'=][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"?|'[^']*+'?|[^\s>]*+))?""")
# Brackets within quotes end no tag. A tag of fewer values takes half a second,
# so only pages with more are searched for such tags.
_MANY_VALUES = 20_000
_QUOTING_TAG = re.compile(r"""<[a-zA-Z](?:[^<>"']++|"[^"]*+"?|'[^']*+'?)*+""")


# The largest page has 13,000 of these; a million paragraphs would take two seconds. The
# outline looks at fewer elements than that.
MAX_BRACKETS = 200_000


def first_tags(markup: str) -> str:
    """Leave out what stands behind the last bracket that is read."""
    if markup.count("<") <= MAX_BRACKETS:
        return markup
    return markup[: -len(markup.split("<", MAX_BRACKETS)[-1]) - 1]


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
    if _has_long_tag(markup):
        markup = _LONG_TAG.sub(_cut, markup)
    if markup.count("=") > _MANY_VALUES:
        markup = _QUOTING_TAG.sub(_with_first_attributes, markup)
    return markup


def _has_long_tag(markup: str) -> bool:
    """Whether a tag is that long: tells so of nearly every page at a fifteenth of a search's time.

    Such a tag leaves one of the page's blocks of half its length without a bracket.
    """
    start = 0
    while (end := start + _BLOCK_CHARACTERS) <= len(markup):
        if markup.find("<", start, end) >= 0 or markup.find(">", start, end) >= 0:
            start = end
            continue
        opening = markup.rfind("<", 0, start)
        if opening >= 0 and _LONG_TAG.match(markup, opening):
            return True
        start = markup.find("<", end)  # no bracket begins a tag before
        if start < 0:
            return False
    return False


def _cut(match: re.Match[str]) -> str:
    last = next(islice(_WORDS.finditer(match[0]), MAX_ATTRIBUTES + 1, None), None)
    return match[0][: last.start()] if last else _with_first_attributes(match)


def _with_first_attributes(match: re.Match[str]) -> str:
    if len(match[0]) < _LEAST_CHARACTERS * MAX_ATTRIBUTES:
        return match[0]
    last = next(islice(_ATTRIBUTE.finditer(match[0]), MAX_ATTRIBUTES + 1, None), None)
    return match[0][: last.start()] if last else match[0]
