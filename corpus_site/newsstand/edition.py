"""What is out at a given moment: pieces with their dates and addresses, comments in open threads.

Everything follows from the moment at which the newsstand was opened, so a clock in a test decides
what appears, and a newsstand opened again with the same moment shows the same dates.
"""

import zlib
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone

from corpus_site.newsstand.papers import Paper, read_paper
from corpus_site.newsstand.pieces import Flag, PaperPiece, Post, read_pieces
from corpus_site.newsstand.revisions import Fate, Revision

SAST = timezone(timedelta(hours=2), "SAST")
# One piece of the reserve appears in this time, in one of the papers.
RESERVE_EVERY = timedelta(seconds=20)
# What a piece says first can be read for this long, however much its revisions are hurried.
FIRST_WORDS = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast revisions follow: from the opening on `hurry` times as fast as planned."""

    opened_at: datetime
    hurry: float

    def moment(self, published_at: datetime, planned_at: datetime) -> datetime:
        """Return when a revision is made that was planned for a moment."""
        start = max(published_at, self.opened_at.astimezone(published_at.tzinfo))
        wait = planned_at - start
        if wait <= timedelta():
            return planned_at
        return start + min(wait, FIRST_WORDS + wait / self.hurry)


@dataclass(frozen=True, slots=True)
class PublishedPiece:
    """A piece that has, or will have, its date and its place in a paper.

    `modified_at` is when what it says now was written; the addresses follow its first words.
    """

    piece: PaperPiece
    paper: Paper
    published_at: datetime
    modified_at: datetime
    fate: Fate = Fate.SHOWN
    pace: Pace | None = None

    @property
    def number(self) -> int:
        """A stable number from 10000: part of addresses, and the name of the thread."""
        return zlib.crc32(f"{self.paper.key}/{self.piece.slug}".encode()) % 90_000 + 10_000

    @property
    def path(self) -> str:
        """Path of the page on the paper's own server."""
        return self.paper.address.format(
            section=self.piece.section,
            slug=self.piece.slug,
            id=self.number,
            date=self.published_at,
        )

    @property
    def section_path(self) -> str:
        """Path of the page that lists the piece's section."""
        return f"/{self.piece.section}/"

    def has(self, flag: Flag) -> bool:
        """Whether the page is odd in this way."""
        return flag in self.piece.flags

    def at(self, now: datetime) -> "PublishedPiece":
        """Return it as its readers find it at a moment."""
        piece, fate, modified_at = self.piece, self.fate, self.modified_at
        for revision in self.piece.revisions:
            revised_at = self.revised_at(revision)
            if revised_at > now:
                break
            fate, modified_at = revision.fate, revised_at
            piece = replace(
                piece,
                title=revision.head("title", piece.title),
                standfirst=revision.head("standfirst", piece.standfirst),
                paragraphs=revision.paragraphs(piece.paragraphs),
            )
        return replace(self, piece=piece, fate=fate, modified_at=modified_at)

    def revised_at(self, revision: Revision) -> datetime:
        """Return the moment of a revision."""
        planned_at = self.published_at + revision.delay
        return planned_at if self.pace is None else self.pace.moment(self.published_at, planned_at)

    def is_closed(self, now: datetime) -> bool:
        """Whether nobody can comment any more."""
        thread = self.piece.thread
        if thread is None:
            return True
        return thread.closes_after is not None and self.published_at + thread.closes_after <= now

    def posts(self, now: datetime) -> list[Post]:
        """Return the comments written so far, oldest first."""
        posts = self.piece.thread.posts if self.piece.thread else ()
        return sorted(
            (post for post in posts if self.published_at + post.delay <= now),
            key=lambda post: (post.delay, post.number),
        )


class Edition:
    """All pieces of one paper, dated from the moment at which the newsstand was opened."""

    def __init__(self, key: str, opened_at: datetime, hurry: float = 1.0) -> None:
        self.paper = read_paper(key)
        self._pace = Pace(opened_at, hurry)
        self._articles = sorted(
            (self._dated(piece, opened_at) for piece in read_pieces(key)),
            key=lambda article: (article.published_at, article.piece.slug),
            reverse=True,
        )
        self.by_number = {article.number: article for article in self._articles}

    def _dated(self, piece: PaperPiece, opened_at: datetime) -> PublishedPiece:
        delay = -piece.age if piece.age is not None else RESERVE_EVERY * (piece.reserve or 0)
        published_at = (opened_at + delay).astimezone(SAST).replace(microsecond=0)
        return PublishedPiece(piece, self.paper, published_at, published_at, pace=self._pace)

    def out(self, now: datetime) -> list[PublishedPiece]:
        """Return what is out, newest first; what was taken off the paper is listed no more."""
        dated = (item.at(now) for item in self._articles if item.published_at <= now)
        return [item for item in dated if item.fate not in {Fate.REMOVED, Fate.GONE}]

    def before(self, article: PublishedPiece) -> list[PublishedPiece]:
        """Return all that came out before an article, newest first.

        In their first words and for ever, so that a page that leads on to them stays as it is.
        """
        numbers = [item.number for item in self._articles]
        return self._articles[numbers.index(article.number) + 1 :]

    def find(self, path: str, now: datetime) -> PublishedPiece | None:
        """Return the article at an address, if it is or ever was out."""
        out = (item for item in self._articles if item.published_at <= now)
        return next((item.at(now) for item in out if item.path == path), None)
