"""What the articles of one site have in common, learnt page by page.

Sketches of pages in, evidence about the lines of a page out. Four things are counted over distinct
articles (one article under two addresses counts once): lines in their place, long lines anywhere,
how much of what stands at a place is text, and pieces of titles. Size is bounded, applying it
costs O(lines of the page · log size), and old evidence fades: after `_FADE_ARTICLES` articles all
counts are halved, so a share is one of the last one or two hundred articles.

Counting repeated fragments over the pages of a site goes back to Bar-Yossef and Rajagopalan
(WWW 2002) and Gibson, Punera and Tomkins (WWW 2005); the incremental form is ours.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from extraction.html.site.evidence import (
    PLACE_LINE_CHARACTERS,
    Floats,
    LineEvidence,
    place_shares,
)
from extraction.html.site.recurrence import RecurrenceTable, Sums
from extraction.html.site.sketch import N_MINIMA, Keys, LineKeys, PageSketch, TextSketch

# What is kept of a site, so that its row stays small; the rarest go first.
LINE_CAPACITY = 8192
PLACE_CAPACITY = 1024
NAME_CAPACITY = 48
# Sketches of this many articles are remembered, to set the same article aside.
_REMEMBERED_ARTICLES = 128
# Then all counts are halved: a site's design lasts longer than so many articles.
_FADE_ARTICLES = 256
# Common is what stands on this share of the articles; below this many articles nothing is.
_COMMON_SHARE = 0.5
LEAST_FAMILIAR_ARTICLES = 3
# A piece of titles is a name of the site when it stands on this many articles, and on this share of
# all: a section's name stands on fewer, and a series of three articles is none yet.
_LEAST_NAMED_ARTICLES = 3
_LEAST_NAMED_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Familiarity:
    """Which share of what is common on the site a page shows, 0 to 1."""

    lines: float
    places: float


@dataclass(slots=True)
class SiteKnowledge:
    """Counters over the articles of one site."""

    n_articles: int = 0  # faded: halved together with the counts
    n_pages: int = 0  # all that were ever learnt, repeated articles among them
    lines: RecurrenceTable = field(default_factory=lambda: RecurrenceTable(LINE_CAPACITY))
    places: RecurrenceTable = field(
        default_factory=lambda: RecurrenceTable(PLACE_CAPACITY, n_sums=2)
    )
    minima: Keys = field(
        default_factory=lambda: np.zeros((_REMEMBERED_ARTICLES, N_MINIMA), np.uint64)
    )
    titles: npt.NDArray[np.uint32] = field(
        default_factory=lambda: np.zeros(_REMEMBERED_ARTICLES, np.uint32)
    )
    names: dict[str, int] = field(default_factory=dict)

    def learn(self, page: PageSketch) -> bool:
        """Take up a page; False when its article was known or empty: nothing was counted."""
        if not len(page.keys.lines):
            return False
        self.n_pages += 1
        keys = _distinct(page.keys)
        if self.knows(page.text):
            self.lines.touch(keys, self.n_pages)
            self.places.touch(np.unique(page.keys.places), self.n_pages)
            return False
        self.n_articles += 1
        self.lines.add(keys, self.n_pages)
        places, sums = _place_sums(page.keys, page.probabilities)
        self.places.add(places, self.n_pages, sums)
        self._remember(page.text)
        self._count_names(page.names)
        if self.n_articles >= _FADE_ARTICLES:
            self._fade()
        return True

    def knows(self, text: TextSketch) -> bool:
        """Whether the article is among those remembered, under this or another address."""
        if not len(text.minima):
            return False
        rows = np.minimum(np.searchsorted(text.minima, self.minima), len(text.minima) - 1)
        near = (text.minima[rows] == self.minima).sum(axis=1) >= len(text.minima) / 2
        return any(
            text.is_same_article(self.minima[row], int(self.titles[row]))
            for row in np.flatnonzero(near)
        )

    def evidence(self, keys: LineKeys, probabilities: Floats, *, is_known: bool) -> LineEvidence:
        """Tell what other articles say about the lines of a page.

        Parameters
        ----------
        keys
            Of the page.
        probabilities : ndarray of shape (n_lines,)
            The line model's own.
        is_known
            The page's article has been learnt (`knows`): its own part is taken off.
        """
        own = 1 if is_known else 0
        in_place, anywhere = self.lines.counts_of(keys.lines), self.lines.counts_of(keys.texts)
        sums = self.places.sums_of(keys.places)
        if is_known:
            places, own_sums = _place_sums(keys, probabilities)
            sums -= own_sums[np.searchsorted(places, keys.places)]
        return LineEvidence(
            n_articles=max(self.n_articles - own, 0),
            articles_with=np.maximum(np.maximum(in_place, anywhere) - own, 0),
            place_articles=np.maximum(self.places.counts_of(keys.places) - own, 0),
            place_shares=place_shares(np.maximum(sums, 0.0)),
        )

    @property
    def site_names(self) -> tuple[str, ...]:
        """Pieces of titles that stand on enough articles to be names of the site."""
        least = max(_LEAST_NAMED_ARTICLES, _LEAST_NAMED_SHARE * self.n_articles)
        found = [(count, name) for name, count in self.names.items() if count >= least]
        return tuple(name for _, name in sorted(found, key=lambda pair: (-pair[0], pair[1])))

    def familiarity(self, keys: LineKeys) -> Familiarity | None:
        """How much of the site's common lines and places a page shows; None while unknown."""
        if self.n_articles < LEAST_FAMILIAR_ARTICLES:
            return None
        least = _COMMON_SHARE * self.n_articles
        lines, places = self.lines.common(least), self.places.common(least)
        if not len(lines) or not len(places):
            return None
        return Familiarity(
            float(np.isin(lines, _distinct(keys)).mean()),
            float(np.isin(places, keys.places).mean()),
        )

    def _remember(self, text: TextSketch) -> None:
        row = self.n_pages % _REMEMBERED_ARTICLES
        self.minima[row] = 0
        self.minima[row, : len(text.minima)] = text.minima
        self.titles[row] = text.title

    def _count_names(self, names: tuple[str, ...]) -> None:
        for name in names:
            self.names[name] = self.names.get(name, 0) + 1
        if len(self.names) > 2 * NAME_CAPACITY:
            ranked = sorted(self.names.items(), key=lambda item: -item[1])
            self.names = dict(ranked[:NAME_CAPACITY])

    def _fade(self) -> None:
        self.n_articles //= 2
        self.lines.halve()
        self.places.halve()
        self.names = {name: count // 2 for name, count in self.names.items() if count > 1}


def _distinct(keys: LineKeys) -> Keys:
    """Distinct keys of a page's lines, in their place and anywhere."""
    found = np.unique(np.concatenate([keys.lines, keys.texts]))
    return found[found > 0]


def _place_sums(keys: LineKeys, probabilities: Floats) -> tuple[Keys, Sums]:
    """Distinct places of a page; characters at each, and how many of them are text."""
    places, rows = np.unique(keys.places, return_inverse=True)
    weights = np.minimum(keys.lengths, PLACE_LINE_CHARACTERS).astype(np.float64)
    sums = [np.bincount(rows, w, len(places)) for w in (weights, weights * probabilities)]
    return places, np.stack(sums, axis=1).astype(np.float32)
