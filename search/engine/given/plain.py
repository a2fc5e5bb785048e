"""Plain text: a file is a text; empty lines are between its paragraphs, else each line is one."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from search.engine.given.lines import Line
from search.engine.given.texts import MAX_TEXT_BYTES, GivenText, Problem


def read_plain(lines: Iterable[Line], name: str) -> Iterator[GivenText | Problem]:
    """Read the text of a file; a line that cannot be read leaves all of it out."""
    held, n_characters = [], 0
    for number, line in lines:
        if isinstance(line, Problem):
            yield line
            return
        n_characters += len(line) + 1
        if n_characters > MAX_TEXT_BYTES:
            yield Problem(number, f"a text of more than {MAX_TEXT_BYTES:,} characters")
            return
        held.append(line)
    text = paragraphs(held)
    yield (
        GivenText(text, name=name, title=title_of(name))
        if text
        else Problem(0, "the file is empty")
    )


def paragraphs(lines: Iterable[str]) -> str:
    r"""Join the lines of each paragraph where empty lines are between them.

    Examples
    --------
    >>> paragraphs(["It was", "late.", "", "We went."])
    'It was late.\nWe went.'
    >>> paragraphs(["It was late.", "We went."])
    'It was late.\nWe went.'
    """
    stripped = [line.strip() for line in lines]
    while stripped and not stripped[-1]:
        stripped.pop()
    first = next((place for place, line in enumerate(stripped) if line), 0)
    del stripped[:first]
    if "" not in stripped:
        return "\n".join(stripped)
    groups = groupby(stripped, key=bool)
    return "\n".join(" ".join(group) for is_text, group in groups if is_text)


def title_of(name: str) -> str:
    """Give the name of a file as a title: without folders and its ending."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return (last.rpartition(".")[0] or last).replace("_", " ").strip()
