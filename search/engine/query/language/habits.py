"""Habits of other tools in a simple query: what is meant, and how it is written here.

Input → output: text of a simple query → a sentence about the first habit in it, and the query that
says the same here; None if there is none. Known are AND, OR and NOT of library catalogues, words
near one another (`proximity`), the brackets of the corpora at English-Corpora.org, fields of press
archives, signs of web search and of CQL, and those of CQPweb's simple queries (Hardie 2012, CQPweb:
combining power, flexibility and usability in a corpus analysis tool).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from search.engine.query.ast import Query, Token
from search.engine.query.errors import QueryError
from search.engine.query.language.cql import parse_cql
from search.engine.query.language.proximity import proximity_in
from search.engine.query.language.simple import PARTS_OF_SPEECH, SimpleOptions, parse_simple
from search.engine.query.language.to_cql import to_cql

MAX_LENGTH = 500  # characters; longer queries were not typed by habit


@dataclass(frozen=True, slots=True)
class Habit:
    """A sentence, and the query meant; `query` is empty if it cannot be written here."""

    words: str
    query: str = ""
    language: str = "simple"


@dataclass(frozen=True, slots=True)
class _Rule:
    sign: re.Pattern[str]
    words: str
    write: Callable[[re.Match[str]], str]


def habit_in(text: str, options: SimpleOptions) -> Habit | None:
    """Find the first habit in a query.

    Examples
    --------
    >>> habit_in("rain OR hail", SimpleOptions()).query
    'rain | hail'
    >>> habit_in("said_VBD that", SimpleOptions()).query
    'said/VBD that'
    """
    if len(text) > MAX_LENGTH:
        return None
    found = (
        _operator(text, options)
        or _signed(text, options)
        or _edged(text, options)
        or _near(text, options)
        or _repeated(text, options)
    )
    return _readable(found or _signs(text), options)


def brackets_in(text: str, options: SimpleOptions) -> Habit | None:
    """Find a word in brackets of its own, which are not looked for, whether there are hits or not.

    Examples
    --------
    >>> brackets_in("dams (AP)", SimpleOptions()).query
    'dams "(AP)"'
    """
    if len(text) > MAX_LENGTH or '"' in text:
        return None
    return _readable(_written(text, (_BRACKETED,)), options)


def _readable(found: Habit | None, options: SimpleOptions) -> Habit | None:
    """Take the query from a habit if it cannot be read."""
    if found is None:
        return None
    read = parse_simple if found.language == "simple" else _as_cql
    try:
        read(found.query, options)
    except QueryError:
        return Habit(found.words)
    return found


def _as_cql(text: str, _options: SimpleOptions) -> Query:
    return parse_cql(text)


# AND, OR, NOT

_KINDS = dict.fromkeys(("AND", "NOT", "AND NOT"), "a word") | dict.fromkeys("+-", "a sign")
_OPERATOR = re.compile(r"\s+(AND NOT|AND|OR|NOT)\s+")


def _operator(text: str, options: SimpleOptions) -> Habit | None:
    pieces = _OPERATOR.split(text.strip())
    names, parts = set(pieces[1::2]), pieces[::2]
    if len(names) > 1:
        listed = ", ".join(sorted(names))
        return Habit(f"{listed} are words here; brackets, | and CQL say what belongs together.")
    name = names.pop() if names else ""
    if name == "OR":
        return Habit("OR is a word here; either of two is written with |.", " | ".join(parts))
    if not name:
        return None
    try:
        queries = [parse_simple(part, options) for part in parts]
    except QueryError:
        return None
    return _of_sentences(name, queries)


_SIGNED = re.compile(r"[+-][^\W\d_]")


def _signed(text: str, options: SimpleOptions) -> Habit | None:
    """Read the + and - of web search before words, ``+rain -hail``."""
    pieces = text.split()
    signs = [piece[0] if _SIGNED.match(piece) else "" for piece in pieces]
    wanted, unwanted = (
        " ".join(
            p.lstrip("+-") for p, sign in zip(pieces, signs, strict=True) if (sign == "-") == no
        )
        for no in (False, True)
    )
    try:
        if wanted and unwanted:
            return _of_sentences(
                "-", [parse_simple(wanted, options), parse_simple(unwanted, options)]
            )
        if len(pieces) > 1 and all(signs) and not unwanted:
            return _of_sentences("+", [parse_simple(word, options) for word in wanted.split()])
    except QueryError:
        return None
    return None


_EDGES = re.compile(r"\s*(<s>)?([^<>]+)(</s>)?\s*")


def _edged(text: str, options: SimpleOptions) -> Habit | None:
    """Read the edges of a sentence as in CQL, ``<s> water``."""
    found = _EDGES.fullmatch(text)
    if found is None or not (found[1] or found[3]):
        return None
    words = "Where a sentence begins and ends is asked for in CQL."
    try:
        inner = to_cql(parse_simple(found[2].strip(), options))
    except QueryError:
        return Habit(words)
    return Habit(words, " ".join(filter(None, (found[1], inner, found[3]))), "cql")


def _of_sentences(name: str, queries: list[Query]) -> Habit:
    if name in ("AND", "+"):
        words = f"{name} is {_KINDS[name]} here; both in one sentence are written in CQL."
        return Habit(words, in_one_sentence(queries), "cql")
    words = f"{name} is {_KINDS[name]} here; sentences without a word are asked for in CQL."
    if len(queries) > 2 or any(query.within for query in queries):
        return Habit(words)
    wanted, unwanted = map(to_cql, queries)
    return Habit(words, f"({wanted}) !within (<s> []* ({unwanted}) []* </s>)", "cql")


def in_one_sentence(queries: Sequence[Query]) -> str:
    """Write in CQL that all of some patterns stand in one sentence; empty if that is too much."""
    written = [to_cql(query) for query in queries]
    if all(isinstance(query.pattern, Token) for query in queries):
        meet = written[0]
        for other in written[1:]:
            meet = f"(meet {meet} {other} s)"
        return f"MU{meet}"
    if len(queries) > 2 or any(query.within for query in queries):
        return ""
    first, second = written
    return f"(({first}) []* ({second}) | ({second}) []* ({first})) within s"


# Nearness and repetition


def _near(text: str, options: SimpleOptions) -> Habit | None:
    found = proximity_in(text, options)
    return None if found is None else Habit(*found, "cql")


# Only whole pieces are asked; the look behind keeps a search in one long word linear.
_REPEATED = re.compile(r"(?<![A-Z])([A-Z]+)(\+|\*|\?|\{\d{1,3}(?:,\d{0,3})?\})")


def _repeated(text: str, options: SimpleOptions) -> Habit | None:
    """Write word classes that are repeated as in regular expressions, ``ADJ+ NOUN``."""
    pieces = text.split()
    signs = [_REPEATED.fullmatch(piece) for piece in pieces]
    if not any(sign and sign[1] in PARTS_OF_SPEECH for sign in signs):
        return None
    words = "How often a word class may stand is said in CQL."
    try:
        written = [
            to_cql(parse_simple(sign[1] if sign else piece, options)) + (sign[2] if sign else "")
            for piece, sign in zip(pieces, signs, strict=True)
        ]
    except QueryError:
        return Habit(words)
    return Habit(words, " ".join(written), "cql")


# Signs

_CLASSES = {"V": "VERB", "N": "NOUN", "A": "ADJ", "ADV": "ADV", "PREP": "PREP", "CONJ": "CONJ"}
# First letters of tags, of the Penn Treebank and of CLAWS.
_OF_LETTER = {
    "V": "VERB", "N": "NOUN", "J": "ADJ", "A": "ADJ", "R": "ADV", "P": "PRON", "D": "DET",
    "I": "PREP", "C": "CONJ", "M": "NUM", "U": "INTJ",
}  # fmt: skip
# Word classes by other names.
_NAMES = {
    "ADJECTIVE": "ADJ", "ADVERB": "ADV", "PRONOUN": "PRON", "DETERMINER": "DET",
    "PREPOSITION": "PREP", "CONJUNCTION": "CONJ", "NUMBER": "NUM", "INTERJECTION": "INTJ",
}  # fmt: skip
_FIELDS = "title|headline|intitle|allintitle|lead|byline|author|source|publication|section|lang"
_USUAL_GAP = 3  # tokens, where none is said
_CURLY = str.maketrans(dict.fromkeys("“”„«»", '"'))


def _named_class(name: str) -> str:
    singular = name.removesuffix("S")
    return _NAMES.get(name) or _NAMES.get(singular) or singular


def _of_bracket(found: re.Match[str]) -> str:
    """Write ``[say]``, ``[say].[v*]``, ``say.[v*]`` and ``[v*]``."""
    lemma, word, tag = found["lemma"] or "", found["word"] or "", (found["tag"] or "").upper()
    name = _OF_LETTER.get(tag[:1], "")
    if not (lemma or word):
        return name or f"tag:{tag}"
    before = f"lemma:{lemma}" if lemma else word
    return f"{before}/{name}" if name else before


def _of_tag(found: re.Match[str]) -> str:
    word, tag = found[1], found[2]
    if len(tag.rstrip("*")) == 1:
        tag = _OF_LETTER.get(tag[0], tag)
    if word:
        return f"{word}/{tag}"
    return tag if tag in PARTS_OF_SPEECH else f"tag:{tag}"


def _of_lemma(found: re.Match[str]) -> str:
    name = _CLASSES.get(found[2] or "", found[2])
    return f"lemma:{found[1]}/{name}" if name else f"lemma:{found[1]}"


def _spelled_out(found: re.Match[str]) -> str:
    endings = re.split(r"[,|]", found[2])
    return "|".join(f"{found[1]}{ending}{found[3]}" for ending in endings)


def _each_named(found: re.Match[str]) -> str:
    return "|".join(f"{found[1]}{choice}" for choice in found[2].split("|"))


_BRACKETED = _Rule(
    re.compile(r"(?<!\S)\(([\w'’.&-]+)\)(?!\S)"),
    "Brackets only group here; those of the text are asked for in quotes.",
    lambda found: f'"({found[1]})"',
)
_RULES = (
    _Rule(
        re.compile(
            r"(?<!\S)(?:\[(?P<lemma>[\w'’-]+)\]|(?P<word>[\w'’*?-]*[\w'’?-]))?"
            r"(?:(?<=\S)\.|(?<!\S))\[(?P<tag>[A-Za-z]{1,5}\d?\*)\](?!\S)"
        ),
        "Square brackets mean nothing here: a word class stands behind a stroke, or alone.",
        _of_bracket,
    ),
    _Rule(
        re.compile(r"(?<!\S)\[(?P<lemma>[\w'’-]+)\](?P<word>(?!))?(?P<tag>(?!))?(?!\S)"),
        "All forms of a word are asked for with lemma: here, not in square brackets.",
        _of_bracket,
    ),
    _Rule(
        re.compile(r"(?<!\S)\[?=([\w'’-]+)\]?(?!\S)"),
        "Synonyms are not known here; all forms of a word are.",
        lambda found: f"lemma:{found[1]}",
    ),
    _Rule(
        re.compile(rf"(?<!\S)(?:{_FIELDS}):(?=[\w\"(])", re.IGNORECASE),
        "Names before a colon are lemma:, tag: and word: here; other fields are filters.",
        lambda _: "",
    ),
    _Rule(
        re.compile(r"(?<=[\w'’])\+(?!\S)"),
        "A + is itself here; one character is ? and any more are *.",
        lambda _: "?*",
    ),
    _Rule(
        re.compile(
            rf"(?<!\S)((?:{'|'.join(sorted(PARTS_OF_SPEECH))})S|(?:{'|'.join(_NAMES)})S?)(?!\S)"
        ),
        "Word classes have short names here.",
        lambda found: _named_class(found[1]),
    ),
    _Rule(
        re.compile(r"(?<=[^\W\d_])\s?(?:\.\.|…)\s?(?=[^\W\d_])"),
        "A gap says how many words may stand in it.",
        lambda _: f" ..{_USUAL_GAP}.. ",
    ),
    _Rule(
        re.compile(r"(?<!\S)(LEMMA|Lemma|TAG|Tag|POS|Pos|WORD|Word):(?=\S)"),
        "The names before a colon are written small here: lemma:, tag:, word:.",
        lambda found: f"{found[1].lower()}:",
    ),
    _Rule(
        re.compile(r"(?<!\S)((?:lemma|tag|pos|word):)\(([^()\s]+)\)"),
        "Brackets cannot stand behind a colon; each choice has its own name.",
        _each_named,
    ),
    _Rule(
        re.compile(r"(?<!\S)\{([^{}\s/]+)(?:/([A-Z]+))?\}"),
        "All forms of a word are asked for with lemma: here, not in braces.",
        _of_lemma,
    ),
    _Rule(
        re.compile(r"(?<!\S)([^\s_]*)_([A-Z]{2,5}\$?\*?|[VNJARPDICMU]\*)(?!\S)"),
        "A tag stands behind a stroke here, or behind tag: alone, not behind _.",
        _of_tag,
    ),
    _Rule(
        re.compile(r"(?<!\S)([\w'’*?-]*)\[([^\[\]\s]*,[^\[\]\s]*)\]([\w'’*?-]*)"),
        "Square brackets mean nothing here; spellings are written out with |.",
        _spelled_out,
    ),
    _Rule(
        re.compile(r"(?<!\S)([\w'’*?-]+)\(([^()\s]*\|[^()\s]*)\)([\w'’*?-]*)"),
        "Brackets hold whole words here; spellings are written out with |.",
        _spelled_out,
    ),
    _Rule(
        re.compile(r"(?<!\S)([A-Z]{2,4})\.[*+](?!\S)"),
        "A tag stands behind tag: here, and * alone is any characters.",
        lambda found: f"tag:{found[1]}*",
    ),
    _Rule(
        re.compile(r"(?<!\S)/([^\s/]+)/(?!\S)"),
        "Regular expressions are for CQL; here * alone is any characters.",
        lambda found: found[1],
    ),
    _Rule(
        re.compile(r"(?<=\w)\.[*+]|(?<!\S)\.[*+](?=\w)"),
        "Regular expressions are for CQL; here * alone is any characters.",
        lambda _: "*",
    ),
    _BRACKETED,
    _Rule(
        re.compile(r"(?<=\w)%[cdl]{1,2}(?!\S)"),
        "Flags behind a % are for CQL; here “Match case” says whether capitals count.",
        lambda _: "",
    ),
    _Rule(
        re.compile(r"(?<=\w)[~^](?:\d[\d.]{0,3})?(?!\S)"),
        "Words are neither weighed nor found by likeness here; * and ? stand for letters.",
        lambda _: "",
    ),
    _Rule(
        re.compile(r"(?<!\S)[\[{](?=[\w'’-]+(?!\S))|(?<=\w)[\]}](?!\S)"),
        "A bracket stands alone here; they go in pairs.",
        lambda _: "",
    ),
)


def _signs(text: str) -> Habit | None:
    if text != (straight := text.translate(_CURLY)):
        return Habit("Quotes around words are straight here.", straight)
    return None if '"' in text else _written(text, _RULES)


def _written(text: str, rules: tuple[_Rule, ...]) -> Habit | None:
    """Write a query by all rules; the first that changes it has the word."""
    words, written = "", text
    for rule in rules:
        changed = rule.sign.sub(rule.write, written)
        if changed != written:
            words, written = words or rule.words, changed
    return Habit(words, written) if words else None
