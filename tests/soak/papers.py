"""Newspapers of a simulated year: stories that are corrected, commented on and laid out anew.

All follows from a seed and the clock, so what should be in the corpus can be computed.
"""

import random
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.utils import format_datetime
from functools import cache
from html import escape

from integration.feeds.origin import Answer, answer, not_found, redirect

from corpus_site.newsstand.papers import PAPER_KEYS
from corpus_site.newsstand.pieces import read_pieces

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LISTED = 15  # items of a feed
HTML = (("Content-Type", "text/html; charset=utf-8"),)
XML = (("Content-Type", "application/rss+xml"),)
TEXT = (("Content-Type", "text/plain"),)
CORRECTED_SHARE = 0.08  # of stories; of corrections the newsstand has as many
CORRECTED_AFTER = (2, 60)  # hours
COMMENTED_SHARE = 0.2
MOST_COMMENTS = 6
COMMENTED_WITHIN = 40  # hours: most threads of newspapers close within two days
_PARAGRAPHS = (4, 9)
_SENTENCE_WORDS = (9, 22)
_JOINING = (
    *("the", "of", "and", "a", "in", "to", "was", "for", "on", "that"),
    *("with", "by", "at", "from", "as", "it", "is", "were", "had", "not"),
)
_JOINING_SHARE = 0.45  # of an English text's tokens are as frequent as these


@cache
def _vocabulary() -> tuple[str, ...]:
    """Words of the demo newspapers that carry meaning."""
    pieces = [piece for key in PAPER_KEYS[:2] for piece in read_pieces(key)]
    words = {
        word
        for piece in pieces
        for paragraph in piece.paragraphs
        for word in paragraph.lower().split()
        if word.isascii() and word.isalpha() and len(word) > len("word")
    }
    return tuple(sorted(words))


def _sentence(chance: random.Random) -> str:
    joining = [chance.random() < _JOINING_SHARE for _ in range(chance.randint(*_SENTENCE_WORDS))]
    words = [chance.choice(_JOINING if one else _vocabulary()) for one in joining]
    return f"{' '.join(words).capitalize()}."


def _paragraph(chance: random.Random) -> str:
    return " ".join(_sentence(chance) for _ in range(chance.randint(2, 4)))


@dataclass(frozen=True, slots=True)
class Post:
    """A reader's comment, so long after its story."""

    number: int
    after: timedelta
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Story:
    """One article of a paper; texts are made when they are asked for."""

    paper: str
    number: int
    moment: datetime
    corrected_after: timedelta | None

    @property
    def path(self) -> str:
        words = "-".join(self.title.lower().split())
        return f"/{self.moment:%Y/%m/%d}/{words}-{self.number}"

    def _chance(self, of: str) -> random.Random:
        return random.Random(f"{self.paper} {self.number} {of}")

    @property
    def title(self) -> str:
        return " ".join(self._chance("title").choices(_vocabulary(), k=6)).capitalize()

    def texts(self) -> tuple[str, ...]:
        """Give its text and, of a corrected one, the later text."""
        chance = self._chance("text")
        own = [_paragraph(chance) for _ in range(chance.randint(*_PARAGRAPHS))]
        first = "\n".join(own)
        if self.corrected_after is None:
            return (first,)
        own[chance.randrange(len(own))] = _paragraph(chance)
        return first, "\n".join([*own, _paragraph(chance)])

    def text_at(self, now: datetime) -> str:
        is_corrected = self.corrected_after and now >= self.moment + self.corrected_after
        return self.texts()[-1 if is_corrected else 0]

    def posts(self, now: datetime) -> list[Post]:
        """Give the comments that were written by now, in order."""
        chance = self._chance("posts")
        n = chance.randint(1, MOST_COMMENTS) if chance.random() < COMMENTED_SHARE else 0
        after = sorted(chance.uniform(0.2, COMMENTED_WITHIN) for _ in range(n))
        names = [f"{chance.choice(_vocabulary())}{number}".capitalize() for number in range(n)]
        found = [
            Post(number, hours * HOUR, names[number], _sentence(chance))
            for number, hours in enumerate(after)
        ]
        return [post for post in found if self.moment + post.after <= now]


