"""Traps: addresses without an end that lead to the same pages again.

Addresses that differ in numbers, tokens, names and values alone are a *family*: calendars, session
numbers, sorted lists, paths that grow. Of each family a few hashes are kept: of words of its pages
and of the stories that they name. A page is *barren* when it shows no words and names no stories
that its family has not shown before; so many barren pages in a row stop the family. Pages of an
archive name other stories each, however many there are, so they go on.

Words are compared by the smallest hashes of each page (Broder 1997, "On the resemblance and
containment of documents"), so that time and memory do not grow with pages or their number.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit
from zlib import crc32

# In a row. A calendar's names of months are known after twelve pages; thirty are no accident.
BARREN_PAGES = 30
# Of stories: some dozens of dead addresses may stand beside each other in a list of a year.
BARREN_STORIES = 100
MAX_FAMILIES = 50  # of a crawl; those with the fewest barren pages are forgotten first
SKETCH_WORDS = 64  # of a page: with so many a share of new words is known to a tenth
KNOWN_WORDS = 320  # of a family: five pages that have no word in common
KNOWN_STORIES = 200  # of a family: what front pages and margins name beside their own
NEW_WORDS = 2  # of the sketch: a date in words, or the name of who is signed in
MAX_BYTES = 200_000  # of a page's source: menu and first screens of the largest pages
STOPPED_BY_HAND = "An editor has stopped them."
_MAX_SEGMENTS = 8
_WORD = re.compile(rb"[0-9A-Za-z_\x80-\xff]{3,40}")
_DIGIT = re.compile(rb"[0-9_]")
_TAG = re.compile(rb"<[^<>]*>")
_TOKEN = re.compile(r"[0-9A-Za-z_\-]{16,}")
_SESSION = re.compile(r"sess|sid$|token|cfid", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SeenPage:
    """What a page shows: hashes of its words, and of the stories that it names their families."""

    url: str
    is_story: bool
    words: tuple[int, ...]
    stories: tuple[tuple[str, int], ...] = ()


def seen_page(url: str, body: bytes, stories: Iterable[str], *, is_story: bool) -> SeenPage:
    """Take what is compared out of a page's source; linear in `MAX_BYTES` of it."""
    source = _without_scripts(body[:MAX_BYTES])
    text = _TAG.sub(b" ", source).lower()
    words = {crc32(word) for word in set(_WORD.findall(text)) if not _DIGIT.search(word)}
    named = dict.fromkeys(
        (family_of(story), crc32(_without_tokens(story).encode())) for story in stories
    )
    return SeenPage(url, is_story, tuple(sorted(words)[:SKETCH_WORDS]), tuple(named))


def _without_scripts(source: bytes) -> bytes:
    """Leave out scripts and styles, whose numbers and names change with each answer."""
    pieces = re.split(rb"(?i)<(script|style)\b", source)
    kept = [pieces[0]]
    for name, rest in zip(pieces[1::2], pieces[2::2], strict=True):
        end = rest.lower().find(b"</" + name.lower())
        kept.append(rest[end:] if end >= 0 else b"")
    return b" ".join(kept)


def family_of(url: str) -> str:
    """Give the family of an address: its host and path with numbers and names left open.

    Segments that come again count once, so that a path that grows stays in one family.

    Examples
    --------
    >>> family_of("https://a.example/events/2026/11/?day=3&view=list")
    'a.example/events/#/?day&view'
    >>> (
    ...     family_of("https://a.example/news/rain-in-the-karoo"),
    ...     family_of("https://a.example/b/b/c/b/"),
    ... )
    ('a.example/news/~', 'a.example/b/c/')
    """
    parts = urlsplit(url)
    segments = [segment for segment in parts.path.split("/") if segment]
    last = len(segments) - 1
    shapes = (_shape(segment, is_last=n == last) for n, segment in enumerate(segments))
    path = "/".join(list(dict.fromkeys(shapes))[:_MAX_SEGMENTS])
    slash = "/" if segments and parts.path.endswith("/") else ""
    names = sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)})
    query = "?" + "&".join(names) if names else ""
    return f"{parts.netloc}/{path}{slash}{query}"[:400]


def _shape(segment: str, *, is_last: bool) -> str:
    if segment.isdigit():
        return "#"
    if _is_token(segment) and segment.count("-") < 2:
        return "*"
    name = segment.partition(";")[0]
    return "~" if is_last and "-" in name else re.sub(r"\d+", "#", name)


def _is_token(text: str) -> bool:
    return bool(_TOKEN.fullmatch(text)) and any(character.isdigit() for character in text)


