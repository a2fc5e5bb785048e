r"""Regular expressions as CQP's users write them (PCRE's) → what RE2 understands.

Input → output: a pattern → the same for RE2, with ``\w``, ``\d``, ``\s`` and named classes over all
of Unicode as PCRE has them in CQP; None if the pattern needs a backtracking engine.

References
----------
P. Hazel, PCRE2 pattern syntax (pcre2pattern, pcre2syntax), with the option PCRE2_UCP.
"""

import re
from collections.abc import Iterator

# A string with none of these and no flags is no regular expression in CQP, even with ^ or $ in it.
PLAIN_STOPS = frozenset("[](){}.*+|?\\")
RE2_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")

# Newspapers write curly quotes that few can type, and some write straight ones.
ALIKE = dict.fromkeys("'’‘", "['’‘]") | dict.fromkeys('"“”', '["“”]')

WORD = r"\p{L}\p{N}_"
SPACE = r"\p{Z}\x09-\x0d\x85"
# What each stands for inside square brackets; those without an opposite have None there.
ESCAPES: dict[str, tuple[str, bool]] = {
    "d": (r"\p{Nd}", False),
    "D": (r"\p{Nd}", True),
    "w": (WORD, False),
    "W": (WORD, True),
    "s": (SPACE, False),
    "S": (SPACE, True),
    "h": (r"\x09\p{Zs}", False),
    "H": (r"\x09\p{Zs}", True),
    "N": (r"\n", True),
}
POSIX: dict[str, str] = {
    "alpha": r"\p{L}",
    "lower": r"\p{Ll}",
    "upper": r"\p{Lu}",
    "alnum": r"\p{L}\p{N}",
    "digit": r"\p{Nd}",
    "space": SPACE,
    "blank": r"\x09\p{Zs}",
    "word": WORD,
    "punct": r"\p{P}$+<=>^`|~",
}
PROPERTIES: dict[str, str] = {
    "L&": r"\p{Lu}\p{Ll}\p{Lt}",
    "Xan": r"\p{L}\p{N}",
    "Xwd": WORD,
    "Xsp": SPACE,
    "Xps": SPACE,
}
# Assertions, atomic and conditional groups, recursion, references back, free spacing.
GROUPS = re.compile(r"\(\?(?:[=!>|(R&+\d]|<[=!]|-\d|P[>=]|[a-z]*x)|\(\*")
BACKTRACKING_ESCAPES = frozenset("bBXRKGgk123456789")
COMMENT = re.compile(r"\(\?#[^)]*\)")
NAMED = re.compile(r"\(\?(?:P?<\w+>|'\w+')")
POSSESSIVE = re.compile(r"[*+?}]\+")
NAMED_CLASS = re.compile(r"\[:(\^?)(\w+):\]")
PROPERTY = re.compile(r"\\([pP])\{(\^?)([\w&]+)\}")


def is_plain(pattern: str) -> bool:
    """Say whether CQP takes a pattern without flags for the string itself."""
    return not PLAIN_STOPS.intersection(pattern)


def escaped(text: str) -> str:
    """Take the meaning from all characters that are special in a regular expression."""
    return RE2_SPECIAL.sub(lambda found: "\\" + found[0], text)


def any_quote(text: str) -> str:
    r"""Escape a string so that straight and curly quotes in it stand for one another.

    Examples
    --------
    >>> any_quote("’n"), any_quote("U.S.'s")
    ("['’‘]n", "U\\.S\\.['’‘]s")
    """
    return "".join(ALIKE.get(character) or escaped(character) for character in text)


def to_re2(pattern: str) -> str | None:
    r"""Translate a pattern.

    Examples
    --------
    >>> to_re2(r"\d+"), to_re2(r"[\w-]+"), to_re2(r"(?!a).*")
    ('[\\p{Nd}]+', '[\\p{L}\\p{N}_-]+', None)
    """
    if not (
        "\\" in pattern or "(?" in pattern or "[:" in pattern or "+" in pattern or "(*" in pattern
    ):
        return pattern
    result: list[str] = []
    in_class = False
    for piece in _pieces(COMMENT.sub("", pattern)):
        translated = _in_class(piece) if in_class else _outside(piece)
        if translated is None or (POSSESSIVE.fullmatch(piece) and not in_class):
            return None
        result.append(translated)
        in_class = (in_class and piece != "]") or (not in_class and piece[0] == "[")
    return "".join(result)


PIECE = re.compile(
    r"\\Q.*?(?:\\E|$)|\\[pP]\{\^?[\w&]+\}|\\[xo]\{[^}]*\}|\\.|\[:\^?\w+:\]|\[\^?\]?|\(\?#[^)]*\)"
    r"|\(\?(?:[=!>|(R&+\d]|<[=!]|-\d|P[>=]|[a-z]*x)|\(\?(?:P?<\w+>|'\w+')|\(\*|[*+?}]\+|.",
    re.DOTALL,
)


def _pieces(pattern: str) -> Iterator[str]:
    """Cut a pattern into escapes, openings of groups and classes, and single characters."""
    at, in_class = 0, False
    while at < len(pattern):
        found = PIECE.match(pattern, at)
        piece = pattern[at] if found is None else found[0]
        if in_class and not (piece[0] == "\\" or piece.startswith("[:")):
            piece = piece[0]
        elif not in_class and piece.startswith("[:"):
            piece = "["
        yield piece
        in_class = (in_class and piece != "]") or (not in_class and piece[0] == "[")
        at += len(piece)


def _outside(piece: str) -> str | None:
    """Translate a piece outside square brackets."""
    if piece[0] == "\\" and not piece.startswith("\\Q"):
        inside = _escape(piece)
        if inside is None:
            return None
        body, negated, is_class = inside
        return f"[{'^' if negated else ''}{body}]" if is_class else body
    if GROUPS.match(piece):
        return None
    if NAMED.fullmatch(piece):
        return "(?:"
    return piece


def _in_class(piece: str) -> str | None:  # noqa: PLR0911 (one for each kind of piece)
    """Translate a piece between square brackets."""
    named = NAMED_CLASS.fullmatch(piece)
    if named is not None:
        body = POSIX.get(named[2])
        if body is None:
            return piece
        if not named[1]:
            return body
        single = re.fullmatch(r"\\p(\{\w+\})", body)
        return None if single is None else rf"\P{single[1]}"
    if piece[0] == "\\" and len(piece) > 1:
        inside = _escape(piece)
        if inside is None:
            return None if piece[1] != "b" else r"\x08"
        body, negated, is_class = inside
        if is_class and negated:
            single = re.fullmatch(r"\\p(\{\w+\})", body)
            return None if single is None else rf"\P{single[1]}"
        return body
    return r"\[" if piece == "[" else piece


def _escape(piece: str) -> tuple[str, bool, bool] | None:
    """Return what an escape stands for, whether for all else, and whether that is a class."""
    if piece[1:2] in BACKTRACKING_ESCAPES or len(piece) < 2:
        return None
    known = ESCAPES.get(piece[1])
    if known is not None:
        return known[0], known[1], True
    named = PROPERTY.fullmatch(piece)
    if named is not None and named[3] in PROPERTIES:
        return PROPERTIES[named[3]], (named[1] == "P") != bool(named[2]), True
    return piece, False, False