@dataclass
class Paper:
    """A newspaper with hours and days of its own; `trouble` answers before it does."""

    name: str
    clock: Callable[[], datetime]
    stories: Sequence[Story]
    layouts: list[tuple[datetime, int]]  # since when which one
    feed_path: str = "/feed"
    old_feeds: dict[str, Answer] = field(default_factory=dict)
    trouble: Callable[[str], Answer | None] = lambda _path: None

    @property
    def host(self) -> str:
        return f"{self.name}.example"

    def out(self, now: datetime) -> Sequence[Story]:
        """Give the stories that have appeared by now."""
        return self.stories[: bisect_right(self.stories, now, key=lambda story: story.moment)]

    def listed_until(self, place: int) -> datetime | None:
        """Say when the story at a place leaves the feed; None for not within the year."""
        after = place + LISTED
        return self.stories[after].moment if after < len(self.stories) else None

    def answer_to(self, path: str) -> Answer:
        """Answer as this paper does now."""
        if (troubled := self.trouble(path)) is not None:
            return troubled
        if path == "/robots.txt":
            return answer(b"User-agent: *\nAllow: /\n", 200, TEXT)
        return self.old_feeds.get(path) or self._made(path, self.clock())

    def _made(self, path: str, now: datetime) -> Answer:
        if path == self.feed_path:
            return answer(self._feed(now), 200, XML)
        if path == "/":
            return answer(self._home(now), 200, HTML)
        number = path.rpartition("-")[2]
        place = int(number) if number.isdigit() else len(self.stories)
        out = self.out(now)
        if place < len(out) and out[place].path == path:
            return answer(self._page(out[place], now), 200, HTML)
        return not_found

    @property
    def stories_a_day(self) -> float:
        """Give its pace, at least one story a fortnight."""
        first, last = self.stories[0].moment, self.stories[-1].moment
        return max(len(self.stories) / max((last - first) / DAY, 1.0), 1 / 14)

    def n_between(self, begin: datetime, end: datetime) -> int:
        """Count the stories of a span."""
        return sum(begin <= story.moment < end for story in self.stories)

    def keep_silent(self, begin: datetime, end: datetime) -> None:
        """Let nothing appear between two moments."""
        left = [story for story in self.stories if not begin <= story.moment < end]
        self.stories = [replace(story, number=place) for place, story in enumerate(left)]

    def move_feed(self, path: str, left: Answer | None = None) -> None:
        """Give the feed another address; the old one leads there, or answers as given."""
        self.old_feeds[self.feed_path] = left or redirect(f"http://{self.host}{path}", 301)
        self.feed_path = path

    def _feed(self, now: datetime) -> bytes:
        items = "".join(
            f"<item><title>{story.title}</title><link>http://{self.host}{story.path}</link>"
            f"<guid>http://{self.host}{story.path}</guid>"
            f"<pubDate>{format_datetime(story.moment)}</pubDate></item>"
            for story in reversed(self.out(now)[-LISTED:])
        )
        title = f"<title>{self.name.title()}</title>"
        return f"<rss version='2.0'><channel>{title}{items}</channel></rss>".encode()

    def _home(self, now: datetime) -> bytes:
        links = "".join(
            f"<li><a href='{story.path}'>{story.title}</a></li>" for story in self.out(now)[-20:]
        )
        feed = f"<link rel='alternate' type='application/rss+xml' href='{self.feed_path}'>"
        return f"<html lang='en'><head>{feed}</head><body><ul>{links}</ul></body></html>".encode()

    def _page(self, story: Story, now: datetime) -> bytes:
        layout = [number for since, number in self.layouts if since <= now][-1]
        near = [one for one in self.out(now)[-6:] if one is not story]
        return LAYOUTS[layout](self, story, now, near).encode()


def _links(stories: Sequence[Story]) -> str:
    return "".join(f"<li><a href='{one.path}'>{one.title}</a></li>" for one in stories)


def _body(story: Story, now: datetime) -> str:
    return "".join(f"<p>{escape(one)}</p>" for one in story.text_at(now).split("\n"))


