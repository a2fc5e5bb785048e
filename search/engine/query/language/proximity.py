"""Words near one another as other tools ask for them → CQL.

Input → output: a simple query with one operator → what is said about it and the query in CQL; None
without one. Known are ``a near/5 b``, ``a W/5 b``, ``a N5 b`` and ``NEAR(a, b)`` of press archives,
``a pre/5 b`` where order counts, ``a /s b`` of one sentence, and CEQL's ``a <<5>> b``,
``a >>5>> b``, ``a <<5<< b`` and ``a <<s>> b`` (Hardie 2012, CQPweb).
"""

import re
from dataclasses import dataclass

from search.engine.query.ast import Token
from search.engine.query.errors import QueryError
from search.engine.query.language.simple import MAX_GAP, SimpleOptions, parse_simple
from search.engine.query.language.to_cql import to_cql

_USUAL_REACH = 5  # where an operator has no number: what collocations are counted in here too

# Bounded, so that a text made of blanks takes no square of its length.
_CALL = re.compile(
    r"NEAR\s{0,9}\(([^(),]{1,200}),([^(),]{1,200})(?:,\s{0,9}(\d{1,3})\s{0,9})?\)", re.IGNORECASE
)
_NEAR = re.compile(
    r"\s{1,9}(?:(?:near|[wn])(?:/(\d{1,3}))|(?-i:[NW])(\d{1,3})|(?-i:NEAR))\s{1,9}", re.IGNORECASE
)
_BEFORE = re.compile(r"\s{1,9}(?:pre|p|onear)/(\d{1,3})\s{1,9}", re.IGNORECASE)
_SENTENCE = re.compile(r"\s{1,9}(?:[wn]?/s|<<s>>)\s{1,9}", re.IGNORECASE)
_CEQL = re.compile(r"\s{0,9}(<<|>>)(\d{1,3})(<<|>>)\s{0,9}")


@dataclass(frozen=True, slots=True)
class _Window:
    """Where the second word may stand, in tokens from the first; `unit` is s or empty."""

    low: int = 0
    high: int = 0
    unit: str = ""


def proximity_in(text: str, options: SimpleOptions) -> tuple[str, str] | None:
    """Say what an operator of nearness is here, and write it; the query may be empty.

    Examples
    --------
    >>> proximity_in("rain near/5 water", SimpleOptions())[1]
    'MU(meet "rain"%c "water"%c -5 5)'
    >>> proximity_in("rain <<s>> water", SimpleOptions())[1]
    'MU(meet "rain"%c "water"%c s)'
    """
    found = _found(text.strip())
    if found is None:
        return None
    first, second, window = found
    words = "Words near one another are asked for in CQL, or by the filter “Near”."
    try:
        left, right = (parse_simple(part, options) for part in (first, second))
    except QueryError:
        return words, ""
    if not (isinstance(left.pattern, Token) and isinstance(right.pattern, Token)):
        return words, ""
    reach = window.unit or f"{window.low} {window.high}"
    return words, f"MU(meet {to_cql(left)} {to_cql(right)} {reach})"


def _found(text: str) -> tuple[str, str, _Window] | None:
    if call := _CALL.fullmatch(text):
        return call[1].strip(), call[2].strip(), _around(call[3])
    for sign, window_of in (
        (_SENTENCE, lambda _: _Window(unit="s")),
        (_BEFORE, lambda found: _Window(1, _reach(found[1]))),
        (_CEQL, _of_ceql),
        (_NEAR, lambda found: _around(found[1] or found[2])),
    ):
        parts = list(sign.finditer(text))
        if len(parts) == 1 and parts[0].start() and parts[0].end() < len(text):
            at = parts[0]
            return text[: at.start()], text[at.end() :], window_of(at)
    return None


def _of_ceql(found: re.Match[str]) -> _Window:
    n = _reach(found[2])
    low = -n if found[1] == "<<" else 1
    high = n if found[3] == ">>" else -1
    return _Window(low, high) if low <= high else _Window(-n, n)


def _around(number: str | None) -> _Window:
    n = _reach(number)
    return _Window(-n, n)


def _reach(number: str | None) -> int:
    return min(MAX_GAP, int(number)) or 1 if number else _USUAL_REACH
