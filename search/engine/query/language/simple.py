r"""The simple query language → the same syntax tree as CQL.

=====================  ==========================================================================
``heavy rain``         these words in this order (case ignored unless asked for)
``"heavy rain"``       the same, and nothing inside the quotes is special
``rain*``  ``r?n``     ``*`` any characters, ``?`` one; a lone ``*`` is any one token
``lemma:go``           any form of the word (also ``lemma:gr?y``)
``tag:JJ*``            a tag of the corpus' own tag set
``NOUN`` ``VERB`` …    a word class, in capitals: its Penn tags and its universal ones
``light/VERB``         a word with a part of speech or tag; ``lemma:light/VERB`` too
``snow|rain``          either word
``heavy (snow | ice)``  groups with alternatives of several words
``not ..3.. but``      up to three tokens between; ``..2-5..`` two to five
``\*``                  a backslash takes the meaning from the next character
``'n``                  a straight quote finds curly ones too, and they it
=====================  ==========================================================================
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from search.engine.query.ast import (
    Alternatives,
    And,
    Anything,
    Attribute,
    AttributeMatch,
    Condition,
    Or,
    Pattern,
    Query,
    Repetition,
    Sequence,
    Token,
    Within,
)
from search.engine.query.dialect import any_quote, escaped
from search.engine.query.errors import QueryError

# Word classes, under universal names (upos) and plain ones: the Penn tags of English texts, and the
# universal tags of other ones. Penn counts auxiliaries other than modals among verbs and does
# not part subordinating conjunctions from prepositions (IN), so VERB and SCONJ are wide. NOUN has
# names in it in both sets, as NN.* has.
PARTS_OF_SPEECH: dict[str, str] = {
    "NOUN": "NN.*|NOUN|PROPN",
    "NAME": "NNP.*|PROPN",
    "PROPN": "NNP.*|PROPN",
    "VERB": "VB.*|MD|VERB|AUX",
    "AUX": "MD|AUX",
    "ADJ": "JJ.*|ADJ",
    "ADV": "RB.*|WRB|ADV",
    "PRON": "PRP.*|WP.*|EX|PRON",
    "DET": "DT|PDT|WDT|DET",
    "PREP": "IN|TO|ADP",
    "ADP": "IN|TO|ADP",
    "CONJ": "CC|CCONJ",
    "CCONJ": "CC|CCONJ",
    "SCONJ": "IN|SCONJ",
    "NUM": "CD|NUM",
    "PART": "RP|POS|TO|PART",
    "INTJ": "UH|INTJ",
    "SYM": r"SYM|\$|#",
    "PUNCT": r"[^A-Z$#]+|-LRB-|-RRB-|HYPH|NFP|PUNCT",
}
# Behind ``tag:`` only: a lone X is a word, and so is that of Twitter/X. XX is in no class: words
# that nobody tagged have it.
_OTHER_CLASSES = {"X": "FW|ADD|AFX|GW|LS|X"}
# What may stand before a colon, and what follows it.
_NAMES = {"lemma": "a lemma", "tag": "a tag", "pos": "a tag", "word": "a word"}
MAX_GAP = 100
GAP = re.compile(r"\.\.(\d+)(?:-(\d+))?\.\.")


@dataclass(frozen=True, slots=True)
class SimpleOptions:
    """How to read words: case, and the corpus' tokenizer."""

    match_case: bool = False
    tokenize: Callable[[str], list[str]] | None = None


def parse_simple(text: str, options: SimpleOptions) -> Query:
    """Parse a query of the simple language.

    Raises
    ------
    QueryError
    """
    reader = _Reader(text, options)
    pattern = reader.alternatives(opened_at=None)
    has_gap = _spans_a_gap(pattern)
    return Query(pattern, Within("s") if has_gap else None, text=text)


