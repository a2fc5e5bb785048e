"""The schema of a bundle of sources (JSON Schema 2020-12), and what a field is checked for.

Lengths and choices are those of the tables. A field that is not named here is refused: a slip of
the pen must not pass for a default.
"""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from django.db.models import BooleanField, CharField, Field, FloatField, JSONField, TextField

from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import RuleVersion, SiteRule
from extraction.models.evaluation import EXTRACTOR_NAMES
from extraction.source_files.definitions import FileProblem
from feeds.crawler.timing.schedules import LEAST_MINUTES, MOST_MINUTES, MOST_TIMES
from feeds.models import Feed, Publication, TakenKind
from feeds.models.publication import MOST_VISIT_SHARE

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

FORMAT = "broadsheet-sources"
SCHEMA_VERSION = 1
# As many sources as a national collection has; more is a directory, not somebody's sources.
MAX_SOURCES = 10_000
MAX_FEEDS = 20_000
MAX_FEEDS_OF_SOURCE = 2_000
MAX_VERSIONS = 200
MAX_RULES = 500
MAX_TAGS = 50
MAX_TAG_LENGTH = 60
MAX_PROBLEMS = 50
_MAX_NOTE = 20_000
_MAX_INTEGER = 32_767  # what the smallest column of both databases takes
_FAR = 1e6  # no share, delay or count of ours is larger

# Columns of a publication that are an editor's choice; its account is never among them.
SETTINGS = (
    "language",
    "expected_languages",
    "time_zone",
    "allow_browser_agent",
    "allow_proxy",
    "render_pages",
    "min_delay_seconds",
    "include_pattern",
    "exclude_pattern",
    "visit_share",
    "min_characters",
    "taken_kinds",
    "rights_policy",
    "comments_keep_days",
    "note",
)
# The same of a feed, beside its address and title.
FEED_SETTINGS = ("kind", "is_active", "found_by", "schedule")


def chosen(row: Publication | Feed) -> dict[str, object]:
    """Give all settings of a row: a file spells defaults out, or it could not bring them back."""
    names = SETTINGS if isinstance(row, Publication) else FEED_SETTINGS
    return {name: getattr(row, name) for name in names}


def problems_of(document: object) -> list[FileProblem]:
    """Check a document against the schema; the first problems in the order of the document."""
    found = []
    for error in _validator().iter_errors(document):
        found.append(FileProblem(error.json_path, _sentence(error)))
        if len(found) >= MAX_PROBLEMS:
            break
    return found


@cache
def _validator() -> "Draft202012Validator":
    from jsonschema import Draft202012Validator  # noqa: PLC0415 (20 ms, of checks alone)

    return Draft202012Validator(bundle_schema())


