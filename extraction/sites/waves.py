"""Pages of a site that is not known yet are read in waves, each as large as all that is learnt.

What the pages of a site have in common is learnt from their readings, and what was read before may
have to be read again. An import or a first crawl brings many pages of one site at once: so a few of
them are read, the site is learnt, then as many as are learnt are read, until enough are known. The
other rows wait, and are due later than anybody should need to let them go on: the reading that ends
a wave does, else the sweep; should both be lost, time does.

Of 407 pages of 20 sites in `sites` and `fundus80` 49 are read twice so, of which 17 are of a first
wave, instead of 116; first waves of 3, 6 and 8 pages give 40, 47 and 60.
"""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Q, Sum

from extraction.models import Extraction, SiteSketch, SiteTemplate
from extraction.sites import templates
from feeds.models import Page, PageKind, WorkQuerySet

FIRST_WAVE = 4
# What further pages teach changes few lines: all that wait are read.
ENOUGH = 32
# Longer than a wave takes beside all else that is due.
WAIT = timedelta(hours=1)
# Sites a turn of the sweep takes; the next turn takes the rest.
_SITES = 50


@dataclass(frozen=True, slots=True)
class Turn:
    """When a page is read of a site that is not known yet."""

    publication_id: int
    due_at: datetime


def turns(page_ids: Collection[int], now: datetime) -> dict[int, Turn]:
    """Say of new articles' pages of sites that are not known when each is read, in their order.

    The oldest first: a template is valid from the first page that was learnt, and a site's designs
    follow each other. All other pages are left out: they need not wait.
    """
    new = Page.objects.filter(pk__in=page_ids, kind=PageKind.ARTICLE, extraction=None)
    rows = list(new.order_by("visited_at", "pk").values_list("pk", "publication_id"))
    n_learnt = _unknown({publication_id for _, publication_id in rows})
    if not n_learnt:
        return {}
    free = _free(n_learnt, now)
    found = {}
    for page_id, publication_id in rows:
        if publication_id not in n_learnt:
            continue
        at = now if free[publication_id] > 0 else now + WAIT
        free[publication_id] -= 1
        found[page_id] = Turn(publication_id, at)
    return found


def go_on(publication_ids: Collection[int], now: datetime) -> int:
    """Learn those sites whose wave is read, and make their next pages due; returns how many."""
    if not publication_ids:
        return 0
    rows = Extraction.objects.filter(unknown_site__in=publication_ids, quarantined_at=None)
    in_hand = rows.filter(_in_hand(now)).values("unknown_site")
    waiting = templates.awaiting(now).filter(unknown_site__in=publication_ids)
    return sum(_next_wave(one, now) for one in _sites(waiting.exclude(unknown_site__in=in_hand)))


def go_on_with_all(now: datetime) -> int:
    """As `go_on`, for sites whose last reading did not get so far; returns how many are due."""
    return go_on(_sites(templates.awaiting(now))[:_SITES], now)


def _sites(rows: WorkQuerySet[Extraction]) -> list[int]:
    found = rows.order_by("unknown_site").values_list("unknown_site", flat=True).distinct()
    return [publication_id for publication_id in found if publication_id is not None]


def _next_wave(publication_id: int, now: datetime) -> int:
    templates.learn_site(publication_id, now)
    with transaction.atomic():
        rows = templates.awaiting(now).filter(unknown_site=publication_id)
        n_learnt = _unknown({publication_id}).get(publication_id)
        if n_learnt is None or _is_read(publication_id):
            return rows.reschedule(now, unknown_site=None)
        size = max(FIRST_WAVE, n_learnt)
        chosen = list(rows.order_by("pk").values_list("pk", flat=True)[:size])
        return rows.filter(pk__in=chosen).reschedule(now)


def _in_hand(now: datetime) -> Q:
    return Q(due_at__lte=now) | ~Q(lease_owner="")


def _unknown(publication_ids: Collection[int]) -> dict[int, int]:
    """Give how many pages are learnt of each publication that is not known yet."""
    if not publication_ids:
        return {}
    rows = SiteTemplate.objects.filter(publication__in=publication_ids).order_by()
    learnt = dict(rows.values_list("publication").annotate(n=Sum("n_pages")))
    n_learnt = {publication_id: learnt.get(publication_id, 0) for publication_id in publication_ids}
    return {publication_id: n for publication_id, n in n_learnt.items() if n < ENOUGH}


def _free(n_learnt: dict[int, int], now: datetime) -> dict[int, int]:
    """Give how many more pages of each publication may be read before it is learnt again."""
    taken: dict[int, int] = defaultdict(int)
    rows = Extraction.objects.filter(_in_hand(now), unknown_site__in=n_learnt, quarantined_at=None)
    sketches = SiteSketch.objects.filter(publication__in=n_learnt, is_learnt=False)
    for found in (
        rows.order_by().values_list("unknown_site").annotate(n=Count("pk")),
        sketches.order_by().values_list("publication").annotate(n=Count("pk")),
    ):
        for publication_id, n in found:
            taken[publication_id] += n
    return {key: max(FIRST_WAVE, n) - taken[key] for key, n in n_learnt.items()}


def _is_read(publication_id: int) -> bool:
    """Whether so many pages were read that a site which teaches nothing need not be waited for."""
    read = Extraction.objects.filter(page__publication=publication_id).exclude(done_digest="")
    return len(read.order_by().values_list("pk", flat=True)[:ENOUGH]) == ENOUGH
