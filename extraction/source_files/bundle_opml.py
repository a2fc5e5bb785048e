"""OPML lists: definitions → OPML that any reader takes, and lists of any reader → definitions.

Tags are groups (the first one) and categories (all). What OPML has no word for stands in attributes
of our own namespace: `source` holds the publication as in a bundle, without its feeds, `feed` what
was chosen for a feed. Other programs ignore both. Of FreshRSS's namespace the full-text selectors
are read as a draft of rules, and written for the newest published rules.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.source_files.bundle_json import parse_bundle, source_json
from extraction.source_files.bundle_schema import (
    MAX_FEEDS,
    MAX_PROBLEMS,
    MAX_TAG_LENGTH,
    SCHEMA_VERSION,
)
from extraction.source_files.definitions import FileProblem, SourceDefinition, SourceFile
from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.documents.feed_document import FeedKind
from feeds.crawler.documents.opml import OpmlDocument, OpmlFeed, read_opml, write_opml
from feeds.sources.publications import site_of

_OWN_STEM = "urn:broadsheet:sources:"
OWN = f"{_OWN_STEM}{SCHEMA_VERSION}"
FRESHRSS = "https://freshrss.org/opml"
_SOURCE, _FEED, _OF = f"{{{OWN}}}source", f"{{{OWN}}}feed", f"{{{OWN}}}of"
_FULL_TEXT, _FILTER = f"{{{FRESHRSS}}}cssFullContent", f"{{{FRESHRSS}}}cssFullContentFilter"
_XPATH_ITEM = f"{{{FRESHRSS}}}xPathItem"
_FROM_FRESHRSS = "From FreshRSS."


def write_source_list(title: str, sources: Iterable[SourceDefinition]) -> bytes:
    """Write sources as OPML; `read_source_list` gives them back."""
    feeds = [feed for source in sources for feed in _outlines(source)]
    return write_opml(title, feeds, {"broadsheet": OWN, "frss": FRESHRSS})


def read_source_list(body: bytes) -> SourceFile:
    """Read an OPML list of ours or of another program.

    Feeds that nothing more is said of belong to the publication of their site.
    """
    document = read_opml(body, MAX_FEEDS)
    problems = _newer(document)
    if document.problem or problems:
        return SourceFile(problems=(*problems, FileProblem("", document.problem))[:1])
    collected, problems = _collected(document)
    if problems:
        return SourceFile(problems=tuple(problems[:MAX_PROBLEMS]))
    read = parse_bundle(item.document for item in collected)
    if read.problems:
        return SourceFile(problems=tuple(_placed(item, collected) for item in read.problems))
    sources = (
        replace(source, place=f"line {item.line}", is_guessed=not item.is_own)
        for source, item in zip(read.sources, collected, strict=True)
    )
    return SourceFile(tuple(sources), remarks=tuple(_remarks(document)))


# Writing


def _outlines(source: SourceDefinition) -> Iterator[OpmlFeed]:
    """Give an outline a feed; the first carries the source, which may have none."""
    document = source_json(source)
    feeds = document.pop("feeds", [])
    extra = {_SOURCE: json.dumps(document)} | _freshrss(source)
    around = (source.home_url, source.tags[:1], source.tags)
    if not feeds:
        yield OpmlFeed("", source.name, *around, extra)
    key = source.slug or source.home_url
    for feed in feeds:
        url = feed.pop("url")
        own = {_OF: key} | ({_FEED: json.dumps(feed)} if feed else {})
        title = feed.get("title") or source.name
        yield OpmlFeed(url, title, *around, extra | own)
        extra = _freshrss(source)


def _freshrss(source: SourceDefinition) -> dict[str, str]:
    """Say the newest rules as FreshRSS takes them, as far as it has words for them."""
    rules = source.published[-1].rules if source.published else ()
    css = [rule for rule in rules if rule.kind is RuleKind.CSS]
    found = {}
    for field_, name in ((RuleField.BODY, _FULL_TEXT), (RuleField.REMOVE, _FILTER)):
        selectors = ", ".join(rule.selector for rule in css if rule.field is field_)
        if selectors:
            found[name] = selectors
    return found


# Reading


@dataclass(slots=True)
class _Collected:
    """A source as it is put together from its outlines: an object of a bundle, where it began."""

    document: dict[str, Any]
    line: int
    is_own: bool
    feeds: list[dict[str, Any]] = field(default_factory=list)
    tags: dict[str, None] = field(default_factory=dict)


def _newer(document: OpmlDocument) -> list[FileProblem]:
    for outline in (*document.feeds, *document.others):
        for name in outline.extra:
            stem, _, rest = name.partition("}")
            number = stem.removeprefix(f"{{{_OWN_STEM}")
            if rest and number.isdecimal() and int(number) > SCHEMA_VERSION:
                sentence = (
                    f"It was written by a newer Broadsheet: schema {number}, and this one reads "
                    f"{SCHEMA_VERSION}. Update this installation first."
                )
                return [FileProblem(f"line {outline.line}", sentence)]
    return []


def _collected(document: OpmlDocument) -> tuple[list[_Collected], list[FileProblem]]:
    found: dict[str, _Collected] = {}
    problems: list[FileProblem] = []
    for outline in (*document.others, *document.feeds):
        try:
            if _SOURCE in outline.extra:
                _begin(found, outline)
        except ValueError as problem:
            problems.append(FileProblem(f"line {outline.line}", str(problem)))
    for outline in document.feeds:
        try:
            _add(found, outline)
        except ValueError as problem:
            problems.append(FileProblem(f"line {outline.line}", str(problem)))
    for item in found.values():
        item.document["feeds"] = item.feeds
        if not item.is_own and item.tags:
            item.document["tags"] = list(item.tags)
    return sorted(found.values(), key=lambda item: item.line), problems


def _begin(found: dict[str, _Collected], outline: OpmlFeed) -> None:
    """Take the source that an outline of ours carries; ValueError for one that is broken."""
    document = _object(outline.extra[_SOURCE], "source")
    document.pop("feeds", None)
    key = outline.extra.get(_OF) or str(document.get("slug") or document.get("home_url"))
    if key in found:
        raise ValueError(f"The source “{key[:80]}” stands twice.")
    found[key] = _Collected(document, outline.line, is_own=True)


def _add(found: dict[str, _Collected], outline: OpmlFeed) -> None:
    """Give a feed to the source it names, else to that of its site."""
    own = found.get(outline.extra.get(_OF, ""))
    item = own or _of_site(found, outline)
    feed = _object(outline.extra[_FEED], "feed") if _FEED in outline.extra else {}
    if not own:
        feed = {"title": outline.title} if outline.title else {}
        if _XPATH_ITEM in outline.extra:
            feed["kind"] = FeedKind.INDEX.value
        _freshrss_draft(item, outline.extra)
        names = (*outline.group[-1:], *outline.categories)
        item.tags |= dict.fromkeys(name[:MAX_TAG_LENGTH] for name in names)
    item.feeds.append(feed | {"url": outline.url})


def _of_site(found: dict[str, _Collected], outline: OpmlFeed) -> _Collected:
    address = canonicalize(outline.url)
    home_url = f"{address.url.partition('://')[0]}://{address.host}/"
    host = address.host
    if outline.home_url:
        try:
            home = canonicalize(outline.home_url)
            home_url, host = home.url, home.host
        except BadUrl:
            pass
    site = site_of(host)
    key = f"site {site}"
    if key not in found:
        document = {"name": site, "home_url": home_url}
        found[key] = _Collected(document, outline.line, is_own=False)
    return found[key]


def _freshrss_draft(item: _Collected, extra: Mapping[str, str]) -> None:
    """Read FreshRSS's selectors as a draft: an editor looks at them before they read pages."""
    rules = [
        Rule(field_, RuleKind.CSS, selector)
        for field_, name in ((RuleField.BODY, _FULL_TEXT), (RuleField.REMOVE, _FILTER))
        if (selector := extra.get(name, "").strip())
    ]
    if rules and "rules" not in item.document:
        written = [
            {"field": rule.field.value, "kind": rule.kind.value, "selector": rule.selector}
            for rule in rules
        ]
        item.document["rules"] = {"draft": {"rules": written, "note": _FROM_FRESHRSS}}


def _object(text: str, name: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"The attribute “{name}” is no JSON: {error}.") from error
    if not isinstance(value, dict):
        raise ValueError(f"The attribute “{name}” is no JSON object.")  # noqa: TRY004 (of the file)
    return value


def _placed(problem: FileProblem, collected: list[_Collected]) -> FileProblem:
    """Say the line of the source's outline beside the path within it."""
    path = problem.place.removeprefix("$.publications[")
    number, sign, rest = path.partition("]")
    if not (sign and number.isdecimal()):
        return problem
    return FileProblem(f"line {collected[int(number)].line}, ${rest}", problem.sentence)


def _remarks(document: OpmlDocument) -> Iterator[FileProblem]:
    for address, problem in document.refused:
        yield FileProblem(address, f"left out. {problem}")
    for address in document.includes:
        yield FileProblem(address[:300], "another list, which is not followed.")
    if document.n_over:
        yield FileProblem("", f"{document.n_over} feeds are over the limit and left out.")
