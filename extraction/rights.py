"""Stored texts judged anew when a policy or a host's files have changed: work of the extract stage.

Its rows are publications, gone through a slice of articles a turn. A slice reads only what the
articles' rows hold and what hosts say now; what changes is written with the row's lease, and goes
on to the index with the comments under it. What is archived stays archived: a policy that keeps no
copies holds for visits from then on.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Case, F, Q, Value, When

from extraction.models import Article, Comment, RightsReview
from extraction.stage.placed_rows import PLACED_COLUMNS, place
from extraction.stage.rights_of_rows import (
    RIGHTS_REASON,
    is_left_out,
    of_its_page,
    set_rights,
)
from feeds import rights
from feeds.models import Publication, RightsPolicy
from feeds.work import leases
from feeds.work.batches import Report, run_each
from feeds.work.leases import Claim
from feeds.work.row_updates import update_rows

__all__ = ["RIGHTS_REASON", "is_left_out", "is_under_way", "pending", "register", "run", "waiting"]

# A slice takes some 40 ms, half a second where all of it changes: a publication of 100,000 articles
# is gone through in ten seconds to a minute and a half.
SLICE_ARTICLES = 500
_WRITTEN = ("rights", "rights_said", *PLACED_COLUMNS, "updated_at")


def register(publication_ids: Collection[int], now: datetime) -> None:
    """Let the stored texts of publications be gone through from the first.

    A pass that is under way starts anew, also one that a worker holds: what it has read is old.
    """
    if not publication_ids:
        return
    RightsReview.objects.bulk_create(
        [RightsReview(publication_id=pk, due_at=now) for pk in publication_ids],
        ignore_conflicts=True,
    )
    known = RightsReview.objects.filter(publication__in=publication_ids)
    known.reschedule(now, n_asked=F("n_asked") + 1, quarantined_at=None, attempts=0)


def pending(limit: int, now: datetime) -> int:
    """Register publications whose policy or whose hosts' files have changed; returns how many."""
    with transaction.atomic():
        files, of_files = rights.publications_of_changed_files(limit)
        rights.mark_applied(files)
        wanted = of_files | set(_with_new_policy()[:limit])
        register(wanted, now)
    return len(wanted)


def is_under_way(publication_id: int) -> bool:
    """Say whether the texts of a publication are still gone through."""
    return RightsReview.objects.waiting().filter(publication=publication_id).exists()


def waiting() -> int:
    """Count the publications whose texts are still gone through."""
    return RightsReview.objects.waiting().count()


def _with_new_policy() -> list[int]:
    """Find the publications that stand as another policy says, and are not under way already."""
    own = Case(
        When(rights_policy="", then=Value(rights.general_policy().value)),
        default=F("rights_policy"),
    )
    done = Case(
        When(rights_review=None, then=Value(RightsPolicy.RECORD.value)),
        default=F("rights_review__done_policy"),
    )
    rows = Publication.objects.annotate(in_force=own, done=done).exclude(in_force=F("done"))
    resting = Q(rights_review=None) | Q(
        rights_review__due_at=None, rights_review__quarantined_at=None
    )
    return list(rows.filter(resting).values_list("pk", flat=True))


def run(limit: int, terms: Claim) -> Report:
    """Claim publications and judge the next slice of each."""
    rows = RightsReview.objects.select_related("publication")
    return run_each(rows, limit, terms, _slice)


@transaction.atomic
def _slice(row: RightsReview, terms: Claim) -> Report:
    policy = rights.policy_of(row.publication, rights.general_policy())
    is_new = (row.n_begun, row.policy) != (row.n_asked, policy)
    last, n_changed = (0, 0) if is_new else (row.last_article, row.n_changed)
    if is_new:
        _ask_again(row, policy, terms.now)
    articles = list(
        Article.objects.select_for_update(of=("self",))
        .filter(publication=row.publication_id, pk__gt=last)
        .only("publication", "url", "text", "slug_twin", "withdrawn_at", *_WRITTEN)
        .order_by("pk")[:SLICE_ARTICLES]
    )
    changed = _judged(articles, row.publication, terms.now)
    update_rows(changed, _WRITTEN)
    is_last = len(articles) < SLICE_ARTICLES
    leases.complete_or_undo(
        row,
        terms.owner,
        due_at=None if is_last else terms.now,
        last_article=articles[-1].pk if articles else last,
        policy=policy,
        n_begun=row.n_asked,
        done_policy=policy if is_last else row.done_policy,
        n_changed=n_changed + len(changed),
        finished_at=terms.now if is_last else None,
    )
    ids = tuple(article.pk for article in changed)
    return Report(
        done=Counter(judged=len(articles), changed=len(changed)),
        next_ids={"articles": ids, "comments": _comments(ids)},
    )


def _ask_again(row: RightsReview, policy: RightsPolicy, now: datetime) -> None:
    """Let pages be fetched that were not kept, where copies may be kept now."""
    had_none = RightsPolicy.NO_ARCHIVE in (row.policy, row.done_policy)
    if had_none and policy is not RightsPolicy.NO_ARCHIVE:
        rights.visit_refused_again(row.publication_id, now)


def _judged(articles: Sequence[Article], publication: Publication, now: datetime) -> list[Article]:
    """Set what articles bear and where they stand; returns those that changed."""
    hosts = {article.pk: rights.host_of(article.url) for article in articles}
    known = rights.known_rights({name for name in hosts.values() if name})
    before = {article.pk: (article.rights, article.rights_said) for article in articles}
    for article in articles:
        host = known.get(hosts[article.pk])
        set_rights(article, [*of_its_page(article), *(host.of(article.url) if host else ())])
    placed = {article.pk for article in place(articles, {publication.pk: publication})}
    changed = [
        article
        for article in articles
        if article.pk in placed or before[article.pk] != (article.rights, article.rights_said)
    ]
    for article in changed:
        article.updated_at = now
    return changed


def _comments(article_ids: Sequence[int]) -> tuple[int, ...]:
    if not article_ids:
        return ()
    rows = Comment.objects.filter(article__in=article_ids)
    return tuple(rows.order_by("pk").values_list("pk", flat=True))
