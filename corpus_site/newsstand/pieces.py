"""The papers' texts: one file for each piece → frozen values.

A file has a head of `name: value` lines, an empty line, and paragraphs parted by empty lines.
Heads: title, section, author (several parted by `;`), standfirst, `age` before the start of
the newsstand (`30m`, `26h`, `3d`) or `reserve`, the place in the row of pieces that appear while
one watches; `flags` (see `Flag`); `text-of`, the piece whose body this paper prints as well.
A paragraph that starts with `## ` is a heading, with `> ` a quotation, with `! ` a picture's
caption. Lines that start with `=== ` head revisions (see `revisions`). After a line `---` follows
the thread: `closed`, `open`, or `closes 190m` (after
publication), then the comments, each with a head line

    2<1 NomsaM +50m 4 edited

(number, number it answers, name, time after publication, likes, and perhaps `edited` or `deleted`).
"""

import re
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from pathlib import Path

from corpus_site.newsstand.revisions import Revision, duration, read_revision

CONTENT = Path(__file__).parent / "content"

_POST_HEAD = re.compile(
    r"(?P<number>\d+)(?:<(?P<parent>\d+))? (?P<name>.+?) \+(?P<delay>\d+[smhd])"
    r"(?: (?P<likes>\d+))?(?: (?P<state>edited|deleted))?"
)


class Flag(StrEnum):
    """What is odd about a page, as real pages are odd."""

    GALLERY = "gallery"  # pictures with captions instead of a text
    HIDDEN = "hidden"  # text in the page that no reader sees
    PREMIUM = "premium"  # 403 for agents that do not look like a browser
    MOVED = "moved"  # the address leads to the section's page
    IN_PAGE = "comments-in-page"  # the thread stands in the page itself, on no other server
    CLOCK = "clock"  # the page tells the time and counts its readers, anew for each of them
    WINDOWS = "windows-1252"  # bytes of that code page, declared as iso-8859-1


@dataclass(frozen=True, slots=True)
class Post:
    """One reader's comment; `delay` is counted from the piece's publication."""

    number: int
    parent: int | None
    name: str
    delay: timedelta
    text: str
    likes: int = 0
    is_edited: bool = False
    is_deleted: bool = False


@dataclass(frozen=True, slots=True)
class Thread:
    """The comments under a piece; it closes `closes_after` publication, or never (None)."""

    posts: tuple[Post, ...]
    closes_after: timedelta | None


@dataclass(frozen=True, slots=True)
class PaperPiece:
    """One text of a paper. Exactly one of `age` and `reserve` is set."""

    paper: str
    slug: str
    title: str
    section: str
    authors: tuple[str, ...]
    standfirst: str
    paragraphs: tuple[str, ...]
    age: timedelta | None = None
    reserve: int | None = None
    flags: frozenset[Flag] = frozenset()
    thread: Thread | None = None
    revisions: tuple[Revision, ...] = ()


def read_pieces(paper: str, content: Path = CONTENT) -> tuple[PaperPiece, ...]:
    """Read all pieces of one paper, in the order of their file names.

    Raises
    ------
    ValueError
        When a file is not as the module's text says; the message names it.
    """
    return tuple(_read(path, content) for path in sorted((content / paper).glob("*.txt")))


def _read(path: Path, content: Path) -> PaperPiece:
    try:
        return _parse(path, content)
    except (KeyError, ValueError) as error:
        raise ValueError(f"{path.name}: {error}") from error


def _parse(path: Path, content: Path) -> PaperPiece:
    text, _, thread = path.read_text(encoding="utf-8").partition("\n---\n")
    first, *later = text.split("\n=== ")
    head_lines, _, body = first.strip().partition("\n\n")
    head = dict(line.split(": ", 1) for line in head_lines.split("\n"))
    if other := head.pop("text-of", ""):
        body = _body_of(content / f"{other}.txt")
    age, reserve = head.pop("age", ""), head.pop("reserve", "")
    if bool(age) == bool(reserve):
        raise ValueError("a piece has an age or a place in the reserve")
    return PaperPiece(
        paper=path.parent.name,
        slug=path.stem,
        title=head.pop("title"),
        section=head.pop("section"),
        authors=tuple(filter(None, head.pop("author", "").split("; "))),
        standfirst=head.pop("standfirst", ""),
        flags=frozenset(Flag(flag) for flag in head.pop("flags", "").split()),
        paragraphs=_paragraphs(body),
        age=duration(age) if age else None,
        reserve=int(reserve) if reserve else None,
        thread=_thread(thread) if thread else None,
        revisions=tuple(map(read_revision, later)),
    )


def _body_of(path: Path) -> str:
    text, _, _ = path.read_text(encoding="utf-8").partition("\n---\n")
    return text.partition("\n=== ")[0].strip().partition("\n\n")[2]


def _paragraphs(body: str) -> tuple[str, ...]:
    """Join the lines of each paragraph; line ends in the file mean nothing."""
    return tuple(" ".join(part.split()) for part in body.split("\n\n") if part.strip())


def _thread(text: str) -> Thread:
    state, _, rest = text.strip().partition("\n")
    posts = tuple(_post(block) for block in rest.strip().split("\n\n") if block.strip())
    if state == "open":
        return Thread(posts, closes_after=None)
    if state == "closed":
        last = max((post.delay for post in posts), default=timedelta())
        return Thread(posts, closes_after=last + timedelta(minutes=1))
    return Thread(posts, closes_after=duration(state.removeprefix("closes ")))


def _post(block: str) -> Post:
    first_line, _, text = block.partition("\n")
    head = _POST_HEAD.fullmatch(first_line)
    if head is None:
        raise ValueError(f"no head of a comment: {first_line}")
    return Post(
        number=int(head["number"]),
        parent=int(head["parent"]) if head["parent"] else None,
        name=head["name"],
        delay=duration(head["delay"]),
        text=text.strip(),
        likes=int(head["likes"] or 0),
        is_edited=head["state"] == "edited",
        is_deleted=head["state"] == "deleted",
    )
