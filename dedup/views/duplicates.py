"""`/duplicates/`: pairs near the limit, one after the other, for editors to say what they are.

Three lists on one frame: the queue, a second reading that hides what the first reader said, and the
decisions so far. Everybody who may read sees them; only editors get the buttons.
"""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import permission_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from dedup.comparison import compare
from dedup.judging.review import (
    QueuedPair,
    Review,
    agreement_of_readers,
    are_compared_again,
    last_decision,
    pair_between,
    pair_name,
    pair_with_articles,
    reading_of,
)
from dedup.models import Decision, Duplicate, Verdict
from presentation.primary_keys import primary_key

MAY_JUDGE = permission_required("dedup.change_duplicate", raise_exception=True)
DECISIONS_PER_PAGE = 50
# Pairs that come next, listed below the one that is looked at.
SHOWN_NEXT = 15


@dataclass(frozen=True, slots=True)
class ListTab:
    word: str
    address: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class ListPlace:
    """Where in which list a reader is; all of it stands in the address."""

    is_second: bool
    only_differences: bool

    @classmethod
    def of(cls, request: HttpRequest) -> "ListPlace":
        return cls(
            is_second=request.GET.get("as") == "second",
            only_differences=request.GET.get("diff") == "1",
        )

    def address(self, pair: Duplicate | None = None, *, flip_differences: bool = False) -> str:
        """Address of a pair in this list; of its first one without a pair."""
        only_differences = self.only_differences != flip_differences
        parts = {
            "as": "second" if self.is_second else "",
            "pair": pair_name(pair) if pair else "",
            "diff": "1" if only_differences else "",
        }
        query = urlencode({name: value for name, value in parts.items() if value})
        return reverse("duplicates") + (f"?{query}" if query else "")


@dataclass(frozen=True, slots=True)
class NamedPair:
    """The pair that an address names; `missing` says why it is not there: "waits" or "gone"."""

    pair: Duplicate | None = None
    missing: str = ""

    @classmethod
    def of(cls, name: str) -> "NamedPair":
        if not name:
            return cls()
        ends = [primary_key(part) for part in name.split("-", 1)]
        if len(ends) == 1:
            pair = pair_with_articles(ends[0]) if ends[0] else None
            return cls(pair, "" if pair else "gone")
        first, second = ends
        if first is None or second is None:
            return cls(missing="gone")
        # First whether it waits: a detection that ends in between leaves a pair to be found.
        is_waiting = are_compared_again([first, second])
        pair = pair_between(first, second)
        return cls(pair, "" if pair else "waits" if is_waiting else "gone")


@require_safe
def duplicates(request: HttpRequest) -> HttpResponse:
    place, review = ListPlace.of(request), Review()
    user_id = request.user.pk
    queue = review.second_readings(user_id) if place.is_second else review.queue()
    wanted = NamedPair.of(request.GET.get("pair", ""))
    asked = wanted.pair
    shown = review.queued(asked) if asked else queue[0] if queue else None
    context = {
        "tabs": tabs("duplicates-second" if place.is_second else "duplicates"),
        "review": review,
        "place": place,
        "progress": review.progress(),
        "agreement": agreement_of_readers(),
        "n_queue": len(queue),
        "missing": wanted.missing,
        **_last(user_id, place),
        **_around(shown, queue, place),
        **_of_pair(shown, place, user_id),
    }
    return render(request, "dedup/duplicates.html", context)


@require_safe
def decisions(request: HttpRequest) -> HttpResponse:
    rows = Decision.objects.select_related("by", "undone_by", "article").prefetch_related(
        "judgements__article__publication", "judgements__other__publication"
    )
    page = Paginator(rows, DECISIONS_PER_PAGE).get_page(request.GET.get("p"))
    context = {"tabs": tabs("duplicates-decisions"), "page": page}
    return render(request, "dedup/duplicate_decisions.html", context)


def tabs(current: str) -> list[ListTab]:
    """Make the tabs of all pages about duplicates."""
    addresses = {
        "duplicates": ("Queue", reverse("duplicates")),
        "duplicates-second": ("Second reading", reverse("duplicates") + "?as=second"),
        "duplicates-decisions": ("Decisions", reverse("duplicates-decisions")),
        "duplicates-limit": ("Limit", reverse("duplicates-limit")),
    }
    return [ListTab(word, address, name == current) for name, (word, address) in addresses.items()]


def _around(shown: QueuedPair | None, queue: list[QueuedPair], place: ListPlace) -> dict[str, Any]:
    """Say which pairs come next, and where the one after a verdict is."""
    keys = [queued.pair.pk for queued in queue]
    at = keys.index(shown.pair.pk) if shown and shown.pair.pk in keys else -1
    following = [*queue[at + 1 :], *queue[: max(at, 0)]]
    after = following[0].pair if following else None
    return {
        "next_address": place.address(after) if after else "",
        # Behind the last pair: the list as it is then, from its beginning.
        "verdict_address": place.address(after),
        "following": [(one, place.address(one.pair)) for one in following[:SHOWN_NEXT]],
        "position": at + 1,
    }


def _of_pair(shown: QueuedPair | None, place: ListPlace, user_id: int | None) -> dict[str, Any]:
    if shown is None:
        return {"queued": None}
    pair = shown.pair
    earlier, later = pair.other, pair.article
    for article in (earlier, later):
        article.refresh_from_db(fields=["text", "blocks"])
    own = reading_of(pair, user_id)
    return {
        "queued": shown,
        "pair": pair,
        "left": earlier,
        "right": later,
        "own_reading": own,
        # A second reader is not told what the first one said.
        "is_blind": place.is_second and not own and pair.verdict != Verdict.OPEN,
        "comparison": compare(earlier, later, only_differences=place.only_differences),
        "whole_address": place.address(pair, flip_differences=True),
    }


def _last(user_id: int | None, place: ListPlace) -> dict[str, Any]:
    """Give what "undo" takes back, and the pair to which it leads."""
    last = last_decision(user_id)
    if last is None:
        return {"last": None, "last_address": place.address()}
    return {"last": last.decision, "last_address": place.address(last.pair)}
