"""CoNLL-U: `# newdoc` begins a text, `# newpar` a paragraph; `# text` is taken as it stands.

Where a sentence has no `# text`, its words are put together, white space by `SpaceAfter=No`. What
is said of a text stands in `# meta::name = value` behind its `# newdoc`. Lemmas and tags are not
kept. https://universaldependencies.org/format.html
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from search.engine.given.columns import TEXT, field_of, note, own_values, text_of
from search.engine.given.lines import Line
from search.engine.given.texts import MAX_TEXT_BYTES, GivenText, Problem, Understood

N_COLUMNS = 10
_FORM, _MISC = 1, 9
_NO_SPACE = "SpaceAfter=No"
_META = "meta::"
# Of a word, of a range of words that are one token, of an empty node.
_ID = re.compile(r"([0-9]{1,9})(?:([-.])([0-9]{1,9}))?")


def read_conllu_texts(
    lines: Iterable[Line], chosen: Mapping[str, str], told: Understood
) -> Iterator[GivenText | Problem]:
    """Read a text for each `# newdoc`, or one of a file without; a broken one is left out."""
    text = _OpenText(1, "")
    for number, line in lines:
        key, value = _comment(line)
        if key in ("newdoc", "newdoc id"):
            yield from text.closed()
            text = _OpenText(number, value)
        elif key.startswith(_META) or (key in ("newdoc_title", "title") and value):
            name = key.removeprefix(_META)
            field = field_of(name, chosen)
            note(told, name, "" if field == TEXT else field)
            if field and field != TEXT:
                text.values.setdefault(field, value)
            elif not field:
                text.own += own_values([(name, value)], told)
        else:
            text.take(line, key, value, number)
    yield from text.closed()


def _comment(line: str | Problem) -> tuple[str, str]:
    if isinstance(line, Problem) or not line.startswith("#"):
        return "", ""
    key, _, value = line[1:].partition("=")
    return key.strip(), value.strip()


class _OpenText:
    def __init__(self, line: int, name: str) -> None:
        self.values = {"name": name} if name else {}
        self.own: tuple[tuple[str, str], ...] = ()
        self._line = line
        self._paragraphs: list[list[str]] = [[]]
        self._said = ""  # the `# text` of the open sentence
        self._words: list[str] = []
        self._n_of_words = 0  # characters
        self._last_of_range = 0
        self._n_characters = 0
        self._problem: Problem | None = None

    def take(self, line: str | Problem, key: str, value: str, number: int) -> None:
        if isinstance(line, Problem):
            self._problem = self._problem or line
        elif key == "text":
            self._said = value
        elif key.startswith("newpar"):
            self._end_sentence()
            if self._paragraphs[-1]:
                self._paragraphs.append([])
        elif not line.strip():
            self._end_sentence()
        elif not line.startswith("#"):
            self._word(line.split("\t"), number)

    def _word(self, cells: list[str], number: int) -> None:
        if len(cells) != N_COLUMNS:
            words = f"{len(cells)} columns instead of {N_COLUMNS}"
            self._problem = self._problem or Problem(number, words)
            return
        found = _ID.fullmatch(cells[0])
        if found is None:
            words = f"“{cells[0][:40]}” is no number of a word"
            self._problem = self._problem or Problem(number, words)
            return
        first, sign, last = found.groups()
        if sign == "." or (not sign and int(first) <= self._last_of_range):
            return  # an empty node, or a word that its range has given
        if sign:
            self._last_of_range = int(last)
        is_glued = _NO_SPACE in cells[_MISC].split("|")
        self._words.append(cells[_FORM] if is_glued else f"{cells[_FORM]} ")
        self._n_of_words += len(self._words[-1])
        if self._n_of_words > MAX_TEXT_BYTES:
            self._refuse()

    def _end_sentence(self) -> None:
        sentence = self._said or "".join(self._words).strip()
        self._said, self._words, self._n_of_words, self._last_of_range = "", [], 0, 0
        if sentence:
            self._n_characters += len(sentence) + 1
            self._paragraphs[-1].append(sentence)
        if self._n_characters > MAX_TEXT_BYTES:
            self._refuse()

    def _refuse(self) -> None:
        words = f"a text of more than {MAX_TEXT_BYTES:,} characters"
        self._problem = self._problem or Problem(self._line, words)
        self._paragraphs, self._words, self._n_of_words = [[]], [], 0

    def closed(self) -> Iterator[GivenText | Problem]:
        self._end_sentence()
        text = "\n".join(" ".join(sentences) for sentences in self._paragraphs if sentences)
        if self._problem is not None:
            where = f"; the text that begins in line {self._line} is left out"
            yield Problem(self._problem.line, self._problem.words + where)
        elif text:
            yield text_of({**self.values, TEXT: text}, self._line, tuple(dict(self.own).items()))
        elif self.values:
            yield Problem(self._line, "the text that begins here has no words")
