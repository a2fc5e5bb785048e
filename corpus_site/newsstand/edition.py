"""What is out at a given moment: pieces with their dates and addresses, comments in open threads.

Everything follows from the moment at which the newsstand was opened, so a clock in a test decides
what appears, and a newsstand opened again with the same moment shows the same dates.
"""

import zlib
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from corpus_site.newsstand.papers import Paper, read_paper
from corpus_site.newsstand.pieces import Flag, PaperPiece, Post, read_pieces

SAST = timezone(timedelta(hours=2), "SAST")
# One piece of the reserve appears in this time, in one of the papers.
RESERVE_EVERY = timedelta(seconds=20)


@dataclass(frozen=True, slots=True)
class PublishedPiece:
    """A piece that has, or will have, its date and its place in a paper."""

    piece: PaperPiece
    paper: Paper
    published_at: datetime

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

    def __init__(self, key: str, opened_at: datetime) -> None:
        self.paper = read_paper(key)
        self._articles = sorted(
            (self._dated(piece, opened_at) for piece in read_pieces(key)),
            key=lambda article: (article.published_at, article.piece.slug),
            reverse=True,
        )
        self.by_number = {article.number: article for article in self._articles}

    def _dated(self, piece: PaperPiece, opened_at: datetime) -> PublishedPiece:
        delay = -piece.age if piece.age is not None else RESERVE_EVERY * (piece.reserve or 0)
        published_at = (opened_at + delay).astimezone(SAST).replace(microsecond=0)
        return PublishedPiece(piece, self.paper, published_at)

    def out(self, now: datetime) -> list[PublishedPiece]:
        """Return what is out, newest first."""
        return [article for article in self._articles if article.published_at <= now]

    def find(self, path: str, now: datetime) -> PublishedPiece | None:
        """Return the article at an address, if it is out."""
        return next((article for article in self.out(now) if article.path == path), None)
