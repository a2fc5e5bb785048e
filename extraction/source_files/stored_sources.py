"""Stored publications → definitions, as files hold them. Accounts and what was learnt stay here."""

from collections.abc import Iterator

from django.db.models import Prefetch, QuerySet

from extraction.models import RuleVersion
from extraction.rules.published import as_rule
from extraction.source_files.bundle_schema import chosen
from extraction.source_files.definitions import (
    DEFAULT_EXTRACTOR,
    ExtractorDefinition,
    FeedDefinition,
    RulesDefinition,
    SourceDefinition,
)
from feeds.models import Feed, Publication

# Publications whose feeds and rules are held in memory at once.
_AT_ONCE = 200


def stored_sources(publications: QuerySet[Publication]) -> Iterator[SourceDefinition]:
    """Give definitions in the order of the queryset, in some statements for each 200."""
    rows = publications.select_related("extractor_setting").prefetch_related(
        "tags",
        Prefetch("feeds", Feed.objects.select_related("page").order_by("pk")),
        Prefetch("rule_versions", RuleVersion.objects.order_by("number").prefetch_related("rules")),
    )
    return map(definition_of, rows.iterator(chunk_size=_AT_ONCE))


def definition_of(row: Publication) -> SourceDefinition:
    """Give the definition of a publication whose feeds, tags and rules were read with it."""
    versions = list(row.rule_versions.all())
    drafts = [version for version in versions if version.published_at is None]
    return SourceDefinition(
        name=row.name,
        home_url=row.home_url,
        slug=row.slug,
        state=row.state,
        settings=chosen(row),
        tags=tuple(tag.name for tag in row.tags.all()),
        feeds=tuple(map(_feed, row.feeds.all())),
        published=tuple(_version(version) for version in versions if version not in drafts),
        draft=_version(drafts[0]) if drafts else None,
        extractor=_extractor(row),
    )


def _feed(row: Feed) -> FeedDefinition:
    return FeedDefinition(row.page.url, row.title, chosen(row))


def _version(row: RuleVersion) -> RulesDefinition:
    return RulesDefinition(
        rules=tuple(map(as_rule, row.rules.all())),
        note=row.note,
        valid_from=row.valid_from,
        number=row.number if row.published_at else 0,
        published_at=row.published_at,
    )


def _extractor(row: Publication) -> ExtractorDefinition:
    setting = getattr(row, "extractor_setting", None)
    return (
        ExtractorDefinition(setting.extractor, setting.parameters) if setting else DEFAULT_EXTRACTOR
    )
