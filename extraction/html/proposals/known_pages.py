"""Stored pages whose values are known, and where on the page these stand.

The values (title, authors, day, text) come from an earlier extraction, the feed,
JSON-LD or an editor. Comparison forgives what does not matter: case, punctuation, white space, a
"By" before a name.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from lxml import etree

from extraction.html.fields.dates import choose_date
from extraction.html.fields.field_candidates import ANY_TIME
from extraction.html.markup.cleaning import clean
from extraction.html.markup.decode import decode_html
from extraction.html.markup.elements import attribute, is_element
from extraction.html.markup.outline import Outline
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html
from extraction.html.markup.unpacking import unpack_templates
from extraction.html.proposals.selectors import PageIndex
from extraction.html.site_rules.apply_rules import remove_ruled
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind, SiteRules, value_of

_TOKEN = re.compile(
    r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
    r"|[^\W\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"
)
# Runs of this many tokens are hardly chance; a shorter line must be a line of the text.
_RUN_TOKENS = 4
# A byline may say more than the names ("By … in Makhanda"), but not a paragraph.
_BYLINE_TOKENS = 12
# A date's element says little else, and an article page has few of them.
_DATE_CHARACTERS = 80
_NEVER_DATED = frozenset(["script", "style", "link", "img", "option"])
_NAMING_ATTRIBUTES = ("class", "id", "itemprop", "property", "name")
_DATE_WORDS = re.compile(r"date|time|publish|posted|stamp|created|issued", re.IGNORECASE)
_DATED_ELEMENTS = 60
NO_RULES = SiteRules()


@dataclass(frozen=True, slots=True)
class KnownPage:
    """A stored page with what is known of it; an empty field is not known."""

    body: bytes
    content_type: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    day: date | None = None  # of publication, in the publication's own time
    text: str = ""


@dataclass(frozen=True, slots=True)
class KnownValues:
    """A known page parsed for the fields that rules read before cleaning."""

    page: KnownPage
    index: PageIndex


def tokens_of(text: str) -> list[str]:
    """Words of a text, folded; Han, kana and Thai characters one each."""
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())


def read_values(page: KnownPage) -> KnownValues:
    """Parse a known page."""
    return KnownValues(page, PageIndex(parse_html(decode_html(page.body, page.content_type).text)))


def value_in(element: etree._Element, field: RuleField) -> str:
    """Text that a rule for the field would take from an element."""
    return value_of(Rule(field, RuleKind.CSS), element)


def says_known(page: KnownPage, field: RuleField, value: str) -> bool | None:
    """Whether a value is the known one; None where none is known."""
    if field is RuleField.TITLE:
        return tokens_of(value) == tokens_of(page.title) if page.title else None
    if field is RuleField.AUTHOR:
        return _names_all(value, page.authors) if page.authors else None
    if field is RuleField.DATE:
        return _is_day(value, page.day) if page.day else None
    return None


def _names_all(value: str, names: Iterable[str]) -> bool:
    """Whether a byline has all the names and next to nothing else."""
    words = tokens_of(value)
    wanted = [tokens_of(name) for name in names]
    n_wanted = sum(map(len, wanted))
    if not n_wanted or len(words) > n_wanted + 2 * len(wanted):
        return False
    return all(_has_run(words, name) for name in wanted)


def _has_run(words: list[str], run: list[str]) -> bool:
    return any(words[at : at + len(run)] == run for at in range(len(words) - len(run) + 1))


def _is_day(value: str, day: date) -> bool:
    if not value or len(value) > _DATE_CHARACTERS:
        return False
    moment = choose_date([("rule", value)], ANY_TIME).moment
    return moment is not None and moment.date() == day


def holders(known: KnownValues, field: RuleField) -> list[etree._Element]:
    """Smallest elements whose value is the known one, in document order."""
    root = known.index.root
    if field is RuleField.DATE:
        found = [
            element
            for element in _dated(root)
            if says_known(known.page, field, value_in(element, field))
        ]
    else:
        wanted = known.page.title if field is RuleField.TITLE else " ".join(known.page.authors)
        room = 0 if field is RuleField.TITLE else _BYLINE_TOKENS
        found = [
            element
            for element in _short_elements(root, len(tokens_of(wanted)) + room)
            if says_known(known.page, field, value_in(element, field))
        ]
    outer = {parent for element in found if (parent := element.getparent()) is not None}
    return [element for element in found if element not in outer]


def _short_elements(root: etree._Element, n_tokens: int) -> list[etree._Element]:
    """Elements with at most so many words; nothing of a script or style."""
    found = []
    limit = 40 * (n_tokens + 1)
    for element in root.iter(etree.Element):
        if element.tag == "meta":
            text = attribute(element, "content")
        elif element.tag in {"script", "style", "title", "option"}:
            continue
        else:
            text = _beginning(element, limit)
        if text and len(text) < limit and len(tokens_of(text)) <= n_tokens:
            found.append(element)
    return found


def _beginning(element: etree._Element, limit: int) -> str:
    """Text of an element up to some length: that of `body` need not be joined to see its size."""
    parts, n_chars = [], 0
    for part in element.itertext():
        parts.append(str(part))
        n_chars += len(part.strip())
        if n_chars >= limit:
            break
    return " ".join(parts)


def _dated(root: etree._Element) -> list[etree._Element]:
    """Elements that may say a date: those named for it first, then what is short and has digits."""
    named: list[etree._Element] = []
    others: list[etree._Element] = []
    for element in root.iter(etree.Element):
        if element.tag in _NEVER_DATED:
            continue
        names = " ".join(attribute(element, name) for name in _NAMING_ATTRIBUTES)
        if element.tag == "time" or _DATE_WORDS.search(names):
            named.append(element)
        elif len(others) < _DATED_ELEMENTS and _has_digits(_beginning(element, _DATE_CHARACTERS)):
            others.append(element)
    return [*named[:_DATED_ELEMENTS], *others]


def _has_digits(text: str) -> bool:
    return len(text) < _DATE_CHARACTERS and any(character.isdigit() for character in text)


@dataclass(slots=True)
class KnownBody:
    """A known page cleaned and outlined, each line weighed against the known text."""

    page: KnownPage
    index: PageIndex
    outline: Outline
    positions: dict[etree._Element, int]  # element → its index in the outline
    n_tokens: list[int]  # of each line
    n_known: list[int]  # of these, tokens that stand in the known text
    n_wanted: int  # tokens of the known text

    @property
    def total_known(self) -> int:
        return min(sum(self.n_known), self.n_wanted)


def read_body(page: KnownPage, rules: SiteRules = NO_RULES) -> KnownBody:
    """Parse, clean and outline a known page; `rules` are removed first, as in an extraction."""
    root = parse_html(decode_html(page.body, page.content_type).text)
    unpack_templates(root)
    clean(root)
    remove_ruled(rules, root)
    outline = outline_page(root)
    known = tokens_of(page.text)
    runs = {tuple(known[at : at + _RUN_TOKENS]) for at in range(len(known) - _RUN_TOKENS + 1)}
    whole = {tuple(tokens_of(line)) for line in page.text.split("\n")}
    lines = [tokens_of(line.text) for line in outline.lines]
    return KnownBody(
        page=page,
        index=PageIndex(root),
        outline=outline,
        positions={element: at for at, element in enumerate(outline.elements)},
        n_tokens=[len(words) for words in lines],
        n_known=[_known_tokens(words, runs, whole) for words in lines],
        n_wanted=len(known),
    )


def _known_tokens(words: list[str], runs: set[tuple[str, ...]], whole: set[tuple[str, ...]]) -> int:
    if tuple(words) in whole:
        return len(words)
    covered: set[int] = set()
    for at in range(len(words) - _RUN_TOKENS + 1):
        if tuple(words[at : at + _RUN_TOKENS]) in runs:
            covered.update(range(at, at + _RUN_TOKENS))
    return len(covered)


def lines_of(known: KnownBody, elements: Iterable[object]) -> set[int]:
    """Positions of the lines in any of the elements."""
    outline = known.outline
    found: set[int] = set()
    for element in elements:
        at = known.positions.get(element) if is_element(element) else None
        if at is not None:
            found.update(range(outline.first_line[at], outline.end_line[at]))
    return found


def body_score(known: KnownBody, lines: set[int]) -> float:
    """F1 of a choice of lines in tokens, 0 to 1; a text that stands twice counts once."""
    n_chosen = sum(known.n_tokens[at] for at in lines)
    n_hit = min(sum(known.n_known[at] for at in lines), known.n_wanted)
    return 2 * n_hit / (n_chosen + known.n_wanted) if n_chosen + known.n_wanted else 0.0