def _spans_a_gap(pattern: Pattern) -> bool:
    """Say whether a pattern has a gap; those are kept within a sentence."""
    if isinstance(pattern, Repetition):
        return True
    if isinstance(pattern, Sequence):
        return any(_spans_a_gap(item) for item in pattern.items)
    if isinstance(pattern, Alternatives):
        return any(_spans_a_gap(choice) for choice in pattern.choices)
    return False


class _Reader:
    """Recursive descent over the characters of a simple query."""

    def __init__(self, text: str, options: SimpleOptions) -> None:
        self._text = text
        self._options = options
        self._at = 0

    def alternatives(self, opened_at: int | None) -> Pattern:
        """Read sequences separated by a free-standing ``|`` up to a closing bracket or the end."""
        choices = [self._sequence()]
        while self._skip_spaces() == "|":
            self._at += 1
            choices.append(self._sequence())
        if opened_at is not None and self._skip_spaces() != ")":
            raise QueryError("The bracket opened here is never closed.", opened_at, (")",))
        if opened_at is None and self._skip_spaces() == ")":
            raise QueryError("This bracket was never opened.", self._at, ("a word",))
        return choices[0] if len(choices) == 1 else Alternatives(tuple(choices))

    def _sequence(self) -> Pattern:
        items: list[Pattern] = []
        while self._skip_spaces() not in ("", ")", "|"):
            items.extend(self._item(bool(items)))
        if not items:
            raise QueryError("A word is missing here.", self._at, ("a word",))
        if isinstance(items[-1], Repetition):
            raise QueryError("A word is missing after the gap.", self._at, ("a word",))
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def _item(self, has_before: bool) -> list[Pattern]:
        start = self._at
        character = self._text[start]
        if character == "(":
            self._at += 1
            inner = self.alternatives(opened_at=start)
            self._at += 1
            return [inner]
        if character == '"':
            return self._quoted()
        gap = GAP.match(self._text, start)
        if gap:
            if not has_before:
                raise QueryError("A word is missing before the gap.", start, ("a word",))
            self._at = gap.end()
            return [self._gap(gap)]
        return self._words()

    def _skip_spaces(self) -> str:
        """Go to the next character that is no white space and return it ("" at the end)."""
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        return self._text[self._at : self._at + 1]

    def _gap(self, gap: re.Match[str]) -> Repetition:
        most = int(gap[2] or gap[1])
        least = int(gap[1]) if gap[2] else 0
        if most > MAX_GAP or least > most:
            raise QueryError(f"A gap has at most {MAX_GAP} tokens.", gap.start(), ("..3..",))
        return Repetition(
            Token(Anything(gap.start()), position=gap.start()), least, most, gap.start()
        )

    def _quoted(self) -> list[Pattern]:
        start = self._at
        end = self._text.find('"', start + 1)
        if end < 0:
            raise QueryError("The quote opened here is never closed.", start, ('"',))
        self._at = end + 1
        words = [
            word for piece in self._text[start + 1 : end].split() for word in self._tokens_of(piece)
        ]
        if not words:
            raise QueryError("There is nothing between the quotes.", start, ("a word",))
        return [Token(self._word(any_quote(word), start), position=start) for word in words]

    def _words(self) -> list[Pattern]:
        """Read up to white space or a bracket: one token, alternatives, or a word of several."""
        start = self._at
        pieces = [""]
        while self._at < len(self._text):
            character = self._text[self._at]
            if character.isspace() or character in '()"':
                break
            if character == "|":
                pieces.append("")
                self._at += 1
                continue
            width = 2 if character == "\\" else 1
            pieces[-1] += self._text[self._at : self._at + width]
            self._at += width
        if pieces[-1] == "" and len(pieces) > 1:
            return self._open_alternative(pieces, start)
        choices = [self._tokens(piece, start) for piece in pieces]
        if len(choices) == 1:
            return choices[0]
        if all(len(choice) == 1 for choice in choices):
            conditions = tuple(_condition_of(choice[0]) for choice in choices)
            return [Token(Or(conditions), position=start)]
        return [Alternatives(tuple(_in_sequence(choice) for choice in choices))]

    def _open_alternative(self, pieces: list[str], start: int) -> list[Pattern]:
        """Treat ``snow| rain`` as ``snow | rain``: leave the stroke to ``alternatives``."""
        if len(pieces) > 2 or not pieces[0]:
            raise QueryError("A word is missing beside the stroke.", self._at, ("a word",))
        self._at -= 1
        return self._tokens(pieces[0], start)

    def _tokens(self, piece: str, position: int) -> list[Pattern]:
        if not piece:
            raise QueryError("A word is missing beside the stroke.", position, ("a word",))
        body, tag = _split_tag(piece)
        conditions = [*self._conditions(body, position)]
        if tag:
            conditions[-1] = And((conditions[-1], _tag_condition(tag, position)))
        return [Token(condition, position=position) for condition in conditions]

    def _conditions(self, body: str, position: int) -> list[Condition]:
        if body == "*":
            return [Anything(position)]
        if body in PARTS_OF_SPEECH:
            return [AttributeMatch(Attribute.TAG, PARTS_OF_SPEECH[body], position=position)]
        name, colon, rest = body.partition(":")
        if colon and name in _NAMES:
            if not rest:
                raise QueryError(_nothing_behind(name), position + len(body), (_NAMES[name],))
            if name == "lemma":
                pattern, ignore = _wildcards(rest), not self._options.match_case
                return [AttributeMatch(Attribute.LEMMA, pattern, ignore, position=position)]
            if name in ("tag", "pos"):
                return [_tag_condition(rest, position)]
            body = rest
        return [self._word(_wildcards(word), position) for word in self._tokens_of(body)]

    def _tokens_of(self, piece: str) -> list[str]:
        """Split a word as the corpus does, unless it has wildcards in it."""
        if self._options.tokenize is None or any(mark in piece for mark in "*?\\"):
            return [piece]
        return self._options.tokenize(piece) or [piece]

    def _word(self, pattern: str, position: int) -> AttributeMatch:
        ignore_case = not self._options.match_case
        return AttributeMatch(Attribute.WORD, pattern, ignore_case, position=position)


