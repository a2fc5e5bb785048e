"""What a schema cannot say: addresses, patterns, zones, moments, rules, and what stands twice.

Objects of a bundle that fit the schema → problems, each with the path of its value.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from zoneinfo import available_timezones

from django.utils.dateparse import parse_datetime

from extraction.html.algorithms.parameters import AlgorithmParameterError
from extraction.html.algorithms.registry import ExtractorChoice
from extraction.html.site_rules.rule_check import check_rule
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.source_files.bundle_schema import MAX_FEEDS, MAX_PROBLEMS
from extraction.source_files.definitions import FileProblem
from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.addressing.links import BadPattern, LinkFilter
from feeds.sources.publications import home_key

_Item = Mapping[str, Any]
# PostgreSQL takes no NUL, and no encoding takes half a pair.
_NUL, _FIRST_HALF, _LAST_HALF = "\0", "\ud800", "\udfff"


def content_problems(publications: Sequence[_Item]) -> list[FileProblem]:
    """Find what is wrong with sources that fit the schema; the first of it, in their order."""
    problems: list[FileProblem] = []
    for finding in _all(publications):
        problems.append(finding)
        if len(problems) >= MAX_PROBLEMS:
            break
    return problems


def _all(publications: Sequence[_Item]) -> Iterator[FileProblem]:
    n_feeds = sum(len(item.get("feeds", ())) for item in publications)
    if n_feeds > MAX_FEEDS:
        yield FileProblem("$.publications", f"{n_feeds} feeds; at most {MAX_FEEDS} are read.")
    homes: dict[str, str] = {}
    feeds: dict[str, str] = {}
    for position, item in enumerate(publications):
        place = f"$.publications[{position}]"
        yield from _characters(item, place)
        yield from _addresses(item, place, homes, feeds)
        yield from _settings(item, place)
        yield from _rules(item.get("rules", {}), f"{place}.rules")
        yield from _extractor(item.get("extractor"), f"{place}.extractor")


def _characters(value: Any, place: str) -> Iterator[FileProblem]:
    """Find text that no database takes."""
    if isinstance(value, str):
        if _NUL in value or any(_FIRST_HALF <= sign <= _LAST_HALF for sign in value):
            yield FileProblem(place, "It holds a character that is none.")
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield from _characters(part, f"{place}.{name}")
    elif isinstance(value, list):
        for position, part in enumerate(value):
            yield from _characters(part, f"{place}[{position}]")


def _addresses(
    item: _Item, place: str, homes: dict[str, str], feeds: dict[str, str]
) -> Iterator[FileProblem]:
    yield from _once(item["home_url"], f"{place}.home_url", homes, home_key)
    for position, feed in enumerate(item.get("feeds", ())):
        yield from _once(
            feed["url"], f"{place}.feeds[{position}].url", feeds, lambda address: address.key
        )


def _once(
    url: str, place: str, seen: dict[str, str], key_of: Callable[..., str]
) -> Iterator[FileProblem]:
    try:
        key = key_of(canonicalize(url))
    except BadUrl as problem:
        yield FileProblem(place, str(problem))
        return
    if key in seen:
        yield FileProblem(place, f"The same address stands at {seen[key]} already.")
    seen.setdefault(key, place)


def _settings(item: _Item, place: str) -> Iterator[FileProblem]:
    for name in ("include_pattern", "exclude_pattern"):
        try:
            LinkFilter.compile([item.get(name, "")])
        except BadPattern as problem:
            yield FileProblem(f"{place}.{name}", str(problem))
    zone = item.get("time_zone", "")
    if zone and zone not in available_timezones():
        yield FileProblem(f"{place}.time_zone", f"“{zone}” is no zone of the IANA database.")
    if not item["name"].strip():
        yield FileProblem(f"{place}.name", "The publication needs a name.")


def _extractor(item: _Item | None, place: str) -> Iterator[FileProblem]:
    if item is None:
        return
    try:
        ExtractorChoice.of(item["name"], item.get("parameters", {}))
    except AlgorithmParameterError as problem:
        yield FileProblem(f"{place}.parameters", str(problem))


def _rules(item: _Item, place: str) -> Iterator[FileProblem]:
    numbers: dict[int, int] = {}
    for position, version in enumerate(item.get("published", ())):
        here = f"{place}.published[{position}]"
        number = version["number"]
        if number in numbers:
            sentence = f"Version {number} stands twice."
            yield FileProblem(f"{here}.number", sentence)
        numbers[number] = position
        yield from _moment(version["published_at"], f"{here}.published_at")
        yield from _version(version, here)
    if "draft" in item:
        yield from _version(item["draft"], f"{place}.draft")


def _version(version: _Item, place: str) -> Iterator[FileProblem]:
    if version.get("valid_from"):
        yield from _moment(version["valid_from"], f"{place}.valid_from")
    seen: dict[Rule, int] = {}
    for position, item in enumerate(version["rules"]):
        here = f"{place}.rules[{position}]"
        rule = Rule(**{**item, "field": RuleField(item["field"]), "kind": RuleKind(item["kind"])})
        for problem in check_rule(rule):
            if problem.is_error:
                yield FileProblem(f"{here}.{problem.part}", problem.sentence)
        if rule in seen:
            yield FileProblem(here, f"The same rule stands at {place}.rules[{seen[rule]}].")
        seen.setdefault(rule, position)


def _moment(text: str, place: str) -> Iterator[FileProblem]:
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        yield FileProblem(place, "It is no moment such as 2026-11-20T10:30:00+02:00.")
