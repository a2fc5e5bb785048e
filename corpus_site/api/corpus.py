"""`/api/`, `/api/corpus/`, `/api/publications/`, `/api/token/`: what there is, and who asks."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from corpus_site.accounts.models import ApiToken
from corpus_site.accounts.tokens import find_token
from corpus_site.api.access import endpoint
from corpus_site.api.refusals import not_found
from corpus_site.counts.corpus_counts import corpus_counts, publications_counts
from feeds.models import Publication
from feeds.watching.judgements import judgements, state_counts
from search.opened_index import current_snapshot


@endpoint()
def corpus(request: HttpRequest) -> dict[str, Any]:
    """Answer how much is stored and searched, and how the feeds are."""
    del request
    counts, snapshot = corpus_counts(_now()), current_snapshot()
    stored, indexed = counts.totals, counts.tokens
    return {
        "generation": snapshot.generation,
        "counted": _moment(counts.counted_at),
        "articles": stored.articles,
        "comments": stored.comments,
        "commented_articles": stored.commented_articles,
        "tokens": {"articles": indexed.articles, "comments": indexed.comments},
        "first": _moment(stored.first_at),
        "last": _moment(stored.last_at),
        "feeds": {state.key: n for state, n in state_counts(judgements(_now()))},
        "damaged": [error.name for error in snapshot.damaged],
    }


@endpoint()
def publications(request: HttpRequest) -> dict[str, Any]:
    """List newspapers and collections with their texts, and the states of their feeds."""
    rows = list(Publication.objects.filter(deleted_at=None))
    counts = publications_counts([row.pk for row in rows], _now())
    states: dict[int, list[str]] = {}
    for feed in judgements(_now()):
        states.setdefault(feed.publication_id, []).append(feed.state.key)
    return {
        "publications": [
            {
                "slug": row.slug,
                "name": row.name,
                "kind": row.kind,
                "home_url": row.home_url,
                "language": row.language,
                "state": row.state,
                "articles": (own := counts[row.pk].texts).n_articles,
                "left_out": own.n_left_out,
                "words": own.n_words,
                "tokens": counts[row.pk].n_tokens,
                "first": _moment(own.first_at),
                "last": _moment(own.last_at),
                "feeds": sorted(states.get(row.pk, [])),
                "counted": _moment(counts[row.pk].counted_at),
                "page": request.build_absolute_uri(reverse("source", args=[row.slug])),
            }
            for row in rows
        ]
    }


@endpoint()
def token(request: HttpRequest) -> dict[str, Any]:
    """Answer who asks, and until when the token may."""
    text = request.headers.get("Authorization", "").partition(" ")[2].strip()
    row = find_token(text, _now())
    user = request.user.get_username() if request.user.is_authenticated else None
    if not isinstance(row, ApiToken):
        return {"user": user, "token": None}
    return {
        "user": user,
        "token": {"name": row.name, "scope": row.scope, "ends": _moment(row.expires_at)},
    }


@endpoint()
def nothing(request: HttpRequest, path: str) -> dict[str, Any]:
    """Refuse an address that there is not."""
    del request
    raise not_found(f"/api/{path[:80]}")


def _now() -> Any:
    return timezone.localtime()


def _moment(value: Any) -> str | None:
    return timezone.localtime(value).isoformat() if value else None
