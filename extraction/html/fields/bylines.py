"""Bylines that lines of a page show near its headline or at its end, whatever their markup is.

A byline says so by its words ("By …", "Autor: …"), leads to the page of an author, or stands as a
bare name between the headline and a date. What is behind them are raw values, for `names`.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import unquote, urlsplit

from extraction.html.fields.byline_words import AND, BY, DONE, LABEL, PICTURE, WORDS
from extraction.html.fields.headline import stands_elsewhere
from extraction.html.fields.names import (
    clean_names,
    desk_names,
    is_person_like,
    without_date,
)
from extraction.html.fields.publication_dates import date_in
from extraction.html.markup.class_words import Hint
from extraction.html.markup.elements import text_of
from extraction.html.markup.outline import HEADING_TAGS, Outline, OutlineLine, tag_bit
from extraction.text.plain_words import squeezed

# A byline stands within these many lines of the headline, those of menus not counted.
_LINES_BEFORE, _LINES_AFTER = 3, 15
_MAX_LINES_SEEN = 500  # menus between headline and text are not longer
_MAX_LINE_CHARACTERS = 100  # a longer line is no byline
# "By …" at the start of a line or of a sentence-like piece in it, "… 5 June 2024 by …".
_BY = re.compile(
    rf"(?:^(?:\w+\s+){{0,2}}(?:(?:{DONE})\s+)?|(?<=[\d|·•:–—-])\s*(?:\w+\s)?(?:(?:{DONE})\s+)?)"
    rf"(?:{BY})\b:?\s+(?=\S)|^By(?=[A-Z][a-z.])|\b(?:{LABEL})\s?[:：/／]\s*(?=\S)",
    re.IGNORECASE,
)
# A line that is all label; the name is the next one.
_LABEL_ALONE = re.compile(
    rf"(?:(?:{DONE})\s)?(?:{BY})\s?:?$|(?:{LABEL})\s?[:：]$|(?:authors?|autor(?:in|en)?|auteur)$",
    re.IGNORECASE,
)
_LABEL_CHARACTERS = 25
# The label of a byline at the end of an article; here a plain "by" would be any sentence.
_SIGNED = re.compile(
    rf"[(（\[]?(?:(?:{LABEL})\s?[:：/／]\s*|(?:written|researched|posted|published|gepostet|"
    rf"eingestellt|geschrieben|verfasst|geskryf|geplaas|escrito|publicado|publié|écrit|"
    rf"ibhalwe|author|autor(?:in|en|innen)?|authors)\s(?:(?:{BY})\s)?)(?=\S)",
    re.IGNORECASE,
)
# "Words: …", "Woorde en foto's: …" at the start of a line that is no heading: titles begin so too.
# The colon tells them from what somebody said, "Palabras de …"; pictures do as well.
_WORDS = re.compile(
    rf"^(?:{WORDS})(?:\s?[:：]|\s?(?:&|\+|,|/|{AND})\s?(?:{PICTURE})s?\s?(?:[:：]|(?:{BY})\b:?))"
    r"\s*(?=\S)",
    re.IGNORECASE,
)
# Who made the pictures stands behind.
_PICTURES_TOO = re.compile(rf"\b(?:{PICTURE})s?\s?(?:[:：]|(?:{BY})\b)", re.IGNORECASE)
# Where no person is named the line has to begin like a byline, and to hold nothing but it.
_HOUSE = re.compile(
    rf"^(?:(?:{DONE})\s+)?(?:by|von|par|por|door|deur|av|af|od|przez|ngu)\b:?\s+(?=\S)|"
    rf"^(?:{LABEL})\s?[:：]\s*(?=\S)",
    re.IGNORECASE,
)
_HOUSE_BEFORE, _HOUSE_AFTER = 2, 8
# So near below the headline a bare name stands (above it: sections), no longer with its date.
_BARE_AFTER = 6
_MAX_BARE_CHARACTERS = 80
_PIECES = re.compile(r"[|·•∙/]|\s[–—-]\s|(?<=\d),\s|,\s(?=\d)")
_PICTURE = re.compile(rf"\b(?:{PICTURE})", re.IGNORECASE)
# Directories of addresses that hold a page for each author.
_AUTHOR_PAGE = re.compile(
    r"[/?&=_.-](?:authors?|autor(?:en|es|as?|i)?|auteurs?|autore|autorzy|writers?|contributors?|"
    r"contributeurs?|staff|journalistes?|journalists?|reporters?|redaktion|redakteur(?:e|in|innen)?|"
    r"redaktionsteam|korrespondenten|forfatter|skribenter?|skrywers?|people|persons?|personen|"
    r"profiles?|profil|perfil|members?|mitglied(?:er)?|users?|bio|bylines?|producers?|"
    r"columnists?|experts?|experten|creators?|newsteam|team)[/=_.-]|/@\w",
    re.IGNORECASE,
)
# … and what readers do there with their own account.
_OWN_ACCOUNT = re.compile(
    r"log-?in|sign-?(?:in|up|out)|logout|reg(?:ist\w{0,8})?[_/-]", re.IGNORECASE
)
# Lines from the headline within which an author's link is the article's.
_LINKS_BEFORE, _LINKS_AFTER = 4, 10
_MAX_LINK_CHARACTERS = 60
_MAX_OTHER_WORDS = 4  # of a house, an agency or a desk behind "By"
_ELSEWHERE = (Hint.COMMENTS | Hint.RELATED).value
_MENU = (Hint.COMMENTS | Hint.RELATED | Hint.NAVIGATION).value
_NAVIGATION = Hint.NAVIGATION.value
_FRAME = tag_bit("nav") | tag_bit("footer") | tag_bit("figure") | tag_bit("figcaption")


def byline_of_lines(outline: Outline, headline: int | None) -> list[str]:
    """Find people in a byline without markup of its own: a short line by the headline, "By …"."""
    if headline is None:
        return []
    return _signed_line(outline, _near(outline, headline), _by, headline)


def signature_of_lines(outline: Outline, headline: int | None) -> list[str]:
    """Find people in the line that signs the article, mostly at its end: "Author: …"."""
    positions = range(headline or 0, len(outline.lines))
    return _signed_line(outline, iter(positions), _signed, headline)


def house_of_lines(outline: Outline, headline: int | None) -> list[str]:
    """Find who signs by the headline and is no person by name: an agency, a desk, an account."""
    if headline is None:
        return []
    node = outline.lines[headline].node
    for position in _near(outline, headline, _HOUSE_BEFORE, _HOUSE_AFTER):
        line = outline.lines[position]
        match = _HOUSE.match(line.text) if _can_be_byline(line) else None
        if match is None or stands_elsewhere(outline, line.node, _ELSEWHERE, node):
            continue
        rest = without_date(line.text[match.end() :]).strip(" .,|·•–—-")
        names = clean_names([rest])
        if any(map(is_person_like, names)):
            return []
        found = [*filter(_is_house, names), *desk_names([rest])]
        if found and squeezed(rest) == squeezed("".join(found)):
            return found
    return []


def linked_names(outline: Outline, headline: int | None) -> list[str]:
    """Find people by the headline whose names lead to the page of an author."""
    if headline is None:
        return []
    node = outline.lines[headline].node
    found = []
    for position in _near(outline, headline, _LINKS_BEFORE, _LINKS_AFTER):
        line = outline.lines[position]
        if not line.n_link_chars or not _can_be_byline(line):
            continue
        for index in _links_of(outline, position):
            text = text_of(outline.elements[index], " ")
            if len(text) > _MAX_LINK_CHARACTERS or stands_elsewhere(outline, index, _MENU, node):
                continue
            names = clean_names([text])
            # A name in one word may as well be a button, in Chinese too.
            if names and all(" " in name and is_person_like(name) for name in names):
                found.append(text)
    return found


def _links_of(outline: Outline, position: int) -> Iterator[int]:
    """Elements of a line that lead to authors, outside of menus, figures and the page's foot."""
    starts = outline.first_line
    for index in range(bisect_left(starts, position), bisect_right(starts, position)):
        if outline.tags[index] != "a" or outline.tag_bits[index] & _FRAME:
            continue
        if leads_to_author(outline.elements[index].get("href") or ""):
            yield index