def _nothing_behind(name: str) -> str:
    return (
        f"Behind “{name}:” {_NAMES[name]} is missing. "
        f'For these characters themselves write "{name}:" in quotes.'
    )


def _wildcards(piece: str) -> str:
    """Turn ``*`` and ``?`` into a regular expression; only behind a backslash is ' no ’."""
    result = []
    at = 0
    while at < len(piece):
        character = piece[at]
        if character == "\\" and at + 1 < len(piece):
            at += 1
            result.append(escaped(piece[at]))
        elif character == "*":
            result.append(".*")
        elif character == "?":
            result.append(".")
        else:
            result.append(any_quote(character))
        at += 1
    return "".join(result)


def _split_tag(piece: str) -> tuple[str, str]:
    """Split ``light/VERB`` or ``light/NN*``; other slashes belong to the word."""
    body, slash, tag = piece.rpartition("/")
    if slash and body and (tag in PARTS_OF_SPEECH or re.fullmatch(r"[A-Z]{2,4}\$?\*?", tag)):
        return body, tag
    return piece, ""


def _tag_condition(tag: str, position: int) -> AttributeMatch:
    pattern = PARTS_OF_SPEECH.get(tag) or _OTHER_CLASSES.get(tag) or _wildcards(tag)
    return AttributeMatch(Attribute.TAG, pattern, position=position)


def _condition_of(pattern: Pattern) -> Condition:
    if not isinstance(pattern, Token):
        raise TypeError("only tokens stand between strokes")
    return pattern.condition


def _in_sequence(items: list[Pattern]) -> Pattern:
    return items[0] if len(items) == 1 else Sequence(tuple(items))
