"""`{% load shell %}`: the bar on top of every page.

`{% masthead %}` shows the areas whose pages exist, a short search field where the page has no full
one, the age of the newest article, and the reader's own menu.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from corpus_site.alarms.keeping import n_awake
from extraction.status import newest_stored_at

register = template.Library()

# Word in the bar, its address name, the key after "g", and the first path segments that belong to
# it. An area without a page yet is left out.
AREAS = (
    ("Search", "search", "s", ("", "search", "c")),
    ("Articles", "articles", "a", ("articles", "stories")),
    ("Words", "words", "w", ("words",)),
    ("Sources", "sources", "o", ("sources", "source-files", "crawls", "duplicates", "evaluation")),
    ("Status", "status", "t", ("status", "feeds", "hosts")),
    ("Help", "help", "", ("help",)),
)
PAGES_WITH_OWN_FIELD = ("", "search", "c")
# The dot turns grey when nothing came in for this long.
STALE_AFTER = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Area:
    word: str
    address: str
    key: str
    is_current: bool


def address_of(name: str) -> str:
    """Address of a named page, empty when there is no such page."""
    try:
        return reverse(name)
    except NoReverseMatch:
        return ""


def areas(segment: str) -> list[Area]:
    """Words of the bar whose pages exist, the one of this path segment marked."""
    found = [(word, address_of(name), key, segments) for word, name, key, segments in AREAS]
    return [
        Area(word, address, key, segment in segments)
        for word, address, key, segments in found
        if address
    ]


def may_act(user: Any) -> bool:
    """Whether a user may do something about alarms, and so is told of them."""
    return bool(user and user.is_authenticated and user.has_perm("alarms.add_alarmnote"))


@register.inclusion_tag("_mast.html", takes_context=True)
def masthead(context: dict[str, Any]) -> dict[str, Any]:
    request: HttpRequest | None = context.get("request")
    segment = request.path.split("/")[1] if request else "error"
    user = context.get("user")
    may_read = settings.READING_WITHOUT_SIGN_IN or bool(user and user.is_authenticated)
    search = address_of("search")
    now = context.get("now") or timezone.now()
    newest = newest_stored_at() if may_read else None
    return {
        "request": request,
        "csrf_token": context.get("csrf_token"),
        "user": user,
        "now": now,
        "areas": areas(segment) if may_read else [],
        "n_alarms": n_awake(now) if may_act(user) else 0,
        "search_address": search,
        "has_field": bool(may_read and search and segment not in PAGES_WITH_OWN_FIELD),
        "newest": newest,
        "is_stale": newest is not None and now - newest > STALE_AFTER,
        "is_signing_in": segment == "sign-in",
    }
