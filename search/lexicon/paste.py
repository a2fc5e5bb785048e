"""A pasted list of words → what would become of each line: new, changed, the same, or refused.

A line holds word, tags, lemma, language of origin, meaning and source, separated by tabs, or by
semicolons where there is no tab; what is missing at the end stays as the entry or the shipped list
has it. It is what the export gives; its head is passed over.
"""

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum

from presentation.wording.figures import grouped
from search.engine.annotation.lexicon import LexiconError
from search.lexicon.changes import EntryValues, values_of
from search.lexicon.rows import shipped_values
from search.models import LexiconEntry

# 2,000 words are found in the index in some two seconds.
MOST_LINES = 2_000
MOST_CHARS = 400_000
COLUMNS = ("word", "tags", "lemma", "language_of_origin", "meaning", "source")
_LONGEST = {"language_of_origin": 40, "note": 2_000, "source": 200}
_FIELDS = ("word", "tag", "lemma", "language_of_origin", "note", "source")


class LineFate(StrEnum):
    """What saving does with a line."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class PastedLine:
    """One line with its number from 1; `values` are None when it is refused, with the reason.

    `before` is what a changed line replaces, in words.
    """

    number: int
    text: str
    fate: LineFate
    values: EntryValues | None = None
    before: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PastedList:
    """All lines that say something; `reason` tells why the whole was refused."""

    lines: tuple[PastedLine, ...] = ()
    reason: str = ""

    @property
    def counts(self) -> dict[str, int]:
        found = Counter(line.fate for line in self.lines)
        return {fate.value: found[fate] for fate in LineFate}

    @property
    def to_save(self) -> list[EntryValues]:
        wanted = (LineFate.NEW, LineFate.CHANGED)
        return [line.values for line in self.lines if line.values and line.fate in wanted]


def read_paste(text: str) -> PastedList:
    """Read a pasted list and compare it with the entries there are; nothing is written."""
    if len(text) > MOST_CHARS:
        return PastedList(
            reason=f"This is a text of {grouped(len(text))} characters; "
            f"a list may have {grouped(MOST_CHARS)}."
        )
    numbered = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if len(numbered) > MOST_LINES:
        return PastedList(
            reason=f"These are {grouped(len(numbered))} lines; "
            f"at most {grouped(MOST_LINES)} go at a time."
        )
    if numbered and _cells(numbered[0][1])[:2] == ["word", "tags"]:
        del numbered[0]
    if not numbered:
        return PastedList(reason="There is no word in it.")
    entries = {
        entry.word.lower(): values_of(entry)
        for entry in LexiconEntry.objects.filter(is_active=True)
    }
    seen: dict[str, int] = {}
    return PastedList(tuple(_line(number, line, entries, seen) for number, line in numbered))


def _line(
    number: int, text: str, entries: dict[str, EntryValues], seen: dict[str, int]
) -> PastedLine:
    cells = _cells(text)
    try:
        values = _values(cells, entries)
    except LexiconError as error:
        return PastedLine(number, text, LineFate.REFUSED, reason=str(error))
    folded = values.word.lower()
    if folded in seen:
        return PastedLine(number, text, LineFate.REFUSED, reason=f"As line {seen[folded]} has it.")
    seen[folded] = number
    fate, before = _compare(values, entries.get(folded), shipped_values().get(folded))
    return PastedLine(number, text, fate, values, before)


def _compare(
    values: EntryValues, entry: EntryValues | None, shipped: EntryValues | None
) -> tuple[LineFate, str]:
    """Say what a line does to the editors' entry, or else to the shipped one, and what that was."""
    if entry:
        if entry == values:
            return LineFate.SAME, ""
        return LineFate.CHANGED, f"was {entry.word} {entry.tag} {entry.lemma}"
    if shipped is None:
        return LineFate.NEW, ""
    if replace(values, source="") == shipped:
        return LineFate.SAME, ""
    is_same_lemma = values.lemma == shipped.lemma
    lemma = "" if is_same_lemma or not shipped.lemma else f", lemma {shipped.lemma}"
    return LineFate.CHANGED, f"replaces the shipped {shipped.tag}{lemma}"


def _cells(line: str) -> list[str]:
    # The export puts an apostrophe before what a spreadsheet would take for a formula.
    cells = [cell.strip() for cell in line.split("\t" if "\t" in line else ";")]
    return [
        cell[1:] if cell.startswith("'") and cell[1:2] in "=+-@" and len(cell) > 1 else cell
        for cell in cells
    ]


def _values(cells: list[str], entries: dict[str, EntryValues]) -> EntryValues:
    if len(cells) > len(_FIELDS):
        raise LexiconError(f"{len(cells)} columns; there are {len(_FIELDS)}.")
    if len(cells) < 2:
        raise LexiconError("A tag is missing: write word, tab, tag.")
    given = dict(zip(_FIELDS, cells, strict=False))
    for name, most in _LONGEST.items():
        if len(given.get(name, "")) > most:
            raise LexiconError(f"The {name.replace('_', ' ')} has more than {most} characters.")
    if not all(sign.isprintable() for cell in cells for sign in cell):
        raise LexiconError("There is a character in it that cannot be seen.")
    parsed = EntryValues(**given).parsed()
    known = entries.get(parsed.word.lower()) or shipped_values().get(parsed.word.lower())
    kept = {name: getattr(known, name) for name in _FIELDS[2:]} if known else {}
    own = {"word": parsed.word, "tag": parsed.tag}
    if "lemma" in given:
        own["lemma"] = parsed.lemma
    return EntryValues(**(kept | given | own))
