"""Sentence boundaries by rules: text in, trimmed half-open spans out.

Candidates are runs of stops with the closing quotes, brackets and footnote marks after them; every
line feed is a boundary, for line feeds are paragraph breaks ("text.</p><p>Another" are two
sentences). A candidate falls by what stands before it (a title, a numbering word before a digit, an
initial, an abbreviation) and by what follows (a lower-case word). Written for news style; on the
treebanks and on South African news see `tests/quality/test_quality_text.py`.
"""

import re

from extraction.text.abbreviations import (
    ABBREVIATIONS,
    AFTER_CLOCK,
    AFTER_NAMES,
    BEFORE_ME,
    CLOCK,
    DATES,
    ENDING,
    LINKING,
    NUMBERING,
    STARTERS,
    TITLES,
    UNITS,
)
from extraction.text.tokens import Span

# Every candidate begins with one of these signs, which lets the engine skip all others at once. A
# line feed; a stop behind a plain word, before a capital; stops, closers and footnote marks ([6],
# [12][13]) before white space; or a stop with the space forgotten after it.
_STOP = r"[\n.!?…。！？۔।]"
_PLAIN = r"(?<=[a-z]{3}\.)(?<![b-df-hj-np-tv-xz]{3}\.)(?P<plain>(?= [A-Z]))"
_STOPS = r"(?:(?<=[.!?…])[.!?…]*|(?<=[。！？۔।]))(?P<closers>[\"'”’»)\]}]*)"
_FOOTNOTES = r"(?: ?\[\d{1,3}\])*"
_EMOTICON = r"(?: [:;]-?[()DP](?!\S))?"
_GLUED = r"(?<=[a-z]{3}[.!?])(?=[A-Z][a-z]+ )"
_CANDIDATE = re.compile(
    rf"{_STOP}(?:{_PLAIN}|(?<=\n)|{_STOPS}{_FOOTNOTES}{_EMOTICON}(?=[ \n]|$)|{_GLUED})"
)
# The first sign of the next word, its opening quotes and brackets skipped.
_NEXT_WORD = re.compile(r"[ \n]*[\"'“‘«(\[{*–—-]* ?(?P<word>[^\s.,;:!?)\]\"”]+)?")
_INITIALS = re.compile(r"(?:[^\W\d_]\.-?)*[^\W\d_]")
# Lower-case class prefixes of the Nguni languages stand before the capital: eThekwini, uMnu, iSABC,
# isiZulu.
_NGUNI_PREFIX = re.compile(r"[A-Za-z][a-z]{0,3}-?(?=[A-Z])")
_NGUNI_CAPITAL = re.compile(r"[a-z]{1,4}-?[A-Z]")
_ATTRIBUTION = re.compile(
    r" ?(?:[A-Z][\w’'-]*\.? ){1,4}"
    r"(?:said|says|asked|asks|added|told|wrote|shouted|replied|vra|sê)\b"
)
_OPENERS = "\"'“‘«([{*–—-/."
_LONGEST_ITEM_NUMBER = 3  # digits of “12.” before an item of a list; a year has four
_LONGEST_OPENING = 3  # "((" before the first word of a sentence
# "On the evening of 3 Oct. Parliament met": so many words may stand before a date that opens a
# sentence (South African news of the tests: 2 to 4).
_OPENING_DATE_WORDS = 3
# More characters than any such words have; a bound, so that the time stays linear in the text.
_OPENING_CHARS = 100
_BEFORE_CODES = frozenset({"no", "nos", "nr", "reg"})
# The Afrikaans article opens a sentence where a capital follows: 'n Man, ’n Vrou. Plain and opening
# apostrophes count among the quotes before a word.
_ARTICLES = frozenset({"n", "’n", "ʼn"})
# "b) The second", "iv) The fourth": an item of a list that runs on in one line.
_ITEM = re.compile(r"[ \n]*\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})\) ?[A-Z\d“\"'‘]")
_VOWEL = re.compile("[aeiouyàáâäèéêëìíîïòóôöùúûüý]")


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
        stops, end = match.span()
        if match.group("plain") is not None:
            previous = text[max(text.rfind(" ", start, stops) + 1, start) : stops]
            is_boundary = (previous.islower() and previous not in ABBREVIATIONS) or _is_boundary(
                text, start, match
            )
        else:
            is_boundary = text[stops] == "\n" or _is_boundary(text, start, match)
        if is_boundary:
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
    if following is None or word is None:
        return text[end : end + 2].strip() != ""
    if word in _ARTICLES:
        return text[following.end() : following.end() + 2].strip().isupper()
    if text.startswith(")", following.end()) and _ITEM.match(text, end):
        return True
    if word[0].islower() and not _NGUNI_CAPITAL.match(word):
        return _is_lower_style(text, start, match)
    if text[stops] != "." or text.startswith("..", stops):
        return not (match.group("closers") and _ATTRIBUTION.match(text, end))
    return _is_end(text, start, stops, word)


