"""What an import would change: definitions against what is stored → one comparison a source.

The same comparison is shown before an import and carried out by it (`importing`). A source is known
by its home page, else by its feeds; what a list of another program says nothing of is known by its
site. An import neither starts, stops nor deletes what is here.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum

from extraction.html.site_rules.rules import Rule
from extraction.source_files.bundle_schema import SETTINGS
from extraction.source_files.definitions import (
    DEFAULT_EXTRACTOR,
    FeedDefinition,
    RulesDefinition,
    SourceDefinition,
)
from extraction.source_files.stored_sources import stored_sources
from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.models import Feed, Publication
from feeds.sources.publications import home_key, site_of

# Below the variables that SQLite takes in a statement.
_KEYS_AT_ONCE = 5_000
_SHOWN_VALUE = 80


class Verdict(StrEnum):
    """What an import makes of a source."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Difference:
    """One line of a comparison: what, and its values here and in the file."""

    what: str
    here: str = ""
    there: str = ""

    def __str__(self) -> str:
        if not self.here:
            return f"+ {self.what}: {self.there}" if self.there else f"+ {self.what}"
        return f"~ {self.what}: {self.here} → {self.there or 'empty'}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A source of a file beside what is stored; `known_id` is 0 for a new one.

    `settings` are those that differ, `feeds` new ones, `tags` new ones; `published` are versions of
    rules to be written, `draft` the draft to be begun. `remarks` say what an import leaves alone.
    """

    source: SourceDefinition
    known_id: int = 0
    known_slug: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    feeds: tuple[FeedDefinition, ...] = ()
    switched: tuple[FeedDefinition, ...] = ()
    tags: tuple[str, ...] = ()
    published: tuple[RulesDefinition, ...] = ()
    draft: RulesDefinition | None = None
    is_extractor_new: bool = False
    differences: tuple[Difference, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        if not self.known_id:
            return Verdict.NEW
        return Verdict.CHANGED if self.differences else Verdict.SAME


@dataclass(frozen=True, slots=True)
class _Directory:
    """What is stored, as files name it: home pages, sites, names, and the owners of feeds."""

    homes: Mapping[str, int]
    sites: Mapping[str, int]
    names: Mapping[str, str]
    deleted: frozenset[int]


def compare(sources: Sequence[SourceDefinition]) -> list[Comparison]:
    """Compare sources with what is stored, in their order; nothing is written."""
    directory = _directory()
    owners = _owners(feed.url for source in sources for feed in source.feeds)
    known = [_known(source, directory, owners) for source in sources]
    ids = {pk for pk in known if pk}
    stored = _stored(ids)
    doubled = Counter(source.name.casefold() for source in sources)
    found = []
    for source, pk in zip(sources, known, strict=True):
        remarks = [*_feed_remarks(source, pk, owners)]
        if pk:
            comparison = _with_known(source, pk, stored[pk], owners)
            if pk in directory.deleted:
                remarks.append("It was deleted here, and stays so: restore it on its page.")
        else:
            comparison = _new(source, owners)
            remarks += _name_remarks(source, directory, doubled)
        found.append(_remarked(comparison, remarks))
    return found


def _remarked(comparison: Comparison, remarks: list[str]) -> Comparison:
    return replace(comparison, remarks=(*comparison.remarks, *remarks))


def _directory() -> _Directory:
    homes: dict[str, int] = {}
    sites: dict[str, int] = {}
    names: dict[str, str] = {}
    deleted = set()
    rows = Publication.objects.order_by("pk")
    for pk, name, home_url, deleted_at in rows.values_list("pk", "name", "home_url", "deleted_at"):
        names.setdefault(name.casefold(), home_url)
        if deleted_at:
            deleted.add(pk)
        with suppress(BadUrl):  # somebody may have edited it into none
            home = canonicalize(home_url)
            homes.setdefault(home_key(home), pk)
            sites.setdefault(site_of(home.host), pk)
    return _Directory(homes, sites, names, frozenset(deleted))


def _owners(urls: Iterable[str]) -> dict[str, tuple[int, str]]:
    """Owners of feeds that are known, by the feeds' addresses: key and name of a publication."""
    by_key = {canonicalize(url).key: url for url in urls}
    keys = list(by_key)
    found = {}
    for start in range(0, len(keys), _KEYS_AT_ONCE):
        rows = Feed.objects.filter(page__key__in=keys[start : start + _KEYS_AT_ONCE])
        for key, pk, name in rows.values_list("page__key", "publication_id", "publication__name"):
            found[by_key[key]] = (pk, name)
    return found


def _known(
    source: SourceDefinition, directory: _Directory, owners: Mapping[str, tuple[int, str]]
) -> int:
    home = canonicalize(source.home_url)
    pk = directory.homes.get(home_key(home), 0)
    if not pk and source.is_guessed:
        pk = directory.sites.get(site_of(home.host), 0)
    if not pk:
        holders = {owners[feed.url][0] for feed in source.feeds if feed.url in owners}
        pk = holders.pop() if len(holders) == 1 else 0
    return pk


def _stored(ids: set[int]) -> dict[int, SourceDefinition]:
    rows = Publication.objects.filter(pk__in=ids).order_by("pk")
    return dict(zip(sorted(ids), stored_sources(rows), strict=True))


