"""What a search address asks for, and its hits: shared by the concordance and all statistics.

Input → output: `SearchRequest` → query, filter, `Hits` on the newest snapshot, or the `Selection`
of documents alone. Results are remembered with the snapshot they were made on.
"""

import datetime as dt
from dataclasses import dataclass, replace

from django.utils import timezone

from extraction.text.tokens import tokenize
from search.engine.concordance.narrowing import Reach
from search.engine.index.documents import DocumentKind
from search.engine.index.hits import Hits
from search.engine.index.reader import Snapshot
from search.engine.index.recent import Remembered
from search.engine.index.selection import Selection
from search.engine.query.ast import Query
from search.engine.query.errors import QueryError
from search.engine.query.filters import Copies, QueryFilter, Stories, select
from search.engine.query.language.parser import Language, parse, parse_with_macros
from search.engine.query.language.simple import SimpleOptions
from search.engine.query.run import run
from search.engine.statistics.slices import Slice, parse_slice
from search.engine.statistics.slicing import narrow_hits, narrow_selection
from search.hit_filters import HitFilter, narrow, near_condition
from search.opened_index import current_snapshot
from search.running import FOREVER, SoFar, forget, is_running, running
from search.word_lists import lists_in, macros_in

KINDS: dict[str, frozenset[DocumentKind]] = {
    "articles": frozenset({DocumentKind.ARTICLE}),
    "comments": frozenset({DocumentKind.COMMENT}),
    "both": frozenset(),
}


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What to search for, in which texts, and what to show of it.

    Parameters
    ----------
    q, ql : str
        The query and its language, ``simple`` or ``cql``.
    match_case : bool
        For simple queries; in CQL each token says ``%c`` for itself.
    scope : str
        ``articles``, ``comments`` or ``both``.
    publications, languages, sections, authors : tuple of str
        Slugs, codes or names to keep, or with a minus before them to leave out.
    first_day, last_day : date or None
        Days of publication, both inclusive.
    copies : str
        ``once``, ``all`` or ``originals``.
    stories : str
        ``all``, or ``once`` to keep one article about each event.
    since : int or None
        Only texts that came into the corpus after this generation.
    only : tuple of str
        Slices of what the other filters let through, see `search.engine.statistics.slices`.
    near, not_near : str
        A word or a token in CQL that must stand, or must not stand, near the node.
    reach : tuple of int
        How many tokens left and right of the node these two look at, within its sentence.
    overlaps : str
        ``all``, or ``join`` to take hits that overlap for readings of one.
    one_each : str
        ``text`` for the first hit of each text, ``random`` for a random one, empty for all.
    sort : str
        Up to three keys of ``concordance.sort_keys``, separated by commas.
    n, context : int
        Lines a page, words on each side.
    whole_sentence : bool
        Show the sentence instead of a number of words.
    sentences : int
        With it, so many more sentences before and after.
    after : str
        The place a page begins at, from ``SearchPage.next_after``; empty for the first. It holds
        the generation, so that turning pages in a growing corpus skips and repeats nothing.
    sample, seed : int or None, int
        Keep so many random hits; equal seeds give equal samples.
    percent : float or None
        Keep this share of the hits at random, each by itself.
    generation : int or None
        Search the corpus as it was then.
    """

    q: str
    ql: str = "simple"
    match_case: bool = False
    scope: str = "articles"
    publications: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    first_day: dt.date | None = None
    last_day: dt.date | None = None
    copies: str = "once"
    stories: str = "all"
    since: int | None = None
    only: tuple[str, ...] = ()
    near: str = ""
    not_near: str = ""
    reach: tuple[int, int] = (5, 5)
    overlaps: str = "all"
    one_each: str = ""
    sort: str = "new"
    n: int = 50
    context: int = 12
    whole_sentence: bool = False
    sentences: int = 0
    after: str = ""
    sample: int | None = None
    seed: int = 1
    percent: float | None = None
    generation: int | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """Totals of a request and the base they refer to."""

    total: int
    n_texts: int
    base_tokens: int
    base_texts: int
    generation: int

    @property
    def per_million(self) -> float:
        """Hits per million tokens of the base."""
        return 1e6 * self.total / self.base_tokens if self.base_tokens else 0.0


def hits_of(request: SearchRequest, snapshot: Snapshot | None = None) -> Hits:
    """Return the hits of a request on a snapshot, by default the newest (`Hits.snapshot`).

    Raises
    ------
    QueryError
    """
    return run_request(snapshot or current_snapshot(), request, parsed(request))


def selection_of(request: SearchRequest, snapshot: Snapshot | None = None) -> Selection:
    """Return the documents that the filters of a request let through; without its query."""
    return _sliced(select(snapshot or current_snapshot(), filter_of(request)), request)


def parsed(request: SearchRequest) -> Query:
    """Parse the query of a request.

    Raises
    ------
    QueryError
    """
    language = Language(request.ql)
    lists = lists_in(request.q) if language is Language.CQL else ()
    macros = macros_in(request.q) if language is Language.CQL else ()
    if macros:
        return parse_with_macros(request.q, macros, lists_in(request.q, macros))
    return parse(request.q, language, match_case=request.match_case, tokenize=_words, lists=lists)


def simple_options(request: SearchRequest) -> SimpleOptions:
    """Return how the words of a simple query are read."""
    return SimpleOptions(request.match_case, _words)


def _words(text: str) -> list[str]:
    return [text[start:end] for start, end in tokenize(text)]


def run_request(
    snapshot: Snapshot, request: SearchRequest, query: Query, pinned: int | None = None
) -> Hits:
    """Run a query, or take the result of the same query on the same generation.

    Slices are cut last, as they are by the cells of a page that counted the hits before.
    """
    hits = narrow(_in_texts(snapshot, request, query, pinned), hit_filter_of(request))
    return _in_slices(hits, request, filter_of(request, pinned)) if request.only else hits


def hit_filter_of(request: SearchRequest) -> HitFilter:
    """Make the filter on hits of a request.

    Raises
    ------
    QueryError
        If a token that is to stand near the node, or not, cannot be read; the query form has
        checked its own.
    """
    return HitFilter(
        near_condition(request.near),
        near_condition(request.not_near),
        Reach(*request.reach),
        request.overlaps,
        request.one_each,
        request.seed,
    )


_RESULTS: Remembered[tuple[Query, QueryFilter], Hits] = Remembered(8)  # up to 16 bytes a hit
_SLICES: Remembered[tuple[str, ...], Hits] = Remembered()


def _in_texts(snapshot: Snapshot, request: SearchRequest, query: Query, pinned: int | None) -> Hits:
    """Return all hits in the texts that are asked for."""
    wanted = filter_of(request, pinned)
    key = _key(snapshot, query, wanted)
    known = _RESULTS.of(snapshot).get(key)
    if known is not None:
        hits = known
    elif is_running(snapshot, query, wanted):
        hits = running(snapshot, query, wanted).advance(FOREVER).hits
    else:
        hits = run(snapshot, query, wanted)
        _RESULTS.of(snapshot).put(key, hits)
    return hits


def run_slice(
    snapshot: Snapshot,
    request: SearchRequest,
    query: Query,
    pinned: int | None,
    seconds: float,
) -> SoFar:
    """Run a query for some seconds, or take the whole result if it is known."""
    wanted = filter_of(request, pinned)
    key = _key(snapshot, query, wanted)
    if key in _RESULTS.of(snapshot) or request.only:
        return SoFar(run_request(snapshot, request, query, pinned), 1, 1, None)
    so_far = running(snapshot, query, wanted).advance(seconds)
    if so_far.is_done and so_far.hits.snapshot is snapshot:
        _RESULTS.of(snapshot).put(key, so_far.hits)
        forget(snapshot, query, wanted)
    return replace(so_far, hits=narrow(so_far.hits, hit_filter_of(request)))


def _key(snapshot: Snapshot, query: Query, wanted: QueryFilter) -> tuple[Query, QueryFilter]:
    """Return what a result is remembered by: asking for the newest generation names it."""
    generation = snapshot.generation if wanted.generation is None else wanted.generation
    return query, replace(wanted, generation=min(generation, snapshot.generation))


def _in_slices(hits: Hits, request: SearchRequest, wanted: QueryFilter) -> Hits:
    def narrowed() -> Hits:
        selection = select(hits.snapshot, wanted)
        return narrow_hits(hits, selection, slices_of(request), timezone.get_default_timezone())

    return _SLICES.of(hits).get_or(request.only, narrowed)


def _sliced(selection: Selection, request: SearchRequest) -> Selection:
    return narrow_selection(selection, slices_of(request), timezone.get_default_timezone())


def slices_of(request: SearchRequest) -> tuple[Slice, ...]:
    """Read the slices of a request.

    Raises
    ------
    QueryError
        If one is wrong; the query form has checked its own.
    """
    try:
        return tuple(parse_slice(text) for text in request.only)
    except ValueError as error:
        raise QueryError(str(error)) from None


def filter_of(request: SearchRequest, pinned: int | None = None) -> QueryFilter:
    """Make the filter of a request; `pinned` is the generation where it names none."""
    return QueryFilter(
        kinds=KINDS[request.scope],
        publications=_kept(request.publications),
        without_publications=_left_out(request.publications),
        sections=_kept(request.sections),
        without_sections=_left_out(request.sections),
        authors=_kept(request.authors),
        without_authors=_left_out(request.authors),
        languages=_kept(request.languages),
        without_languages=_left_out(request.languages),
        first_day=request.first_day,
        last_day=request.last_day,
        copies=Copies(request.copies),
        stories=Stories(request.stories),
        since=request.since,
        generation=request.generation if request.generation is not None else pinned,
    )


def _kept(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(value for value in values if not value.startswith("-"))


def _left_out(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(value[1:] for value in values if value.startswith("-"))


def counts_of(hits: Hits) -> Counts:
    """Return the totals of hits and their base."""
    base = hits.base
    return Counts(hits.total, hits.n_texts, base.n_tokens, base.n_documents, hits.generation)
