"""Bundles: JSON text → definitions, and back.

A bundle is read whole or not at all: what is wrong is said with its place, line and column where
it is no JSON, else the path of the value. Nothing is read that the schema does not name.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.source_files.bundle_schema import (
    FEED_SETTINGS,
    FORMAT,
    SCHEMA_VERSION,
    SETTINGS,
    problems_of,
)
from extraction.source_files.content_checks import content_problems
from extraction.source_files.definitions import (
    ExtractorDefinition,
    FeedDefinition,
    FileProblem,
    RulesDefinition,
    SourceDefinition,
    SourceFile,
)
from feeds.crawler.addressing.canonical import canonicalize

# Places of the sources that were guessed; in no bundle that leaves the site.
_GUESSED = "guessed"
_RULE_DEFAULTS = {item.name: item.default for item in fields(Rule)}


class _TwiceError(ValueError):
    """A name stands twice in one object: one of its values would be lost."""


def read_bundle(text: str) -> SourceFile:
    """Read a bundle.

    Parameters
    ----------
    text
        JSON as `write_bundle` gives it, or as people write it.

    Returns
    -------
    SourceFile
        Its sources; or problems and no source.
    """
    document, problems = _parsed(text)
    problems = problems or _version_problems(document) or problems_of(document)
    if problems:
        return SourceFile(problems=tuple(problems))
    problems = content_problems(document["publications"])
    if problems:
        return SourceFile(problems=tuple(problems))
    return SourceFile(
        tuple(
            source_of(item, f"$.publications[{place}]")
            for place, item in enumerate(document["publications"])
        )
    )


def write_bundle(sources: Iterable[SourceDefinition], now: datetime) -> str:
    """Write a bundle that `read_bundle` reads back as the same sources."""
    return json.dumps(_document(sources, now), ensure_ascii=False, indent=1) + "\n"


def kept_bundle(sources: Sequence[SourceDefinition], now: datetime) -> str:
    """Write a bundle for `sources_of_kept`: with what its file did not say and was guessed."""
    guessed = [place for place, source in enumerate(sources) if source.is_guessed]
    return json.dumps(_document(sources, now) | {_GUESSED: guessed}, ensure_ascii=False)


def sources_of_kept(text: str) -> list[SourceDefinition]:
    """Give the sources of a bundle that `kept_bundle` wrote."""
    document = json.loads(text)
    guessed = frozenset(document.get(_GUESSED, ()))  # bundles of former versions have none
    return [
        replace(source_of(item, ""), is_guessed=place in guessed)
        for place, item in enumerate(document["publications"])
    ]


def _document(sources: Iterable[SourceDefinition], now: datetime) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": SCHEMA_VERSION,
        "exported_at": now.isoformat(),
        "publications": [source_json(source) for source in sources],
    }


def parse_bundle(publications: Iterable[Mapping[str, Any]]) -> SourceFile:
    """Check sources that stand in another format, such as OPML, as those of a bundle."""
    document = {
        "format": FORMAT,
        "version": SCHEMA_VERSION,
        "publications": list(publications),
    }
    return read_bundle(json.dumps(document))


def _parsed(text: str) -> tuple[Any, list[FileProblem]]:
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse), []
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        return None, [FileProblem(place, f"This is no JSON: {error.msg}.")]
    except (ValueError, RecursionError) as error:
        sentence = "It is nested too deeply." if isinstance(error, RecursionError) else str(error)
        return None, [FileProblem("", sentence)]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _TwiceError(f"The field “{twice[:60]}” stands twice in one object.")
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number of JSON.")


def _version_problems(document: Any) -> list[FileProblem]:
    """Tell a bundle from other JSON, and one of a newer schema from a broken one."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return [FileProblem("$.format", f"This is no bundle of sources: “{FORMAT}” is missing.")]
    version = document.get("version")
    if isinstance(version, int) and not isinstance(version, bool) and version > SCHEMA_VERSION:
        sentence = (
            f"It was written by a newer Broadsheet: schema {version}, and this one reads "
            f"{SCHEMA_VERSION}. Update this installation first."
        )
        return [FileProblem("$.version", sentence)]
    return []


def source_of(item: Mapping[str, Any], place: str) -> SourceDefinition:
    """Make a definition of a checked object."""
    settings = {name: item[name] for name in SETTINGS if name in item}
    rules = item.get("rules", {})
    extractor = item.get("extractor")
    return SourceDefinition(
        name=" ".join(item["name"].split()),
        home_url=canonicalize(item["home_url"]).url,
        slug=item.get("slug", ""),
        state=item.get("state", ""),
        settings=settings,
        tags=tuple(dict.fromkeys(" ".join(tag.split()) for tag in item.get("tags", ()))),
        feeds=tuple(map(_feed, item.get("feeds", ()))),
        published=tuple(sorted(map(_version, rules.get("published", ())), key=_number)),
        draft=_version(rules["draft"]) if "draft" in rules else None,
        extractor=(
            ExtractorDefinition(extractor["name"], extractor.get("parameters", {}))
            if extractor
            else None
        ),
        place=place,
    )


def source_json(source: SourceDefinition) -> dict[str, Any]:
    """Give a definition as an object of a bundle."""
    return _without_empty(
        {
            "name": source.name,
            "home_url": source.home_url,
            "slug": source.slug,
            "state": source.state,
            "tags": list(source.tags),
            "feeds": [_feed_json(feed) for feed in source.feeds],
            "rules": _without_empty(
                {
                    "published": [_version_json(version) for version in source.published],
                    "draft": _version_json(source.draft) if source.draft else None,
                }
            ),
            "extractor": (
                {"name": source.extractor.name, "parameters": dict(source.extractor.parameters)}
                if source.extractor
                else None
            ),
        }
    ) | dict(source.settings)


def _number(version: RulesDefinition) -> int:
    return version.number


def _feed(item: Mapping[str, Any]) -> FeedDefinition:
    settings = {name: item[name] for name in FEED_SETTINGS if name in item}
    url = canonicalize(item["url"]).url
    return FeedDefinition(url, item.get("title", ""), settings)


def _feed_json(feed: FeedDefinition) -> dict[str, Any]:
    return _without_empty({"url": feed.url, "title": feed.title}) | dict(feed.settings)


def _version(item: Mapping[str, Any]) -> RulesDefinition:
    return RulesDefinition(
        rules=tuple(map(_rule, item["rules"])),
        note=item.get("note", ""),
        valid_from=_moment(item.get("valid_from")),
        number=item.get("number", 0),
        published_at=_moment(item.get("published_at")),
    )


def _version_json(version: RulesDefinition) -> dict[str, Any]:
    return _without_empty(
        {
            "number": version.number,
            "published_at": _iso(version.published_at),
            "valid_from": _iso(version.valid_from),
            "note": version.note,
        }
    ) | {"rules": [_rule_json(rule) for rule in version.rules]}


def _rule(item: Mapping[str, Any]) -> Rule:
    return Rule(**{**item, "field": RuleField(item["field"]), "kind": RuleKind(item["kind"])})


def _rule_json(rule: Rule) -> dict[str, Any]:
    return {
        name: str(value) if name in {"field", "kind"} else value
        for name, value in asdict(rule).items()
        if value != _RULE_DEFAULTS[name]
    }


def _moment(text: str | None) -> datetime | None:
    return parse_datetime(text) if text else None


def _iso(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""


def _without_empty(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in ("", None, [], {}, 0)}