def _feed_remarks(
    source: SourceDefinition, pk: int, owners: Mapping[str, tuple[int, str]]
) -> Iterator[str]:
    for feed in source.feeds:
        owner, name = owners.get(feed.url, (pk, ""))
        if owner != pk:
            yield f"{feed.url} stays where it is: it is a feed of “{name}”."


def _name_remarks(
    source: SourceDefinition, directory: _Directory, doubled: Counter[str]
) -> Iterator[str]:
    name = source.name.casefold()
    if name in directory.names:
        yield f"“{source.name}” is the name of {directory.names[name]} already."
    elif doubled[name] > 1:
        yield f"The file has “{source.name}” {doubled[name]} times, with different home pages."


def _new(source: SourceDefinition, owners: Mapping[str, tuple[int, str]]) -> Comparison:
    feeds = tuple(feed for feed in source.feeds if feed.url not in owners)
    return Comparison(
        source,
        settings=source.settings,
        feeds=feeds,
        tags=source.tags,
        published=source.published,
        draft=source.draft,
        is_extractor_new=source.extractor not in {None, DEFAULT_EXTRACTOR},
        differences=(
            *(Difference("feed", there=feed.url) for feed in feeds),
            *(Difference("tag", there=tag) for tag in source.tags),
            *_rule_differences(source.published, source.draft),
        ),
    )


def _with_known(
    source: SourceDefinition,
    pk: int,
    here: SourceDefinition,
    owners: Mapping[str, tuple[int, str]],
) -> Comparison:
    settings = {} if source.is_guessed else _changed_settings(source, here)
    feeds = tuple(feed for feed in source.feeds if feed.url not in owners)
    switched = () if source.is_guessed else tuple(_switched(source, here))
    tags = tuple(tag for tag in source.tags if tag not in here.tags)
    published, draft, remark = _rules(source, here)
    is_extractor_new = source.extractor is not None and source.extractor != here.extractor
    shown = {"name": here.name} | dict(here.settings)
    differences = (
        *(Difference(name, _shown(shown[name]), _shown(settings[name])) for name in settings),
        *(Difference("feed", there=feed.url) for feed in feeds),
        *(Difference(feed.url, *_on_off(feed)) for feed in switched),
        *(Difference("tag", there=tag) for tag in tags),
        *_rule_differences(published, draft),
        *(_extractor_difference(source, here) if is_extractor_new else ()),
    )
    return Comparison(
        source,
        pk,
        here.slug,
        settings,
        feeds,
        switched,
        tags,
        published,
        draft,
        is_extractor_new,
        differences,
        (remark,) if remark else (),
    )


def _changed_settings(source: SourceDefinition, here: SourceDefinition) -> dict[str, object]:
    changed = {
        name: source.settings[name]
        for name in SETTINGS
        if name in source.settings and source.settings[name] != here.settings[name]
    }
    return ({"name": source.name} if source.name != here.name else {}) | changed


def _switched(source: SourceDefinition, here: SourceDefinition) -> Iterator[FeedDefinition]:
    """Give feeds that are switched on in one and off in the other."""
    states = {feed.url: feed.settings["is_active"] for feed in here.feeds}
    for feed in source.feeds:
        wanted = feed.settings.get("is_active")
        if wanted is not None and feed.url in states and states[feed.url] != wanted:
            yield feed


def _on_off(feed: FeedDefinition) -> tuple[str, str]:
    return ("off", "on") if feed.settings["is_active"] else ("on", "off")


def _rules(
    source: SourceDefinition, here: SourceDefinition
) -> tuple[tuple[RulesDefinition, ...], RulesDefinition | None, str]:
    """Say which rules are written: versions where there is none, else a draft, and a remark.

    What is published here goes on reading pages until an editor publishes the draft.
    """
    if source.published and not here.published and here.draft is None:
        return source.published, source.draft, ""
    wanted = source.draft or (source.published[-1] if source.published else None)
    if wanted is None or _rule_set(wanted) in {_rule_set(own) for own in _own_rules(here)}:
        return (), None, ""
    if here.draft is not None:
        return (), None, "Its rules are left out: here is a draft of other rules already."
    return (), wanted, ""


def _own_rules(here: SourceDefinition) -> Iterator[RulesDefinition]:
    yield from here.published[-1:]
    if here.draft is not None:
        yield here.draft


def _rule_set(version: RulesDefinition) -> frozenset[Rule]:
    return frozenset(version.rules)


def _rule_differences(
    published: Sequence[RulesDefinition], draft: RulesDefinition | None
) -> Iterator[Difference]:
    for version in published:
        yield Difference(f"rules, version {version.number}", there=_n_rules(version))
    if draft is not None:
        yield Difference("rules, as a draft", there=_n_rules(draft))


def _n_rules(version: RulesDefinition) -> str:
    return f"{len(version.rules)} rule{'' if len(version.rules) == 1 else 's'}"


def _extractor_difference(source: SourceDefinition, here: SourceDefinition) -> Iterator[Difference]:
    names = [
        f"{item.name} {dict(item.parameters) or ''}".strip() if item else ""
        for item in (here.extractor, source.extractor)
    ]
    yield Difference("extractor", *names)


def _shown(value: object) -> str:
    if value in (None, "", []):
        return "empty"
    text = str(value)
    return text if len(text) <= _SHOWN_VALUE else f"{text[:_SHOWN_VALUE]}…"