def bundle_schema() -> dict[str, Any]:
    """Give the whole schema, for the validator and for people."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Sources of a Broadsheet installation",
        **_object(
            {
                "format": {"const": FORMAT},
                "version": {"const": SCHEMA_VERSION},
                "exported_at": _text(40),
                "publications": {
                    "type": "array",
                    "maxItems": MAX_SOURCES,
                    "items": _source(),
                },
            },
            ("format", "version", "publications"),
        ),
    }


def _source() -> dict[str, Any]:
    fields = {
        "name": _text(200, 1),
        "home_url": _text(2048, 1),
        "slug": {"type": "string", "maxLength": 80, "pattern": r"^[-a-zA-Z0-9_]+$"},
        "state": {"enum": ["draft", "active", "paused"]},
        "tags": {"type": "array", "maxItems": MAX_TAGS, "items": _text(MAX_TAG_LENGTH, 1)},
        "feeds": {"type": "array", "maxItems": MAX_FEEDS_OF_SOURCE, "items": _feed()},
        "rules": _object(
            {
                "published": {
                    "type": "array",
                    "maxItems": MAX_VERSIONS,
                    "items": _version(("number", "published_at")),
                },
                "draft": _version(()),
            }
        ),
        "extractor": _object(
            {
                "name": {"enum": [name for name, _ in EXTRACTOR_NAMES]},
                "parameters": {"type": "object", "maxProperties": 50},
            },
            ("name",),
        ),
        **{name: _column(Publication._meta.get_field(name)) for name in SETTINGS},
    }
    return _object(fields, ("name", "home_url"))


def _feed() -> dict[str, Any]:
    columns = {name: _column(Feed._meta.get_field(name)) for name in ("title", *FEED_SETTINGS)}
    return _object({"url": _text(2048, 1), **columns}, ("url",))


def _version(needed: tuple[str, ...]) -> dict[str, Any]:
    moment = {"type": ["string", "null"], "maxLength": 40}
    fields: dict[str, Any] = {
        "rules": {"type": "array", "maxItems": MAX_RULES, "items": _rule()},
        "note": _column(RuleVersion._meta.get_field("note")),
        "valid_from": moment,
    }
    if needed:
        fields["number"] = {"type": "integer", "minimum": 1, "maximum": _MAX_INTEGER}
        fields["published_at"] = {"type": "string", "maxLength": 40}
    return _object(fields, ("rules", *needed))


def _rule() -> dict[str, Any]:
    fields = {name: _rule_column(name) for name in Rule.__dataclass_fields__}
    return _object(fields, ("field", "kind"))


def _rule_column(name: str) -> dict[str, Any]:
    if name == "field":
        return {"enum": [field.value for field in RuleField]}
    if name == "kind":
        return {"enum": [kind.value for kind in RuleKind]}
    return _column(SiteRule._meta.get_field(name))


def _column(column: Any) -> dict[str, Any]:
    """Give the schema of what a column takes."""
    if column.name == "taken_kinds":
        return {"type": "array", "maxItems": 10, "items": {"enum": list(TakenKind.values)}}
    if column.name == "schedule":
        return _schedule()
    schema = _plain_column(column)
    if column.null:
        schema = {**schema, "type": [schema["type"], "null"]}
    return schema


def _schedule() -> dict[str, Any]:
    """Give the schema of when an editor wants a feed visited, as `Schedule.to_json` writes it."""
    minutes = {"type": ["integer", "null"], "minimum": LEAST_MINUTES, "maximum": MOST_MINUTES}
    times = {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"}
    days = {"type": "integer", "minimum": 0, "maximum": 6}
    fields: dict[str, Any] = {
        "every_minutes": minutes,
        "times": {"type": "array", "maxItems": MOST_TIMES, "items": times},
        "days": {"type": "array", "maxItems": 7, "items": days},
    }
    return {**_object(fields), "type": ["object", "null"]}


def _plain_column(column: "Field[Any, Any]") -> dict[str, Any]:
    if column.choices:
        return {"type": "string", "enum": [value for value, _ in column.choices]}
    if isinstance(column, BooleanField):
        return {"type": "boolean"}
    if isinstance(column, (CharField, TextField)):
        return _text(column.max_length or _MAX_NOTE)
    if isinstance(column, FloatField):
        most = MOST_VISIT_SHARE if column.name == "visit_share" else _FAR
        return {"type": "number", "minimum": 0, "maximum": most}
    if isinstance(column, JSONField):
        return {"type": "object"}
    least = -_MAX_INTEGER if column.name == "split_index" else 0
    most = 365 if column.name == "comments_keep_days" else _MAX_INTEGER
    return {"type": "integer", "minimum": least, "maximum": most}


def _text(most: int, least: int = 0) -> dict[str, Any]:
    return {"type": "string", "minLength": least, "maxLength": most}


def _object(fields: dict[str, Any], needed: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(needed),
        "additionalProperties": False,
    }


def _sentence(error: Any) -> str:
    """Say a validator's finding in plain words, without the value, which may be a whole book."""
    if error.validator == "additionalProperties":
        names = ", ".join(f"“{name}”" for name in _unknown(error))
        return f"Unknown field: {names}."
    if error.validator in {"maxLength", "maxItems", "maxProperties"}:
        return f"It is longer than {error.validator_value}."
    if error.validator == "enum":
        return f"{_short(error.instance)} is none of {', '.join(map(str, error.validator_value))}."
    if error.validator == "type":
        return f"{_short(error.instance)} is not of type {error.validator_value}."
    if error.validator == "required":
        return f"A field is missing: {error.message.split(' is a ')[0]}."
    return f"{error.message[:300]}."


def _unknown(error: Any) -> Iterator[str]:
    known = error.schema["properties"]
    return (str(name)[:60] for name in error.instance if name not in known)


def _short(value: object) -> str:
    text = str(value)
    return f"“{text[:60]}…”" if len(text) > 60 else f"“{text}”"
