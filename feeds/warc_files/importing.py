"""Imports of web archives, a slice of a file at a time; writes `WarcImport`, and pages as a visit.

A slice reads records, makes their addresses known, copies what is taken into the archive, and then
writes in one transaction the fetches, the pages' documents and how far it came. A page that has
none takes the first of its documents; the others stand beside it, and the extraction puts their
texts in the order of their time. What a page has byte for byte is not taken again, so a slice may
be done again. What a killed process had not handed on to the extraction is handed on by the next
slice.
"""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.urls import reverse

from feeds.archive.fetches import archive_result, fetch_row, sync_archive
from feeds.archive.outside import look_for_files, note_file
from feeds.crawler.addressing.slugs import slug
from feeds.crawler.archive.warc import ArchiveRecord
from feeds.crawler.fetching.exchange import FetchResult
from feeds.crawler.outcomes import Outcome
from feeds.frontier import NewPage, add_pages
from feeds.jobs import JOBS_PER_KIND, Job
from feeds.models import Fetch, Page, PageKind, Publication, WarcImport
from feeds.visiting.captures import CaptureRights
from feeds.visiting.given_documents import IMPORTED
from feeds.warc_files import uploads
from feeds.warc_files.publications_of_hosts import publications_of
from feeds.warc_files.slices import Found, Slice, read_slice
from feeds.work import leases
from feeds.work.batches import Report, run_each
from feeds.work.leases import Claim

# Findings that are kept with their words; all are counted.
MAX_PROBLEMS = 50
# Of a look; a file of Common Crawl News has some hundreds.
MAX_HOSTS = 2_000
OTHER_HOSTS = "others"
# What is counted: pages are the answers that were chosen, of which some are stored and the others
# were known; filtered are the other answers, broken what could not be read.
COUNTED = ("records", "pages", "stored", "known", "filtered", "broken")
_MAX_WORDS = 200


def run(limit: int, terms: Claim) -> Report:
    """Claim imports and work on the next slice of each; pages with a new document go on."""
    return run_each(WarcImport.objects.all(), limit, terms, _import_slice)


def pending(limit: int, now: datetime) -> int:  # noqa: ARG001 (the stages share a signature)
    """Remove uploads that are read, and look for files that are referred to."""
    uploads.remove_read(now)
    look_for_files(now)
    return 0


def jobs(now: datetime) -> Iterator[Job]:
    """List the newest imports."""
    for row in WarcImport.objects.select_related("asked_by")[:JOBS_PER_KIND]:
        yield Job(
            kind="Look into a web archive" if row.is_look else "Import of a web archive",
            subject=str(row),
            address=reverse("warc-imports"),
            n_done=row.offset,
            n_all=row.n_bytes,
            unit="byte,bytes",
            now=now,
            row=row,
            asked_by=row.asked_by,
            asked_at=row.created_at,
            since=row.began_at,
        )


def _import_slice(row: WarcImport, terms: Claim) -> Report:
    began = time.monotonic()
    if row.offset >= row.n_bytes and not row.n_passed:
        return _finish(row, terms)
    read = read_slice(row)
    if row.is_look:
        return _count(row, read, terms, time.monotonic() - began)
    known = _make_known(row, read, terms.now)
    captures = _capture(row, read, known, terms.now)
    return _write(row, read, captures, terms, time.monotonic() - began)


def _count(row: WarcImport, read: Slice, terms: Claim, seconds: float) -> Report:
    """Note of whom the pages of a slice are, and go on; nothing else is written."""
    found = Counter(row.hosts_found)
    for answers in read.pages.values():
        found[answers[0].address.host] += len(answers)
    if len(found) > MAX_HOSTS:
        named = dict(found.most_common(MAX_HOSTS - 1))
        found = Counter(named | {OTHER_HOSTS: found.total() - sum(named.values())})
    leases.complete(
        row, terms.owner, hosts_found=dict(found), **_progress(row, read, terms, seconds)
    )
    return Report()


def _progress(row: WarcImport, read: Slice, terms: Claim, seconds: float) -> dict[str, Any]:
    """Give the columns that say how far a file was read."""
    return {
        "due_at": terms.now,
        "offset": read.place.offset,
        "n_passed": 0 if read.is_last else read.place.n_passed,
        "counts": dict(Counter(row.counts) + read.counts),
        "problems": [*row.problems, *read.problems][:MAX_PROBLEMS],
        "began_at": row.began_at or terms.now,
        "worked_seconds": row.worked_seconds + seconds,
    }


def _finish(row: WarcImport, terms: Claim) -> Report:
    """Hand on what the last slice has written, and end."""
    leases.complete(row, terms.owner, finished_at=terms.now, handed_on=[])
    return Report(next_ids={"pages": tuple(row.handed_on)})