def _classic(paper: Paper, story: Story, now: datetime, near: Sequence[Story]) -> str:
    comments = "".join(
        f"<li class='comment' id='comment-{story.number}{post.number}'><cite class='fn'>{post.name}"
        f"</cite> <time datetime='{(story.moment + post.after).isoformat()}'>said</time>"
        f"<div class='comment-content'><p>{post.text}</p></div></li>"
        for post in story.posts(now)
    )
    listed = f"<ol class='comment-list'>{comments}</ol>" if comments else ""
    return (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{story.title} | "
        f"{paper.name.title()}</title></head><body><nav><a href='/'>Home</a></nav>"
        f"<main><article><h1>{story.title}</h1><time datetime='{story.moment.isoformat()}'>"
        f"{story.moment:%d %B %Y}</time><div class='entry-content'>{_body(story, now)}</div>"
        f"</article><aside><h2>More news</h2><ul>{_links(near)}</ul></aside><section id='comments'>"
        f"{listed}</section></main><footer><p>It is {now:%H:%M}. Copyright {paper.name.title()}, "
        "all rights reserved.</p></footer></body></html>"
    )


def _boxes(paper: Paper, story: Story, now: datetime, near: Sequence[Story]) -> str:
    comments = "".join(
        f"<div class='post' data-id='{story.number}{post.number}'><b class='author'>{post.name}</b>"
        f"<span class='date'>{story.moment + post.after:%d %B %Y, %H:%M}</span>"
        f"<p class='text'>{post.text}</p></div>"
        for post in story.posts(now)
    )
    listed = f"<h3>Comments</h3>{comments}" if comments else ""
    described = (
        f'{{"@context":"https://schema.org","@type":"NewsArticle","headline":"{story.title}",'
        f'"datePublished":"{story.moment.isoformat()}"}}'
    )
    return (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{story.title}</title>"
        f"<script type='application/ld+json'>{described}</script></head><body><div class='top'>"
        f"<a href='/'>{paper.name.title()}</a> <span>{now:%d %B %Y %H:%M}</span></div><div "
        f"class='wrap'><div class='story'><h1>{story.title}</h1><div class='story__text'>"
        f"{_body(story, now)}</div><div class='share'>Share Tweet Print</div></div><div "
        f"class='rail'><h4>Most read</h4><ul>{_links(near)}</ul></div><div id='comments' "
        f"class='comments'>{listed}</div></div><div class='foot'>Subscribe to our newsletter and "
        "never miss a story.</div></body></html>"
    )


def _plain(paper: Paper, story: Story, now: datetime, near: Sequence[Story]) -> str:
    return (
        f"<html><head><title>{paper.name.title()}: {story.title}</title><meta "
        f"name='date' content='{story.moment.isoformat()}'></head><body><table><tr><td "
        f"class='menu'><ul>{_links(near)}</ul></td><td class='main'><h2 class='headline'>"
        f"{story.title}</h2>{_body(story, now)}<p class='count'>Read {now.hour * 7 + 3} times</p>"
        "</td></tr></table></body></html>"
    )


# With comments in the page, with comments in another form, and without.
LAYOUTS = (_classic, _boxes, _plain)


def make_paper(
    number: int, clock: Callable[[], datetime], span: tuple[datetime, datetime], a_day: float
) -> Paper:
    """Make a paper with hours, weekdays and a pace of its own, and its stories of the span."""
    name = f"paper-{number:03d}"
    chance = random.Random(name)
    opens, open_hours = chance.randint(4, 10), chance.randint(6, 14)
    weekday = [1.0] * 5 + [chance.choice((0.0, 0.4, 1.0)), chance.choice((0.0, 0.5, 1.0))]
    pace = a_day * chance.uniform(0.4, 1.6)
    begin, end = span
    moments, day = [], begin
    while day < end:
        n = _drawn(chance, pace * weekday[day.weekday()] * 7 / sum(weekday))
        moments += [day + (opens + chance.uniform(0, open_hours)) * HOUR for _ in range(n)]
        day += DAY
    stories = [
        Story(name, place, moment.replace(microsecond=0), _correction(chance))
        for place, moment in enumerate(sorted(moments))
    ]
    return Paper(name, clock, stories, [(begin - DAY, chance.randrange(len(LAYOUTS)))])


def _drawn(chance: random.Random, mean: float) -> int:
    """Draw a count with this mean: the arrivals within a day."""
    n, at = 0, chance.expovariate(1.0)
    while at < mean:
        n, at = n + 1, at + chance.expovariate(1.0)
    return n


def _correction(chance: random.Random) -> timedelta | None:
    if chance.random() >= CORRECTED_SHARE:
        return None
    return chance.uniform(*CORRECTED_AFTER) * HOUR
