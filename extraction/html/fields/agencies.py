"""News agencies among the names of a byline: they have a field of their own, and are no authors.

Known ones stand in `data/agencies.tsv` with their spellings and sources. Beside these a byline
names a house without a person by one of a few forms, seen on the development pages and in South
African papers: initials before an agency ("det/dpa"), an agency with its staff ("Reuters Staff"),
a house with an unnamed reporter ("Netwerk24-verslaggewer").
"""

import csv
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from extraction.text.plain_words import squeezed

_LIST = Path(__file__).parent / "data" / "agencies.tsv"
_SPELLINGS = "; "
# Who writes for an agency without a name, before or behind it.
_STAFF = (
    r"(?:staff|news|foreign|own)?\s?(?:reporters?|correspondents?|writers?|staff|desk|newsroom)|"
    r"verslaggewers?|korrespondent|redaksie|redaktion|redacci[oó]n|rédaction|news\sagency|agency"
)
_BESIDE = re.compile(rf"^(?:{_STAFF})\s(?=\S)|[\s-](?:{_STAFF})$", re.IGNORECASE)
# "Netwerk24-verslaggewer", "News24 Correspondent": a house has a figure or a second capital in its
# name, or a hyphen binds it to the role. "Court Reporter" has neither.
_HOUSE = re.compile(
    r"(?P<bound>[A-Z][\w.]{2,})-(?i:verslaggewers?|korrespondent|redaksie|span)|"
    r"(?P<named>(?=\w*(?:\d|[A-Z]{2}))[A-Z]\w{2,})\s(?i:reporters?|correspondents?|staff)"
)
_JOINED = re.compile(r"[/＋+]|\s[–—-]\s")
# A name of so few letters may be a person's first name in other letters than capitals: Sid, Hina.
_SHORT = 6
# Initials of an editor beside an agency: three letters or so, small.
_INITIALS = re.compile(r"[a-zäöü]{1,4}")
# Desks that a hyphen binds to the role as it does a house.
_DESKS = frozenset(
    ["sport", "politiek", "hof", "nuus", "sake", "misdaad", "kuns", "senior", "hoof", "vryskut"]
)


@cache
def known_agencies() -> dict[str, str]:
    """Names of the agencies by each of their spellings, longer ones squeezed."""
    found: dict[str, str] = {}
    with _LIST.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            for spelling in (row["name"], *filter(None, row["also"].split(_SPELLINGS))):
                found[_key(spelling)] = row["name"]
                if _is_short(spelling):
                    found[spelling.upper()] = row["name"]
    return found


def _is_short(name: str) -> bool:
    return len(name) <= _SHORT and name.isalpha()


def _key(name: str) -> str:
    return name if _is_short(name) else squeezed(name)


@lru_cache(maxsize=1 << 17)  # all that sign in a corpus are asked for, in every generation
def agency_of(name: str) -> str:
    """Name the agency that a name in a byline is; empty for people and all else.

    Of what it gives it gives the same again, so that agencies are known by their names alone.

    Examples
    --------
    >>> agency_of("Agence France-Presse"), agency_of("Reuters Staff"), agency_of("Thandi Nkosi")
    ('AFP', 'Reuters', '')
    >>> agency_of("Netwerk24-verslaggewer"), agency_of("Court Reporter")
    ('Netwerk24-verslaggewer', '')
    """
    known = known_agencies()
    for spelling in (name, _BESIDE.sub("", name)):
        if found := known.get(_key(spelling), ""):
            return found
    house = _HOUSE.fullmatch(name)
    if house is None:
        return ""
    stem = house["bound"] or house["named"]
    return "" if stem.casefold() in _DESKS else name


def agency_names(written: Iterable[str]) -> list[str]:
    """Name agencies as the list does, each once, in order.

    Examples
    --------
    >>> agency_names(["Agence France-Presse", "Sapa", "AFP"])
    ['AFP', 'SAPA']
    """
    return list(dict.fromkeys(filter(None, map(agency_of, written))))


def part_agencies(names: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Part the names of a byline into authors and agencies as they are written, in order.

    Initials that stand beside an agency alone are an editor's mark and no author.

    Examples
    --------
    >>> part_agencies(["Piet Louw", "AFP/Nampa"])
    (('Piet Louw',), ('AFP', 'Nampa'))
    >>> part_agencies(["det", "dpa"])
    ((), ('dpa',))
    """
    authors: list[str] = []
    agencies: list[str] = []
    for name in names:
        pieces = _pieces(name)
        if not any(map(agency_of, pieces)):
            authors.append(name)
            continue
        for piece in filter(None, pieces):
            (agencies if agency_of(piece) else authors).append(piece)
    if agencies:
        authors = [name for name in authors if not _INITIALS.fullmatch(name)]
    return tuple(dict.fromkeys(authors)), tuple(dict.fromkeys(agencies))


def _pieces(name: str) -> list[str]:
    """Split "AFP/Nampa"; "Sapa-AFP" too, where there is nothing but agencies."""
    if agency_of(name):
        return [name]
    bound = name.split("-")
    if len(bound) > 1 and all(map(agency_of, bound)):
        return bound
    return [piece.strip() for piece in _JOINED.split(name)]
