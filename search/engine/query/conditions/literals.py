"""Strings that a regular expression is sure to stand for: found in its text, without running it.

Input → output: a pattern → the one string or the few strings it matches, or what everything it
matches begins with or holds. Such strings are looked up among sorted forms.
"""

import re
from itertools import chain, product, zip_longest
from math import prod

MOST_LITERALS = 16  # of one pattern are looked up; each takes a search of the sorted forms
SPECIAL = frozenset(".^$*+?{}[]\\|()")
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
ESCAPED_SIGN = re.compile(r"\\[^\w\s]")
# Square brackets around nothing but characters that stand for themselves.
FEW_SIGNS = re.compile(r"\[([^\[\]\\^&:-]+)\]")
# An escape with its braces, a class of characters, a count, or one character.
PIECE = re.compile(
    r"\\[pPx]\{.*?\}|\\[pP].|\\x..|\\[0-7]+|\\."
    r"|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]])*\]|\{.*?\}|.",
    re.DOTALL,
)
CHANGES_MEANING = re.compile(r"\(\?[^:P<]|\\Q")  # flags for what follows, quoted stretches
OPTIONAL = re.compile(r"[*?]|\{")


def literal_of(pattern: str) -> str | None:
    r"""Return the one string a pattern matches, None if it is not that simple.

    Examples
    --------
    >>> literal_of(r"U\.S\."), literal_of("rain"), literal_of("r.*")
    ('U.S.', 'rain', None)
    """
    if not SPECIAL.intersection(pattern):
        return pattern
    bare = ESCAPED.sub(lambda found: "" if not found[1].isalnum() else "*", pattern)
    if SPECIAL.intersection(bare):
        return None
    return ESCAPED.sub(r"\1", pattern)


def literals_of(pattern: str) -> tuple[str, ...]:
    """Return the few strings a pattern matches, if that is simple to see; none if it is not.

    Examples
    --------
    >>> literals_of("['’]n"), literals_of("rain"), literals_of("[a-c]"), literals_of("r.*")
    (("'n", '’n'), ('rain',), (), ())
    """
    pieces = FEW_SIGNS.split(pattern)
    fixed = [literal_of(piece) for piece in pieces[::2]]
    choices = pieces[1::2]
    if None in fixed or prod(map(len, choices)) > MOST_LITERALS:
        return ()
    always = ([part or ""] for part in fixed)
    each = chain.from_iterable(zip_longest(always, choices, fillvalue=[""]))
    return tuple(map("".join, product(*each)))


def prefix_of(pattern: str) -> str:
    r"""Return the string that everything a pattern matches begins with, empty if there is none.

    Examples
    --------
    >>> prefix_of("un.*able"), prefix_of("colou?r"), prefix_of("a|b"), prefix_of(r"U\.S.*")
    ('un', 'colo', '', 'U.S')
    """
    parts = _literal_parts(pattern)
    return parts[0] if parts else ""


def longest_literal_of(pattern: str) -> str:
    r"""Return the longest string that everything a pattern matches is sure to hold.

    Examples
    --------
    >>> (
    ...     longest_literal_of(".*ness"),
    ...     longest_literal_of("(un|in).+able?"),
    ...     longest_literal_of("a|b"),
    ... )
    ('ness', 'abl', '')
    """
    return max(_literal_parts(pattern), key=len, default="")


def _literal_parts(pattern: str) -> list[str]:
    """Return the strings that stand in every match, in order; the first one begins it.

    What is not understood ends a string, so a part may be shorter than it could be.
    """
    if CHANGES_MEANING.search(pattern):
        return []
    if "(?" in pattern:  # flags such as (?i), lookaround
        return []
    parts = [""]
    depth = 0
    for found in PIECE.finditer(pattern):
        piece = found[0]
        if piece == "|" and not depth:
            return []
        depth += (piece == "(") - (piece == ")")
        is_literal = len(piece) == 1 and piece not in SPECIAL
        if depth or not (is_literal or ESCAPED_SIGN.fullmatch(piece)):
            if OPTIONAL.match(piece) and found.start() and not depth:
                parts[-1] = parts[-1][:-1]  # the character before it may be left out
            parts.append("")
        else:
            parts[-1] += piece[-1]
    return parts
