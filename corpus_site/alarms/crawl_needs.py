"""Crawls that leave addresses: whether they are a trap, a person knows better than we do."""

from datetime import timedelta

from django.db.models import Q
from django.urls import reverse

from corpus_site.alarms.need import Need
from corpus_site.alarms.picture import Picture
from feeds.crawls.trap_choices import left_families
from feeds.models import Crawl
from feeds.models.crawl import OPEN_STATES
from presentation.wording.figures import counted

# Who has not looked at an ended crawl by then does not miss what it left.
_TOLD_FOR = timedelta(days=7)


def crawl_needs(picture: Picture) -> list[Need]:
    """List crawls that left addresses of which no editor has said anything yet."""
    lately = Q(state__in=OPEN_STATES) | Q(ended_at__gt=picture.now - _TOLD_FOR)
    rows = Crawl.objects.filter(lately).exclude(trap_sentences=[])
    return [
        need
        for row in rows.select_related("publication").defer("traps")
        if (need := _need(row)) is not None
    ]


def _need(crawl: Crawl) -> Need | None:
    undecided = [one for one in left_families(crawl) if not one.choice]
    if not undecided:
        return None
    sentence = (
        f"has a crawl that leaves {counted(len(undecided), 'kind')} of addresses. "
        f"{undecided[0].sentence} All else goes on: look whether they are a trap, then leave them "
        "or take them after all."
    )
    return Need(
        "trap", "warn", "▲ Trap", crawl.publication.name, sentence,
        reverse("crawl", args=[crawl.pk]) + "#h-traps", "See the addresses",
        publication_id=crawl.publication_id, cause=f"trap:{crawl.pk}",
    )  # fmt: skip