def _is_end(text: str, start: int, stop: int, word: str) -> bool:
    """Judge a single full stop before `word`, of the sentence that began at `start`."""
    previous = text[max(text.rfind(" ", start, stop) + 1, start) : stop].lstrip(_OPENERS)
    first = stop - len(previous)
    is_alone = first - start <= _LONGEST_OPENING and not text[start:first].strip("( ")
    if previous.isdigit():
        # "1. The council resolved": the number of a list item is no sentence.
        return len(previous) > _LONGEST_ITEM_NUMBER or not is_alone
    if text.startswith(")", stop + 1) and text.startswith("(", first - 1):
        # Supt. (ret.) Piet Byleveld, but: (Yes.) No one remembers.
        return is_alone or word in STARTERS
    before = text[max(start, stop - _OPENING_CHARS) : first]
    return not previous or _ends_sentence(previous, word, before)


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


def _ends_sentence(previous: str, word: str, before: str) -> bool:
    """Judge a full stop between the words `previous` and `word` (a capital or a number).

    `before` is what stands in the sentence before `previous`, the end of it where it is long.
    """
    lower = previous.lower()
    is_numbering = lower in NUMBERING and _is_number(word, previous)
    if is_numbering or lower in LINKING or _is_title(previous, before):
        return False
    if lower in CLOCK:
        return word not in AFTER_CLOCK
    if _INITIALS.fullmatch(previous):
        # "R890 p.p. Hugh sang": initials of names are capitals.
        return previous == "I" or word in STARTERS or (previous.islower() and "." in previous)
    if word in STARTERS or lower in AFTER_NAMES or _is_unit(previous, word, before):
        return True
    if lower in DATES:
        return before.count(" ") > _OPENING_DATE_WORDS
    return lower not in ENDING and not _is_clipped(previous)


def _is_clipped(previous: str) -> bool:
    """Whether a word in small letters has no vowel, as Rd, wkts and Blvd have none."""
    return previous.isalpha() and previous[1:].islower() and not _VOWEL.search(previous.lower())


def _is_number(word: str, previous: str) -> bool:
    """Whether a word goes with a numbering word: a number, Section D, case no. CCT 24/94."""
    return (
        word[0].isdigit()
        or (len(word) == 1 and word not in "AI")
        or (previous in _BEFORE_CODES and len(word) > 1 and word.isupper())
    )


def _is_unit(previous: str, word: str, before: str) -> bool:
    """Whether a word is a unit behind a number, and what follows a word of its own."""
    return (
        previous in UNITS and _last_word(before)[:1].isdigit() and word.istitle() and len(word) > 1
    )


def _last_word(before: str) -> str:
    return (before.split() or [""])[-1]


def _is_title(previous: str, before: str) -> bool:
    """Whether a word is a title before a name."""
    if previous in TITLES:
        return True
    if previous == "me":
        return _last_word(before) in BEFORE_ME
    prefix = _NGUNI_PREFIX.match(previous)
    return prefix is not None and previous[prefix.end() :] in TITLES