@transaction.atomic
def _make_known(row: WarcImport, read: Slice, now: datetime) -> dict[str, Page]:
    """Let the frontier know all addresses; gives the pages that may take a document."""
    firsts = {key: min(found, key=_when) for key, found in read.pages.items()}
    hosts = {first.address.host for first in firsts.values()}
    of_host = {} if row.publication else publications_of(hosts, now)
    if row.only_new:
        firsts = {key: first for key, first in firsts.items() if _is_new(row, of_host, first)}
        left_out = [read.pages.pop(key) for key in set(read.pages) - set(firsts)]
        _leave_out(read, sum(map(len, left_out)))
    added = add_pages(
        [
            NewPage(
                url=first.address.url,
                key=key,
                host=first.address.host,
                kind=PageKind.ARTICLE,
                publication_id=(row.publication or of_host[first.address.host]).pk,
                slug=slug(first.address.url),
                due_reason=f"{IMPORTED}{row}"[:_MAX_WORDS],
                found_at=first.result.started_at,
            )
            for key, first in firsts.items()
        ],
        now,
    )
    rows = Page.objects.filter(pk__in=added.ids.values(), kind=PageKind.ARTICLE, lease_owner="")
    # An address may be another one of a page that is named by none of the records.
    pages = {page.key: page for page in rows.select_related("publication")}
    return {key: pages[key] for key in read.pages if key in pages}


def _is_new(row: WarcImport, of_host: dict[str, Publication], first: Found) -> bool:
    """Whether the publication of a page is none that was there before the import was asked for."""
    return not row.publication and of_host[first.address.host].created_at >= row.created_at


def _leave_out(read: Slice, n_answers: int) -> None:
    read.counts["filtered"] += n_answers
    read.counts["pages"] -= n_answers
    read.n_found -= n_answers


def _when(found: Found) -> datetime:
    return found.result.started_at


def _unknown(read: Slice, known: dict[str, Page]) -> Iterator[tuple[str, Found]]:
    """Give what no page has yet, byte for byte, each page's in the order of their time."""
    ids = [page.pk for page in known.values()]
    fetches = Fetch.objects.filter(page__in=ids).exclude(digest="").order_by()
    seen = set(fetches.values_list("page_id", "digest"))
    for key, page in known.items():
        for found in sorted(read.pages[key], key=_when):
            if (page.pk, found.digest) not in seen:
                seen.add((page.pk, found.digest))
                yield key, found


@dataclass(frozen=True, slots=True)
class _Capture:
    """A page with its document, which lies in the archive now."""

    page: Page
    result: FetchResult
    record: ArchiveRecord | None
    digest: str
    rights_said: list[list[str]]


def _capture(row: WarcImport, read: Slice, known: dict[str, Page], now: datetime) -> list[_Capture]:
    """Copy what is taken into our archive, but for what a policy on rights keeps no copy of.

    By reference, what stands by itself in the file stays there; the rest is copied all the same.
    """
    unknown = list(_unknown(read, known))
    read.counts["known"] += read.n_found - len(unknown)
    has_spans = any(found.span is not None for _, found in unknown)
    outside = note_file(row.path, now) if has_spans else None
    rights = CaptureRights({}, [found.result for _, found in unknown])
    made = []
    for key, found in unknown:
        page = known[key]
        result, said = rights.judge(page, found.address.host, found.result)
        is_kept = result.outcome is Outcome.OK
        digest = found.digest if is_kept else ""
        record = None
        if is_kept and outside is not None and found.span is not None:
            record = ArchiveRecord(outside.name, found.span.offset, found.span.length, digest)
        elif is_kept:
            record = archive_result(result, page, digest, now)
            read.counts["copied"] += row.by_reference
        made.append(_Capture(page, result, record, digest, said))
    sync_archive()
    return made


@transaction.atomic
def _write(
    row: WarcImport, read: Slice, captures: Sequence[_Capture], terms: Claim, seconds: float
) -> Report:
    """Give pages their first documents, keep the others beside them, and close the slice."""
    pages = {
        page.pk: page
        for page in Page.objects.select_for_update(of=("self",))
        .filter(pk__in=[item.page.pk for item in captures], lease_owner="")
        .order_by("pk")
    }
    taken = [item for item in captures if item.page.pk in pages]
    fetches = Fetch.objects.bulk_create(_fetch(row, item) for item in taken)
    given = {}
    for item, fetch in zip(taken, fetches, strict=True):
        page = pages[item.page.pk]
        if not page.content_digest:
            _give_document(page, item, fetch)
            given[page.pk] = page
    Page.objects.bulk_update(
        given.values(),
        ["outcome", "visited_at", "answered_whole_at", "content_digest", "content_fetch"],
    )
    stored = list(dict.fromkeys(item.page.pk for item in taken if item.digest))
    read.counts["stored"] += sum(bool(item.digest) for item in taken)
    read.counts["known"] += len(captures) - len(taken)
    leases.complete_or_undo(
        row, terms.owner, handed_on=stored, **_progress(row, read, terms, seconds)
    )
    return Report(done=Counter(stored=len(stored)), next_ids={"pages": (*row.handed_on, *stored)})


def _fetch(row: WarcImport, item: _Capture) -> Fetch:
    fetch = fetch_row(item.result, item.page.host_id, item.record, item.page, item.digest)
    fetch.visit_reason = f"{IMPORTED}{row}"[:_MAX_WORDS]
    fetch.rights_said = item.rights_said
    return fetch


def _give_document(page: Page, item: _Capture, fetch: Fetch) -> None:
    page.outcome = item.result.outcome.value
    page.visited_at = page.answered_whole_at = item.result.started_at
    if item.digest:
        page.content_digest, page.content_fetch = item.digest, fetch
