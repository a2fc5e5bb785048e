"""Sentence boundaries by rules: text in, trimmed half-open spans out.

Candidates are runs of stops with the closing quotes, brackets and footnote marks after them; every
line feed is a boundary, for line feeds are paragraph breaks ("text.</p><p>Another" are two
sentences, COR-104). A candidate falls by what stands before it (a title, a numbering word before a
digit, an initial, an abbreviation) and by what follows (a lower-case word). Written for news style;
on the treebanks and on South African news see `tests/benchmarks/test_quality_text.py`.
"""

import re

from extraction.text.abbreviations import (
    AFTER_CLOCK,
    CLOCK,
    ENDING,
    LINKING,
    NUMBERING,
    STARTERS,
    TITLES,
)
from extraction.text.tokens import Span

# A line feed; or stops, closers and footnote marks ([6], [12][13]) before white space; or a stop
# with the space forgotten after it.
_STOPS = r"(?:[.!?…]+|[。！？۔।])(?P<closers>[\"'”’»)\]}]*)"
_FOOTNOTES = r"(?: ?\[\d{1,3}\])*"
_EMOTICON = r"(?: [:;]-?[()DP](?!\S))?"
_GLUED = r"(?<=[a-z]{3})[.!?](?=[A-Z][a-z]+ )"
_CANDIDATE = re.compile(rf"\n|{_STOPS}{_FOOTNOTES}{_EMOTICON}(?=[ \n]|$)|{_GLUED}")
# The first sign of the next word, its opening quotes and brackets skipped.
_NEXT_WORD = re.compile(r"[ \n]*[\"'“‘«(\[{*–—-]* ?(?P<word>[^\s.,;:!?)\]\"”]+)?")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
# Lower-case class prefixes of the Nguni languages stand before the capital: eThekwini, uMnu, iSABC,
# isiZulu.
_NGUNI_PREFIX = re.compile(r"[A-Za-z][a-z]{0,3}-?(?=[A-Z])")
_NGUNI_CAPITAL = re.compile(r"[a-z]{1,4}-?[A-Z]")
_ATTRIBUTION = re.compile(
    r" ?(?:[A-Z][\w’'-]*\.? ){1,4}"
    r"(?:said|says|asked|asks|added|told|wrote|shouted|replied|vra|sê)\b"
)
_OPENERS = "\"'“‘«([{*–—-/."
_LONGEST_ITEM_NUMBER = 3


def split_sentences(text: str) -> list[Span]:
    r"""Split a normalised text into sentences.

    Parameters
    ----------
    text
        Text whose line feeds are paragraph breaks.

    Returns
    -------
    list of (int, int)
        Half-open code-point offsets without white space at their ends; ascending, disjoint; every
        character that is not white space lies in one of them. Empty for a text without such
        characters.

    Examples
    --------
    >>> text = 'Adv. Zuma paid R2.5m. "Eish!" said No. 5.\nThe end'
    >>> [text[a:b] for a, b in split_sentences(text)]
    ['Adv. Zuma paid R2.5m.', '"Eish!" said No. 5.', 'The end']
    """
    spans: list[Span] = []
    start = 0
    for match in _CANDIDATE.finditer(text):
        end = match.end()
        if match.group() == "\n" or _is_boundary(text, start, match):
            _add(spans, text, start, end)
            start = end
    _add(spans, text, start, len(text))
    return spans


def _add(spans: list[Span], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append((start, end))


def _is_boundary(text: str, start: int, match: re.Match[str]) -> bool:
    """Judge one candidate of the sentence that began at `start`."""
    stops, end = match.start(), match.end()
    following = _NEXT_WORD.match(text, end)
    word = following.group("word") if following else None
    if word is None:
        return text[end : end + 2].strip() != ""
    if word[0].islower() and not _NGUNI_CAPITAL.match(word):
        return _is_lower_style(text, start, match)
    if text[stops] != "." or text.startswith("..", stops):
        return not (match.group("closers") and _ATTRIBUTION.match(text, end))
    previous = text[max(text.rfind(" ", start, stops) + 1, start) : stops].lstrip(_OPENERS)
    if previous.isdigit():
        # "1. The council resolved": the number of a list item is no sentence.
        return len(previous) > _LONGEST_ITEM_NUMBER or text[start:stops].strip("( ") != previous
    return not previous or _ends_sentence(previous, word)


def _is_lower_style(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether the writer began this sentence in lower case, so that the next may as well.

    Commenters do so; newspapers do not.
    """
    return (
        text[start].islower()
        and not _NGUNI_CAPITAL.match(text, start)
        and len(match.group()) == 1
        and text[match.start() - 1].isalnum()
        and text[max(start, match.start() - 3) : match.start()].isalpha()
    )


def _ends_sentence(previous: str, word: str) -> bool:
    """Judge a full stop between the words `previous` and `word` (a capital or a number)."""
    lower = previous.lower()
    if _is_title(previous) or lower in LINKING or (word[0].isdigit() and lower in NUMBERING):
        return False
    if lower in CLOCK:
        return word not in AFTER_CLOCK
    if _INITIALS.fullmatch(previous):
        return previous == "I" or word in STARTERS
    return lower not in ENDING or word in STARTERS


def _is_title(previous: str) -> bool:
    if previous in TITLES:
        return True
    prefix = _NGUNI_PREFIX.match(previous)
    return prefix is not None and previous[prefix.end() :] in TITLES