def _without_tokens(url: str) -> str:
    """Give an address whose sessions and such are left open: it names the same story."""
    parts = urlsplit(url)
    values = parse_qsl(parts.query, keep_blank_values=True)
    query = "&".join(f"{n}={'*' if _is_token(v) else v}" for n, v in values)
    return f"{parts.netloc}{parts.path.partition(';')[0]}?{query}"


@dataclass(slots=True)
class _Family:
    example: str
    n_pages: int = 0
    n_barren: int = 0
    words: list[int] = field(default_factory=list)
    stories: list[int] = field(default_factory=list)

    def is_barren(self, page: SeenPage, stories: Collection[int]) -> bool:
        """Whether a page shows nothing that the family has not shown; remembers it."""
        n_new = len(set(page.words) - set(self.words))
        # A story of which only the address is new is none, whatever it names in its margin.
        is_new = n_new > NEW_WORDS or (not page.is_story and not set(stories) <= set(self.stories))
        self.words = _remembered(self.words, page.words, KNOWN_WORDS)
        self.stories = _remembered(self.stories, stories, KNOWN_STORIES)
        return not is_new


def _remembered(known: list[int], seen: Collection[int], most: int) -> list[int]:
    again = set(seen)
    return ([item for item in known if item not in again] + list(seen))[-most:]


@dataclass(slots=True)
class Traps:
    """The families of a crawl, and those that were stopped with a sentence each."""

    families: dict[str, _Family] = field(default_factory=dict)
    stopped: dict[str, str] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()  # by an editor's word, whatever they show

    def see(self, page: SeenPage) -> str:
        """Look at a page that came; returns the sentence where it stops its family, or nothing."""
        name = family_of(page.url)
        if name in self.stopped or name in self.taken:
            return ""
        family = self.families.setdefault(name, _Family(page.url))
        family.n_pages += 1
        # What belongs to a trap is no story, however it looks, nor is the next page of the same.
        others = {name, *self.stopped}
        stories = [story for of, story in page.stories if of not in others]
        family.n_barren = family.n_barren + 1 if family.is_barren(page, stories) else 0
        most = BARREN_STORIES if page.is_story else BARREN_PAGES
        if family.n_barren >= most:
            del self.families[name]
            self.stopped[name] = _sentence(page, family)
            return self.stopped[name]
        self._forget()
        return ""

    def obey(self, taken: Collection[str], stopped: Collection[str]) -> tuple[bool, bool]:
        """Let an editor's words stand over what was seen.

        Returns whether a family that was stopped is taken again, and whether another one stops.
        """
        again = self.stopped.keys() & set(taken)
        new = set(stopped) - self.stopped.keys()
        self.stopped = {n: told for n, told in self.stopped.items() if n not in again}
        self.stopped |= dict.fromkeys(sorted(new), STOPPED_BY_HAND)
        for name in new:
            self.families.pop(name, None)
        self.taken = frozenset(taken)
        return bool(again), bool(new)

    def holds(self, url: str) -> bool:
        """Whether an address belongs to a family that was stopped."""
        return bool(self.stopped) and family_of(url) in self.stopped

    def _forget(self) -> None:
        while len(self.families) > MAX_FAMILIES:
            # Of equals the one that was met first.
            least = min(self.families, key=lambda name: self.families[name].n_barren)
            del self.families[least]

    @classmethod
    def of_stored(cls, stored: dict[str, Any] | None) -> Self:
        """Read what `stored` has given."""
        if not stored:
            return cls()
        families = {name: _Family(*row) for name, row in stored["families"]}
        return cls(families, dict(stored["stopped"]))

    def stored(self) -> dict[str, Any]:
        """Give all of it as JSON takes it; families keep their order."""
        families = [
            [name, [one.example, one.n_pages, one.n_barren, one.words, one.stories]]
            for name, one in self.families.items()
        ]
        return {"families": families, "stopped": self.stopped}


def _sentence(page: SeenPage, family: _Family) -> str:
    url = page.url if len(page.url) <= 200 else page.url[:199] + "…"
    return (
        f"No more addresses such as {url} are taken: the last {family.n_barren} of them showed "
        f"nothing new. {_likely(page)}"
    )


def _likely(page: SeenPage) -> str:
    parts = urlsplit(page.url)
    values = parse_qsl(parts.query, keep_blank_values=True)
    if any(_SESSION.search(name) or _is_token(value) for name, value in values):
        return "Each address carries another session, it seems."
    if page.is_story:
        return "The site answers so for pages that are not there, it seems."
    if re.search(r"/(?:19|20)\d\d(?:[/\-]|$)|month|year|day", page.url):
        return "They are days of a calendar, it seems."
    if values:
        return "Their parameters have no end, it seems."
    return "The same page comes at ever new paths, it seems."
