r"""Macros in CQL: ``/np["old", "man"]`` stands for the text kept under its name, as in CQP.

Input → output: a query and the macros it may use → the query with them written out, and from which
character of the query each of its characters comes. ``$0`` to ``$9`` in a macro stand for what is
given in its brackets, without quotes around it; macros may use others.

References
----------
S. Evert & The CWB Development Team (2022), CQP Interface and Query Language Manual, version 3.5:
CQP macros.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from search.engine.query.errors import QueryError

# Names and texts of the macros a query may use; hashable, so that parsed queries can be kept.
Macros = tuple[tuple[str, str], ...]
MAX_DEPTH = 10  # macros inside one another
BUILT_IN = frozenset({"region"})
_STRING = r"\"(?:[^\"\\]|\\.|\"\")*\"|'(?:[^'\\]|\\.|'')*'"
_CALL = re.compile(rf"{_STRING}|/(?P<name>[A-Za-z_]\w*)\s*\[", re.DOTALL)
_PART = re.compile(rf"{_STRING}|[\[\](),]|.", re.DOTALL)
_ARGUMENT = re.compile(r"\$([0-9])")
_CLOSERS = {"[": "]", "(": ")"}


@dataclass(frozen=True, slots=True)
class WrittenOut:
    """A query without macros; ``origins[i]`` is where its character i comes from."""

    text: str
    origins: tuple[int, ...]

    def origin(self, position: int) -> int:
        """Return which character of the query as given a position is about."""
        if position < len(self.origins):
            return self.origins[position]
        return self.origins[-1] + 1 if self.origins else 0


def names_of_macros(text: str) -> frozenset[str]:
    """Return the names of macros in a query.

    Examples
    --------
    >>> sorted(names_of_macros('/np["/pp[]"] </s> /region[s] /vp[]'))
    ['np', 'vp']
    """
    found = (match["name"] for match in _CALL.finditer(text))
    return frozenset(name for name in found if name and name not in BUILT_IN)


def n_arguments(text: str) -> int:
    """Return how many arguments the text of a macro needs."""
    return max((int(digit) + 1 for digit in _ARGUMENT.findall(text)), default=0)


def write_out(text: str, macros: Macros, most: int) -> WrittenOut:
    """Replace the macros of a query by what they stand for.

    Parameters
    ----------
    most : int
        Characters that the result may have.

    Raises
    ------
    QueryError
        If there is no such macro, its arguments are too many or too few, or it never ends.
    """
    known = dict(macros)
    pieces = WrittenOut(text, tuple(range(len(text))))
    for _ in range(MAX_DEPTH):
        if not names_of_macros(pieces.text):
            return pieces
        pieces = _once(pieces, known)
        if len(pieces.text) > most:
            message = f"With its macros written out the query is longer than {most} characters."
            raise QueryError(message)
    first = next(iter(_calls(pieces.text)))
    message = f"More than {MAX_DEPTH} macros inside one another; does “/{first[2]}” use itself?"
    raise QueryError(message, pieces.origin(first[0]))


def _once(given: WrittenOut, known: dict[str, str]) -> WrittenOut:
    """Replace the macros of a text, not those inside these."""
    text: list[str] = []
    origins: list[int] = []
    at = 0
    for start, end, name, arguments in _calls(given.text):
        place = given.origin(start)
        if name not in known:
            message = f"There is no macro “/{name}”."
            raise QueryError(message, place, tuple(f"/{other}[…]" for other in sorted(known)))
        if end < 0:
            raise QueryError("The bracket of this macro is never closed.", place, ("]",))
        body = _filled(known[name], name, arguments, place)
        text += [given.text[at:start], body]
        origins += [*given.origins[at:start], *[place] * len(body)]
        at = end
    text.append(given.text[at:])
    origins += given.origins[at:]
    return WrittenOut("".join(text), tuple(origins))


def _calls(text: str) -> Iterator[tuple[int, int, str, list[str]]]:
    """Find macros: where each starts and ends (-1: never), its name and arguments."""
    at = 0
    while found := _CALL.search(text, at):
        at = found.end()
        if found["name"] is None or found["name"] in BUILT_IN:
            continue
        at, arguments = _arguments(text, found.end())
        yield found.start(), at, found["name"], arguments
        if at < 0:
            return


def _arguments(text: str, at: int) -> tuple[int, list[str]]:
    """Read arguments up to the closing bracket: where it ends (-1: never), and what they are."""
    arguments, opened = [""], ["]"]
    for part in _PART.finditer(text, at):
        piece = part[0]
        if piece == opened[-1]:
            opened.pop()
            if not opened:
                cleaned = [_unquoted(argument.strip()) for argument in arguments]
                return part.end(), [] if cleaned == [""] else cleaned
        elif piece in _CLOSERS:
            opened.append(_CLOSERS[piece])
        elif piece == "," and len(opened) == 1:
            arguments.append("")
            continue
        arguments[-1] += piece
    return -1, arguments


def _unquoted(argument: str) -> str:
    is_quoted = re.fullmatch(_STRING, argument, re.DOTALL) is not None
    return argument[1:-1] if is_quoted else argument


def _filled(body: str, name: str, arguments: list[str], place: int) -> str:
    needed = n_arguments(body)
    if len(arguments) != needed:
        words = "no argument" if not needed else f"{needed} argument{'s' * (needed > 1)}"
        raise QueryError(f"“/{name}” takes {words}, not {len(arguments)}.", place)
    return _ARGUMENT.sub(lambda found: arguments[int(found[1])], body)
