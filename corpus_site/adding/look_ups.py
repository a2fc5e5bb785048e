"""The look-up stage: what is at an address that an editor asks about in the wizard.

A `SourceDraft` is due while its address is to be looked up. Its progress is written as it goes, and
with it the lease is asked for: who drops the draft, or takes the lease over, ends the search, which
gives its hosts back.
"""

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from corpus_site.adding.samples import keep_pages, make_draft
from extraction.html.site_rules.rules import SiteRules
from extraction.rules.published import rules_in
from extraction.rules.versions import newest_published
from feeds.crawler.documents.feed_document import FeedKind
from feeds.crawler.documents.found_feeds import FoundFeed
from feeds.models import DraftPage, Publication, SourceDraft
from feeds.sources.discovery import Investigation, Progress, investigate, site_terms
from feeds.sources.publications import find_feed, find_publication_by_slug
from feeds.work import leases
from feeds.work.batches import Report, run_each
from feeds.work.leases import Claim, LeaseLostError
from presentation.wording.figures import counted

MAX_NAMED = 5  # addresses in one sentence
# A draft that is older may be looked up again; its rules need pages of today anyway.
PAGES_KEPT = timedelta(days=30)
SHOWN_TRIED = 40  # sentences of the progress; the whole is in the findings


def ask(
    address: str, owner_id: int, now: datetime, change_of: Publication | None = None
) -> SourceDraft:
    """Ask for a look-up; one of this editor's that found nothing makes room.

    With `change_of` the source is looked at again: its feeds, samples, rules and patterns.
    """
    own = SourceDraft.objects.filter(owner=owner_id, publication=None, due_at=None)
    own.filter(findings__has_key="problem").delete()
    return SourceDraft.objects.create(
        address=address[:2048],
        owner_id=owner_id,
        findings={"joins": change_of.slug} if change_of else {},
        choices=_present(change_of) if change_of else {},
        is_change=change_of is not None,
        created_at=now,
        due_at=now,
    )


def _present(publication: Publication) -> dict[str, Any]:
    names = ("include_pattern", "exclude_pattern")
    return {name: getattr(publication, name) for name in names}


def ask_again(row: SourceDraft, now: datetime) -> None:
    """Look an address up once more, from the beginning."""
    kept = {"joins": row.findings["joins"]} if row.is_change else {}
    SourceDraft.objects.filter(pk=row.pk, publication=None).reschedule(
        now,
        findings=kept,
        progress={},
        created_at=now,
        quarantined_at=None,
        attempts=0,
        last_error="",
    )


def run(limit: int, terms: Claim) -> Report:
    """Look up to `limit` addresses up."""
    return run_each(SourceDraft.objects.all(), limit, terms, _look_up)


def pending(limit: int, now: datetime) -> int:
    """Drop the sample pages of drafts that nobody went on with; nothing becomes due."""
    old = DraftPage.objects.filter(draft__created_at__lt=now - PAGES_KEPT).values_list(
        "pk", flat=True
    )
    DraftPage.objects.filter(pk__in=list(old[:limit])).delete()
    return 0


def _look_up(row: SourceDraft, terms: Claim) -> Report:
    found = investigate(row.address, site_terms(), terms.now, _Watch(row.pk, terms.owner))
    with transaction.atomic():
        changes = _findings(row, found, terms.now)
        leases.complete_or_undo(row, terms.owner, **changes)
        keep_pages(row, found)
    return Report()


class _Watch:
    """Writes how far a look-up is, and ends it when it was stopped."""

    def __init__(self, pk: int, owner: str) -> None:
        self._pk = pk
        self._owner = owner

    def __call__(self, progress: Progress) -> None:
        shown = asdict(replace(progress, tried=progress.tried[-SHOWN_TRIED:]))
        shown["n_done"] = len(progress.tried)
        own = SourceDraft.objects.filter(pk=self._pk, lease_owner=self._owner)
        if not own.update(progress=shown):
            raise LeaseLostError(f"look-up {self._pk}")


def _findings(row: SourceDraft, found: Investigation, now: datetime) -> dict[str, Any]:
    """Give what a look-up came to: a draft, a problem, or a source that is known already."""
    if found.problem:
        said = {"problem": found.problem, "tried": found.tried, "suggestion": found.suggestion}
        return {"findings": said | _joined(row), "progress": {}}
    wanted = row.findings.get("joins") or found.known_publication
    known = find_publication_by_slug(wanted)
    if known is None:
        return {"findings": make_draft(found, now).to_json(), "progress": {}}
    found = replace(found, name=known.name, known_publication=known.slug)
    followed = frozenset(feed.url for feed in found.feeds if find_feed(feed.url) is not None)
    if not row.is_change:
        found = replace(found, feeds=_new_feeds(found.feeds, followed))
        if not found.good_feeds:
            return {"findings": {"known": known_sentence(found)}, "publication": known}
    draft = make_draft(found, now, _rules(known), followed)
    return {"findings": draft.to_json(), "progress": {}}


def _joined(row: SourceDraft) -> dict[str, str]:
    return {"joins": row.findings["joins"]} if row.is_change else {}


def _rules(publication: Publication) -> SiteRules:
    version = newest_published(publication.pk)
    return rules_in(version) if version else SiteRules()


def _new_feeds(feeds: Sequence[FoundFeed], followed: frozenset[str]) -> tuple[FoundFeed, ...]:
    """Leave the feeds that are not followed yet; stories are followed where there is no feed."""
    return tuple(
        feed for feed in feeds if feed.kind is not FeedKind.INDEX and feed.url not in followed
    )


def known_sentence(found: Investigation) -> str:
    """Say that a publication is known, and which of its feeds are not followed, and why."""
    if not found.feeds:
        return "This publication is known already, with all of its feeds; here it is."
    n = counted(len(found.feeds), "feed is", "feeds are")
    which = ", ".join(f"{feed.url} ({feed.verdict})" for feed in found.feeds[:MAX_NAMED])
    more = " …" if len(found.feeds) > MAX_NAMED else ""
    return (
        "This publication is known already, and all of its feeds that bring something new are "
        f"followed; here it is. {n} not followed: {which}{more}. To follow one, paste its address."
    )