def _can_be_byline(line: OutlineLine) -> bool:
    return len(line.text) <= _MAX_LINE_CHARACTERS and not _PICTURE.search(line.text)


def bare_names(outline: Outline, headline: int | None) -> list[str]:
    """Find people whose names stand alone beside a date, next to the headline.

    Names of sections do so too: what a menu of the page holds, or leads elsewhere than to an
    author, is none.
    """
    if headline is None:
        return []
    lines, node = outline.lines, outline.lines[headline].node
    positions = list(_near(outline, headline, 0, _BARE_AFTER))
    dated = {position for position in positions if _is_date(lines[position])}
    found = []
    for position in positions:
        line = lines[position]
        if not dated & {position - 1, position, position + 1} or position == headline:
            continue
        if not _may_be_name(outline, position) or stands_elsewhere(outline, line.node, _MENU, node):
            continue
        names = _whole_names(line.text)
        if names and not _in_menu(outline, names, node):
            found.extend(names)
    return found


def _is_date(line: OutlineLine) -> bool:
    return len(line.text) <= _MAX_BARE_CHARACTERS and date_in(line.text) is not None


def _may_be_name(outline: Outline, position: int) -> bool:
    line = outline.lines[position]
    if len(line.text) > _MAX_BARE_CHARACTERS or outline.tags[line.node] in HEADING_TAGS:
        return False
    if outline.tag_bits[line.node] & _FRAME or ":" in line.text or _PICTURE.search(line.text):
        return False
    return not line.n_link_chars or any(True for _ in _links_of(outline, position))


