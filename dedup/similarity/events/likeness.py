"""How alike two texts are as tellings of one event: words, days between them, columns left out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dedup.similarity.events.closeness import closeness
from dedup.similarity.events.tfidf import Floats, Ints, Likeness, Terms, WeighedTexts
from dedup.similarity.events.tfidf_measures import Sums, WordAgreement
from dedup.similarity.events.tfidf_words import without_dates

SECONDS_PER_DAY = 86_400
# What happens days later is another event, told in much the same words: after one day twice the
# likeness is needed, after two days three times. By judgement too, for want of dated events.
_NEEDED_MORE_A_DAY = 1.0
# The same for closeness, a logarithm of odds: of the limits it is the highest that tells most.
_CLOSENESS_A_DAY = 0.15
# Pairs less alike are never close. From .025 on, a large story takes up its neighbours' tellings.
MEASURED_FROM = 0.08
# Bulletins of one site (weather, markets) are alike without being the same text, issue for issue.
# Chosen by judgement: the development set has neither dates nor series of one site.
_SERIES_COSINE, _SERIES_HOURS = 0.55, 18


@dataclass(frozen=True, slots=True)
class Telling:
    """A text of the window, the only one of its near-duplicates.

    `seconds` is the time of publication, None where none is known (then all are of one day); `site`
    may be empty; `story` is the story it has been put into, None when it has no place yet.
    """

    key: int
    terms: Terms
    title: str = ""
    site: str = ""
    seconds: float | None = None
    story: int | None = None


class LikenessRow(NamedTuple):
    """What is like one telling: places, likenesses from 0 to 1, and log odds of one event."""

    places: Ints
    likenesses: Floats
    closeness: Sums


class LikenessTable:
    """Likenesses of the window's tellings, by rows, each worked out once and when it is needed."""

    def __init__(self, tellings: Sequence[Telling], window_seconds: float = math.inf) -> None:
        self._window_days = window_seconds / SECONDS_PER_DAY
        self.place_of = {telling.key: place for place, telling in enumerate(tellings)}
        self._texts = WeighedTexts([telling.terms for telling in tellings])
        self._seconds = np.array([telling.seconds or 0.0 for telling in tellings])
        sites: dict[str, int] = {"": 0}
        self._sites = np.array([sites.setdefault(r.site, len(sites)) for r in tellings], np.int64)
        titles: dict[str, int] = {"": 0}
        masked = [without_dates(telling.title) for telling in tellings]
        self._titles = np.array([titles.setdefault(t, len(titles)) for t, _ in masked], np.int64)
        self._has_date = np.array([found for _, found in masked], bool)
        self._agreement = WordAgreement(self._texts)
        self._rows: dict[int, LikenessRow] = {}

    def row(self, place: int) -> LikenessRow:
        """Give what is like the telling at `place`."""
        if place not in self._rows:
            found = self._texts.like(place)
            days = np.abs(self._seconds[found.places] - self._seconds[place]) / SECONDS_PER_DAY
            likenesses = found.likenesses / (1 + _NEEDED_MORE_A_DAY * days)
            is_kept = (days <= self._window_days) & ~self._is_of_series(place, found, days)
            kept = likenesses[is_kept].astype(np.float32)
            places = found.places[is_kept]
            self._rows[place] = LikenessRow(places, kept, self._closeness(place, places, kept))
        return self._rows[place]

    def _closeness(self, place: int, places: Ints, likenesses: Floats) -> Sums:
        found = np.full(len(places), -np.inf)
        is_measured = likenesses >= MEASURED_FROM
        measured = places[is_measured]
        if len(measured):
            days = np.abs(self._seconds[measured] - self._seconds[place]) / SECONDS_PER_DAY
            odds = self.odds(place, measured)
            found[is_measured] = odds - _CLOSENESS_A_DAY * days
        return found

    def odds(self, place: int, others: Ints) -> Sums:
        """Judge pairs by their words alone."""
        return closeness(self.measures(place, others))

    def measures(self, place: int, others: Ints) -> Sums:
        """Measure pairs as `tfidf_measures` does."""
        return self._agreement.measures(place, others)

    def _is_of_series(self, place: int, found: Likeness, days: Floats) -> Ints:
        """Whether two tellings are issues of one column or bulletin, which are no one event."""
        others = found.places
        has_site = (self._sites[others] == self._sites[place]) & (self._sites[place] != 0)
        has_title = (self._titles[others] == self._titles[place]) & (self._titles[place] != 0)
        is_later = days * 24 >= _SERIES_HOURS
        is_bulletin = has_title & (self._has_date[place] | (has_site & is_later))
        alike: Ints = is_bulletin | (has_site & is_later & (found.cosines >= _SERIES_COSINE))
        return alike
