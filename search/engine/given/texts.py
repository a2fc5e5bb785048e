"""A text as somebody gives it, and what a reader says of what it met.

Readers of all formats are generators of `GivenText` and `Problem`: what is broken is said with its
line, and the reading goes on behind it.
"""

from dataclasses import dataclass, field

# Of one text, in bytes of its file: a long novel is 3 MB, and a text is held in memory.
MAX_TEXT_BYTES = 8_000_000
# Of a name, title or other field; longer ones are cut.
MAX_FIELD_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class GivenText:
    """Running text, a paragraph a line, with what its file says of it; empty where nothing is said.

    `name` is how its file names it, by which it is known again. `date` is as it was written. `own`
    are columns that are none of ours, by their names, with their values.
    """

    text: str
    line: int = 1
    name: str = ""
    title: str = ""
    standfirst: str = ""
    authors: tuple[str, ...] = ()
    section: str = ""
    tags: tuple[str, ...] = ()
    language: str = ""
    url: str = ""
    date: str = ""
    own: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """What could not be read: the line in its file, 0 for all of it, and why."""

    line: int
    words: str


@dataclass(slots=True)
class Understood:
    """What became of the columns of a file: its name for each → ours.

    Others are kept under their own names (`own`), but for those above the most and empty names.
    """

    columns: dict[str, str] = field(default_factory=dict)
    own: dict[str, None] = field(default_factory=dict)  # likewise
    not_kept: dict[str, None] = field(default_factory=dict)  # a set in the order of the file


class FileProblem(ValueError):  # noqa: N818 (named for what the report shows)
    """Raised where nothing more of a file can be read; the words go into the report."""

    def __init__(self, words: str, line: int = 0) -> None:
        super().__init__(words)
        self.problem = Problem(line, words)