def _whole_names(text: str) -> list[str]:
    """Names of people that a line consists of, apart from dates and other pieces with figures."""
    pieces = [piece.strip() for piece in _PIECES.split(text)]
    pieces = [piece for piece in pieces if not any(map(str.isdigit, piece))]
    names = clean_names(pieces)
    are_people = all(" " in name and is_person_like(name) for name in names)
    return list(names) if are_people and len(names) == len(pieces) else []


def _in_menu(outline: Outline, names: Sequence[str], headline: int) -> bool:
    """Whether a menu of the page holds one of the names; `headline` is an element."""
    wanted = set(names)
    return any(
        line.text in wanted and stands_elsewhere(outline, line.node, _NAVIGATION, headline)
        for line in outline.lines
    )


def leads_to_author(address: str) -> bool:
    """Whether an address is that of a page about an author, by its directories.

    Examples
    --------
    >>> [leads_to_author(one) for one in ("/autoren/piet-louw", "/@pietl", "/topics/piet-louw")]
    [True, True, False]
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    # Behind "http" an address in the query begins: of the page that is shared or reported.
    path = unquote(f"/{parts.path}?{parts.query.partition('http')[0]}")
    return _AUTHOR_PAGE.search(path) is not None and not _OWN_ACCOUNT.search(path)


def _near(
    outline: Outline, headline: int, before: int = _LINES_BEFORE, after: int = _LINES_AFTER
) -> Iterator[int]:
    """Positions of lines around the headline in their order; those of menus are passed over."""
    node = outline.lines[headline].node
    yield from range(max(headline - before, 0), headline + 1)
    n_left = after
    for position in range(headline + 1, min(headline + _MAX_LINES_SEEN, len(outline.lines))):
        if stands_elsewhere(outline, outline.lines[position].node, _NAVIGATION, node):
            continue
        n_left -= 1
        if not n_left:
            break
        yield position


def _by(text: str) -> str | None:
    match = _BY.search(text)
    return text[match.end() :] if match else None


def _signed(text: str) -> str | None:
    match = _SIGNED.match(text)
    return text[match.end() :] if match else None


def _behind_words(text: str) -> str | None:
    """Return what stands behind "Words:", without who made the pictures."""
    text = text.replace("’", "'")
    match = _WORDS.match(text)
    return _PICTURES_TOO.split(text[match.end() :])[0] if match else None


def _signed_line(
    outline: Outline,
    positions: Iterator[int],
    rest_of: Callable[[str], str | None],
    headline: int | None,
) -> list[str]:
    """People named behind the label in the first short line that names any.

    Beside the headline it counts in whatever box it stands.
    """
    node = outline.lines[headline].node if headline is not None else None
    beside = () if headline is None else (headline - 1, headline + 1)
    for position in positions:
        line = outline.lines[position]
        if len(line.text) > _MAX_LINE_CHARACTERS:
            continue
        rest = rest_of(line.text)
        if rest is None and outline.tags[line.node] not in HEADING_TAGS:
            rest = _behind_words(line.text)
        if rest is None and len(line.text) <= _LABEL_CHARACTERS and _LABEL_ALONE.match(line.text):
            rest = _text_below(outline, position)
        if rest is None or (
            position not in beside and stands_elsewhere(outline, line.node, _ELSEWHERE, node)
        ):
            continue
        found = clean_names([rest])
        if found and is_person_like(found[0]):
            return [name for name in found if is_person_like(name)]
    return []


def _text_below(outline: Outline, position: int) -> str | None:
    """Text of the next line where one box holds both lines."""
    below = outline.lines[position + 1 : position + 2]
    if not below or outline.tags[below[0].node] in HEADING_TAGS:
        return None
    box = max(outline.parents[outline.lines[position].node], 0)
    if not box <= below[0].node < outline.ends[box]:
        return None
    return below[0].text if len(below[0].text) <= _MAX_LINE_CHARACTERS else None


def _is_house(name: str) -> bool:
    """Whether what stands behind "By" can be a house, an agency, a first name or an account."""
    words = name.split()
    if len(words) == 1:
        return True
    return len(words) <= _MAX_OTHER_WORDS and all(word[:1].isupper() for word in words)
