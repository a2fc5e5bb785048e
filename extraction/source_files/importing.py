"""Imports of sources, a slice in a transaction; and the stage that works on those of the browser.

Each slice is compared anew and written as compared, so that an import may be repeated, and one that
was killed goes on: what it has written is the same by then. Tags, feeds and settings are written by
their own services.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.urls import reverse

from extraction.extractors import choose_extractor
from extraction.models import ExtractorSetting, SourceImport
from extraction.rules.versions import bring_draft, bring_versions
from extraction.source_files.bundle_json import kept_bundle, sources_of_kept
from extraction.source_files.comparing import Comparison, Verdict, compare
from extraction.source_files.definitions import SourceDefinition, SourceFile
from feeds.jobs import JOBS_PER_KIND, Job
from feeds.models import Feed, Publication, PublicationState, WorkQuerySet
from feeds.sources import many_sources, tags
from feeds.sources.many_sources import FeedOfSource, NewSource
from feeds.sources.publications import set_feed_active
from feeds.work import leases
from feeds.work.batches import Report, run_each
from feeds.work.leases import Claim

# Sources of one transaction: some 400 feeds, written in a second or two.
SLICE_SOURCES = 100


@dataclass(frozen=True, slots=True)
class ImportTerms:
    """How to import: who asks, when, and what with.

    With `only_new`, known sources stay as they are. With `starts`, new ones that the file gives no
    state of run at once.
    """

    now: datetime
    user_id: int | None = None
    only_new: bool = False
    starts: bool = False


def import_slices(
    sources: Sequence[SourceDefinition], terms: ImportTerms
) -> Iterator[Counter[str]]:
    """Import sources slice by slice; gives what each slice came to, when it is committed."""
    for start in range(0, len(sources), SLICE_SOURCES):
        yield import_sources(sources[start : start + SLICE_SOURCES], terms)


@transaction.atomic
def import_sources(sources: Sequence[SourceDefinition], terms: ImportTerms) -> Counter[str]:
    """Write what sources differ in from what is stored; counts by verdict, and new feeds."""
    comparisons = compare(sources)
    chosen = [
        item
        for item in comparisons
        if item.verdict is Verdict.NEW or (item.differences and not terms.only_new)
    ]
    rows = _publications(chosen, terms)
    counts = Counter(item.verdict.value for item in comparisons)
    counts["feeds"] = many_sources.add_new_feeds(
        [
            FeedOfSource(row, feed.url, feed.title, feed.settings)
            for item, row in zip(chosen, rows, strict=True)
            for feed in item.feeds
        ],
        terms.now,
    )
    tags.add_tags({row.pk: item.tags for item, row in zip(chosen, rows, strict=True)})
    for item, row in zip(chosen, rows, strict=True):
        _write_rest(item, row, terms)
    return counts


def _publications(chosen: Sequence[Comparison], terms: ImportTerms) -> list[Publication]:
    """Make new publications, and change the settings of known ones; in the order of `chosen`."""
    new = [item for item in chosen if not item.known_id]
    made = iter(many_sources.create_publications([_new(item, terms) for item in new], terms.now))
    known = Publication.objects.in_bulk(item.known_id for item in chosen if item.known_id)
    rows = []
    for item in chosen:
        if item.known_id and item.settings:
            many_sources.change_publication(known[item.known_id], item.settings)
        rows.append(known[item.known_id] if item.known_id else next(made))
    return rows


def _new(item: Comparison, terms: ImportTerms) -> NewSource:
    source = item.source
    state = source.state or (PublicationState.ACTIVE if terms.starts else PublicationState.DRAFT)
    return NewSource(source.name, source.home_url, source.slug, state, item.settings)


def _write_rest(item: Comparison, row: Publication, terms: ImportTerms) -> None:
    """Write what few sources have: switched feeds, rules, an extractor."""
    if item.switched:
        wanted = {feed.url: feed.settings["is_active"] for feed in item.switched}
        for feed in Feed.objects.filter(publication=row, page__url__in=wanted).select_related(
            "page"
        ):
            set_feed_active(feed, is_active=bool(wanted[feed.page.url]), now=terms.now)
    if item.published:
        bring_versions(row.pk, item.published, terms.user_id, terms.now)
    if item.draft is not None:
        bring_draft(row.pk, item.draft.rules, item.draft.note, terms.now)
    extractor = item.source.extractor
    if extractor is not None and item.is_extractor_new:
        choose_extractor(
            ExtractorSetting(
                publication=row,
                extractor=extractor.name,
                parameters=dict(extractor.parameters),
                changed_at=terms.now,
                changed_by_id=terms.user_id,
            )
        )


# The stage


def offer(file: SourceFile, name: str, user_id: int, now: datetime) -> SourceImport:
    """Keep a file that was read until somebody confirms what it would change."""
    _unconfirmed().filter(asked_by=user_id).delete()
    return SourceImport.objects.create(
        file_name=name[:200],
        bundle=kept_bundle(file.sources, now),
        remarks=[str(remark) for remark in file.remarks],
        n_all=len(file.sources),
        planned=_planned(file),
        asked_by_id=user_id,
        created_at=now,
    )


def _planned(file: SourceFile) -> dict[str, int]:
    comparisons = compare(file.sources)
    counts = Counter(item.verdict.value for item in comparisons)
    return dict(counts, feeds=sum(len(item.feeds) for item in comparisons))


def offered_sources(row: SourceImport) -> list[SourceDefinition]:
    """Give the sources of a file that was kept; none once it was imported."""
    return sources_of_kept(row.bundle) if row.bundle else []


def confirm(row: SourceImport, now: datetime, *, only_new: bool, starts: bool) -> bool:
    """Let the stage import a file; False when it was confirmed before."""
    rows = _unconfirmed().filter(pk=row.pk)
    return bool(rows.reschedule(now, only_new=only_new, starts=starts))


def forget(row: SourceImport) -> None:
    """Throw a file away that nobody has confirmed."""
    _unconfirmed().filter(pk=row.pk).delete()


def _unconfirmed() -> WorkQuerySet[SourceImport]:
    return SourceImport.objects.filter(due_at=None, finished_at=None, n_done=0)


def run(limit: int, terms: Claim) -> Report:
    """Claim imports and write the next slice of each."""
    return run_each(SourceImport.objects.all(), limit, terms, _import_slice)


@transaction.atomic
def _import_slice(row: SourceImport, terms: Claim) -> Report:
    sources = offered_sources(row)[row.n_done : row.n_done + SLICE_SOURCES]
    how = ImportTerms(terms.now, row.asked_by_id, row.only_new, row.starts)
    counts = import_sources(sources, how)
    n_done = row.n_done + len(sources)
    is_last = n_done >= row.n_all or not sources
    leases.complete_or_undo(
        row,
        terms.owner,
        due_at=None if is_last else terms.now,
        n_done=n_done,
        counts=dict(Counter(row.counts) + counts),
        bundle="" if is_last else row.bundle,
        finished_at=terms.now if is_last else None,
    )
    return Report(done=Counter(imported=len(sources)))


def jobs(now: datetime) -> Iterator[Job]:
    """List the newest imports that were confirmed."""
    rows = SourceImport.objects.select_related("asked_by").order_by("-pk")
    for row in rows.exclude(due_at=None, finished_at=None, n_done=0)[:JOBS_PER_KIND]:
        yield Job(
            kind="Import of sources",
            subject=str(row),
            address=reverse("sources-import", args=[row.pk]),
            n_done=row.n_done,
            n_all=row.n_all,
            unit="source,sources",
            now=now,
            row=row,
            asked_by=row.asked_by,
            asked_at=row.created_at,
        )
