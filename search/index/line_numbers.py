"""Lines of a vertical file as type numbers and marks.

Input → output: the lines of a text (one token a line, its attributes separated by tabulators, and
tags such as ``<s>``) → one number a line: a type's, or that of a ``Mark``. A line is parsed and
checked when it is first met, so checks cost nothing: 100 million tokens have 350,000 lines that
differ.
"""

from collections.abc import Callable, Sequence
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from search.index.errors import BadLineError
from search.index.lexicon_builder import LexiconBuilder

U32 = npt.NDArray[np.uint32]
Token = tuple[str, str, str]


class Mark(IntEnum):
    """What a line that is no token says; the numbers lie above those of all types."""

    SENTENCE_START = 0xFFFFFFF1
    SENTENCE_END = 0xFFFFFFF2
    GLUE = 0xFFFFFFF3  # no white space before the next token
    BREAK = 0xFFFFFFF4  # the next token starts a sentence, wherever the last one ended
    IGNORED = 0xFFFFFFF5


FIRST_MARK = min(Mark)
Parse = Callable[[str], Token | Mark]

_TAGS = {"<s>": Mark.SENTENCE_START, "</s>": Mark.SENTENCE_END, "<g/>": Mark.GLUE}


def parse_vertical_line(line: str) -> Token | Mark:
    r"""Read ``word TAB lemma TAB tag``, ``<s>``, ``</s>``, ``<g/>``; ignore all other tags.

    Raises
    ------
    ValueError
        Saying what is wrong, for a line that is neither.

    Examples
    --------
    >>> parse_vertical_line("Rain\train\tNN")
    ('Rain', 'rain', 'NN')
    """
    parts = line.split("\t")
    if len(parts) == len(("word", "lemma", "tag")):
        return parts[0], parts[1], parts[2]
    if len(parts) == 1 and line.startswith("<") and line.endswith(">"):
        name = line.split(" ", 1)[0].rstrip(">").rstrip("/") + ("/>" if line[-2] == "/" else ">")
        return _TAGS.get(name, Mark.IGNORED)
    raise ValueError(f"{len(parts)} columns, expected 3")


class LineNumbers(dict[str, int]):
    """Lines to numbers; an unknown line is parsed, and its token added to the lexicon."""

    def __init__(self, builder: LexiconBuilder, parse: Parse) -> None:
        super().__init__()
        self._builder = builder
        self._parse = parse

    def __missing__(self, line: str) -> int:
        found = self._parse(line)
        number = int(found) if isinstance(found, Mark) else self._builder.type_of(found)
        self[line] = number
        return number

    def of(self, lines: Sequence[str], first_line: int) -> U32:
        """Return the number of each line.

        Raises
        ------
        BadLineError
            With the number of the line, counted from ``first_line``.
        """
        try:
            return np.fromiter(map(self.__getitem__, lines), np.uint32, len(lines))
        except ValueError as error:
            at = next(i for i, line in enumerate(lines) if line not in self)
            raise BadLineError(first_line + at, str(error)) from error
