"""`/part/words-today/`: new and unusually frequent words, loaded after the home page."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from feeds.sources.naming import publication_names
from presentation.fragments import part_of
from search.answers.today import N_KEY, RECENT_DAYS, USUAL_DAYS, WordsToday, words_today
from search.asking.address import Address
from search.asking.value_queries import value_query
from search.views.words.first_places import first_places
from search.views.words.word_links import query_hits

RECENT = f"{RECENT_DAYS}d"
REFERENCE = f"from={RECENT_DAYS + USUAL_DAYS}d&to={RECENT_DAYS + 1}d"


@dataclass(frozen=True, slots=True)
class NewWordRow:
    """A new word, in how many papers, and since when in which."""

    word: str
    address: str
    n_publications: int
    publication: str
    moment: datetime | None  # new words of a day stand in texts with a date


@dataclass(frozen=True, slots=True)
class KeyWordRow:
    """A word more frequent than usual; `share` is its score as part of the highest."""

    word: str
    address: str
    hits: int
    score: float
    share: float


def keyness_address() -> str:
    """Address of the keyness page with the same comparison."""
    parameters = {"from": RECENT, "ref": REFERENCE, "stop": "1", "nonames": "1"}
    return f"{reverse('keyness')}?{urlencode(parameters)}"


@require_safe
@part_of("home")
def words_today_part(request: HttpRequest) -> HttpResponse:
    found = words_today(timezone.localdate())
    context = {
        "found": found,
        "new_words": list(_new_words(found)),
        "key_words": list(_key_words(found)),
        "keyness_address": keyness_address(),
        "recent_words": "since yesterday",
        "usual_days": USUAL_DAYS,
        "n_key": N_KEY,
    }
    return render(request, "corpus_site/_words_today.html", context)


def _new_words(found: WordsToday) -> Iterator[NewWordRow]:
    names = publication_names()
    words = found.new.words
    sights = ((word.first, Address()) for word in words)
    for word, place in zip(words, first_places(found.snapshot, sights, names), strict=True):
        yield NewWordRow(
            word.value,
            reverse("word", args=[word.value]),
            word.publications,
            place.publication,
            place.published,
        )


def _key_words(found: WordsToday) -> Iterator[KeyWordRow]:
    highest = max((item.score for item in found.key.items), default=1.0)
    here = Address.parse(urlencode({"from": RECENT}))
    for item in found.key.items:
        address = query_hits(here, value_query("lower", item.value))
        yield KeyWordRow(item.value, address, item.focus_hits, item.score, item.score / highest)
