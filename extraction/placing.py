"""The placing stage: a publication's stored articles, placed anew when its own terms change.

What is taken into the corpus is a publication's setting. A change of it is found by the sweep and
goes through the stored articles a slice a turn, without fetching or extracting anything. A
publication under another name goes the same way: its texts carry the name in the index.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from extraction.models import Article, Comment, Placing
from extraction.stage import admission
from extraction.stage.placed_rows import PLACED_COLUMNS, place
from feeds.models import Publication
from feeds.work import leases
from feeds.work.batches import Report, run_each
from feeds.work.leases import Claim
from feeds.work.row_updates import update_rows

# A slice of long texts is read and judged in some 0.1 s.
SLICE_ARTICLES = 200


class _Terms(NamedTuple):
    """Columns of a publication by which its articles are placed."""

    pk: int
    slug: str
    min_characters: int
    taken_kinds: list[str]


def terms_of(publication: Publication | _Terms) -> str:
    """Everything that a publication's stored articles are placed by."""
    kinds = ",".join(sorted(map(str, publication.taken_kinds)))
    return f"{admission.RULES}|{publication.min_characters}|{kinds}|{publication.slug}"


def pending(limit: int, now: datetime) -> int:
    """Make the rows due of up to `limit` publications whose terms have changed; returns how many.

    Two queries over all publications, of which there are thousands at most.
    """
    done = dict(Placing.objects.values_list("publication_id", "done_terms"))
    publications = list(map(_Terms._make, Publication.objects.values_list(*_Terms._fields)))
    fresh = [publication for publication in publications if publication.pk not in done]
    done |= {publication.pk: _first_terms(publication) for publication in fresh}
    Placing.objects.bulk_create(
        [Placing(publication_id=one.pk, slug=one.slug, done_terms=done[one.pk]) for one in fresh],
        ignore_conflicts=True,
    )
    changed = [one.pk for one in publications if done[one.pk] != terms_of(one)][:limit]
    resting = Placing.objects.filter(due_at=None, quarantined_at=None)
    return resting.filter(publication__in=changed).reschedule(now)


def _first_terms(publication: _Terms) -> str:
    """Give the terms by which a new publication's first articles are placed at their reading."""
    return terms_of(Publication(slug=publication.slug))


def run(limit: int, terms: Claim) -> Report:
    """Claim publications and place the next slice of the articles of each."""
    return run_each(Placing.objects.all(), limit, terms, _place_slice)


@transaction.atomic
def _place_slice(row: Placing, terms: Claim) -> Report:
    """Place a slice by the publication's terms of this moment; other terms begin anew."""
    publication = Publication.objects.get(pk=row.publication_id)
    wanted = terms_of(publication)
    if row.pass_terms != wanted:
        row.pass_terms, row.last_article, row.n_changed = wanted, 0, 0
    articles = list(
        Article.objects.select_for_update(of=("self",))
        .filter(publication=publication, pk__gt=row.last_article)
        .order_by("pk")[:SLICE_ARTICLES]
    )
    changed = _place(articles, publication, terms.now)
    # Half a pass leaves texts under two names: then the index knows neither of all.
    is_renamed = row.slug != publication.slug
    is_last = len(articles) < SLICE_ARTICLES
    leases.complete_or_undo(
        row,
        terms.owner,
        due_at=None if is_last else terms.now,
        pass_terms=wanted,
        done_terms=wanted if is_last else row.done_terms,
        slug="" if is_renamed and not is_last else publication.slug,
        last_article=articles[-1].pk if articles else row.last_article,
        n_changed=row.n_changed + len(changed),
        finished_at=terms.now if is_last else None,
    )
    return Report(
        done=Counter(placed=len(articles), changed=len(changed)),
        next_ids={"articles": tuple(changed)} | (_named(articles) if is_renamed else {}),
    )


def _place(articles: Sequence[Article], publication: Publication, now: datetime) -> list[int]:
    """Place articles and write those that change; returns their primary keys."""
    changed = place(articles, {publication.pk: publication})
    for article in changed:
        article.updated_at = now
    update_rows(changed, [*PLACED_COLUMNS, "updated_at"])
    return [article.pk for article in changed]


def _named(articles: Sequence[Article]) -> dict[str, tuple[int, ...]]:
    """Name the texts that carry their publication's name in the index."""
    comments = Comment.objects.filter(article__in=articles).values_list("pk", flat=True)
    return {"labels": tuple(article.pk for article in articles), "comments": tuple(comments)}
