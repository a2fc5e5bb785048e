r"""What including and excluding patterns let in, tried on the addresses that a look-up found.

The same `LinkFilter` decides as when the source is followed. Pattern mistakes are said here in
words before anything is saved.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from corpus_site.drafts import DraftFeed
from feeds.crawler.addressing.links import BadPattern, LinkFilter
from feeds.crawler.documents.feed_document import FeedKind
from presentation.wording.figures import counted

SHOWN_ADDRESSES = 60  # of each side: what an editor looks through
MAX_SECTIONS = 8
# Fewer addresses of one first folder are no section.
_LEAST_IN_SECTION = 2
_FOLDER = re.compile(r"[a-z][a-z0-9\-]*", re.IGNORECASE)
# A star where a pattern begins or behind a slash: meant as in file names.
_LIKE_FILE_NAMES = re.compile(r"(?:^|[/|(])\*|\*\*")


@dataclass(frozen=True, slots=True)
class Decided:
    """One address, and why it is left out; an empty reason lets it in."""

    url: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A folder in which several of the addresses lie, and the pattern that names it."""

    name: str
    n_addresses: int
    pattern: str


@dataclass(frozen=True, slots=True)
class PatternPreview:
    """What patterns let in and leave out of the addresses found so far.

    With a `problems` of "include" or "exclude", which cannot be read, nothing was decided.
    """

    taken: tuple[Decided, ...] = ()
    left_out: tuple[Decided, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()  # field and sentence
    remarks: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()

    @property
    def n_found(self) -> int:
        return len(self.taken) + len(self.left_out)

    @property
    def shown_taken(self) -> tuple[Decided, ...]:
        return self.taken[:SHOWN_ADDRESSES]

    @property
    def shown_left_out(self) -> tuple[Decided, ...]:
        return self.left_out[:SHOWN_ADDRESSES]


def preview(feeds: Sequence[DraftFeed], include: str, exclude: str) -> PatternPreview:
    """Decide about all addresses that the chosen feeds list.

    Examples
    --------
    >>> urls = ("https://a.example/news/rain", "https://a.example/sport/cup")
    >>> feed = DraftFeed("https://a.example/feed", "", "", "rss", 2, None, "", True, False, urls)
    >>> found = preview([feed], "", "/sport/")
    >>> [one.url for one in found.taken], found.left_out[0].reason
    (['https://a.example/news/rain'], 'left out by the pattern “/sport/”')
    """
    addresses = _addresses(feeds, is_named=bool(include.strip()))
    problems = _problems(include, exclude)
    sections = _sections(list(addresses))
    if problems:
        return PatternPreview(problems=problems, sections=sections)
    links = LinkFilter.compile([include], [exclude])
    decided = [Decided(url, links.decide(url).reason) for url in addresses]
    taken = tuple(one for one in decided if not one.reason)
    left_out = tuple(one for one in decided if one.reason)
    remarks = tuple(_remarks(list(addresses), include.strip(), exclude.strip(), len(taken)))
    return PatternPreview(taken, left_out, (), remarks, sections)


def _addresses(feeds: Sequence[DraftFeed], *, is_named: bool) -> dict[str, None]:
    """List addresses once, in the order of the feeds.

    All links of an index page count where an including pattern says what a story is.
    """
    found = dict.fromkeys(url for feed in feeds for url in feed.addresses)
    if is_named:
        index = [feed for feed in feeds if feed.kind == FeedKind.INDEX]
        found |= dict.fromkeys(url for feed in index for url in feed.links)
    return found


def _problems(include: str, exclude: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name, sentence)
        for name, pattern in (("include", include), ("exclude", exclude))
        if (sentence := problem_of(pattern))
    )


def problem_of(pattern: str) -> str:
    """Say why a pattern cannot be read, with a hint where its slip is a known one; else nothing."""
    try:
        LinkFilter.compile([pattern])
    except BadPattern as problem:
        if _LIKE_FILE_NAMES.search(pattern):
            return f"{problem} A star is no wildcard here: write .* for anything, or leave it out."
        return str(problem)
    return ""


def _remarks(addresses: Sequence[str], include: str, exclude: str, n_taken: int) -> list[str]:
    """Name what was hardly meant: patterns that do nothing, or everything."""
    if not addresses:
        return []
    remarks = [_anchored(pattern) for pattern in (include, exclude) if pattern]
    n_included = _n_matching(include, addresses) if include else len(addresses)
    n_excluded = _n_matching(exclude, addresses) if exclude else 0
    if not n_included:
        remarks.append(f"None of the addresses found matches “{include}”: nothing would come in.")
    elif include and n_included == len(addresses):
        remarks.append(f"“{include}” lets in every address found: it may be left empty.")
    if exclude and not n_excluded:
        remarks.append(f"“{exclude}” leaves out none of the addresses found.")
    elif n_included and not n_taken:
        remarks.append(f"“{exclude}” leaves out all that would come in.")
    return [remark for remark in remarks if remark]


def _n_matching(pattern: str, addresses: Sequence[str]) -> int:
    links = LinkFilter.compile([], [pattern])
    return sum(not links.decide(url).accepted for url in addresses)


def _anchored(pattern: str) -> str:
    if not pattern.startswith("^") or pattern.startswith(("^http", "^(?:http", "^(http", "^.")):
        return ""
    return f"“{pattern}” begins with ^, and addresses begin with https://: leave the ^ out."


def _sections(addresses: Sequence[str]) -> tuple[Section, ...]:
    """Name the first folders of the addresses, the most frequent first."""
    folders = Counter(
        parts[0]
        for parts in (urlsplit(url).path.strip("/").split("/") for url in addresses)
        if len(parts) > 1 and _FOLDER.fullmatch(parts[0])
    )
    found = [
        Section(name, n, f"/{name}/")
        for name, n in folders.most_common(MAX_SECTIONS)
        if n >= _LEAST_IN_SECTION
    ]
    return tuple(found) if len(found) > 1 else ()


def sentence_of(found: PatternPreview) -> str:
    """Say how many addresses come in.

    Examples
    --------
    >>> sentence_of(PatternPreview((Decided("a"),), (Decided("b", "left out"),)))
    '1 of 2 addresses comes in, 1 stays out'
    """
    if not found.n_found:
        return "no address was found yet"
    n = len(found.taken)
    comes = "comes" if n == 1 else "come"
    stays = counted(len(found.left_out), "stays", "stay")
    return f"{n} of {counted(found.n_found, 'address', 'addresses')} {comes} in, {stays} out"
