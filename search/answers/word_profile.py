"""What the corpus knows of one word: forms, tags, first attestation, publications, neighbours.

Input → output: a form and the request that says in which texts → `WordProfile`. Case is folded:
"Rain" and "rain" are one word here.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.answers.answering import hits_of, selection_of
from search.asking.request import Texts, asked_in_cql
from search.asking.value_queries import value_query
from search.engine.index.hits import Hits
from search.engine.index.selection import Selection
from search.engine.statistics.collocation.collocates import (
    CollocateList,
    CollocateRequest,
    collocates,
)
from search.engine.statistics.counting.attribute_values import type_values
from search.engine.statistics.counting.hit_values import tokens_by_columns
from search.engine.statistics.counting.spread import spread_of
from search.engine.statistics.counting.type_counts import type_counts
from search.engine.statistics.facets import FacetCount, count_by_column
from search.engine.statistics.trend import Trend, choose_unit, daily_base, trend
from search.engine.statistics.vocabulary.new_words import FirstSight, first_sight
from search.engine.statistics.vocabulary.word_list import Switches, vocabulary
from search.lexicon.rows import LexiconRow, lexicon_rows

I64 = npt.NDArray[np.int64]

MOST_COLLOCATES = 12
LEAST_JOINT = 3
# Collocates of more hits take longer than a page may.
MOST_COLLOCATE_HITS = 200_000


@dataclass(frozen=True, slots=True)
class PartCount:
    """How many of a word's tokens have a form, lemma or tag; ``share`` is of all of them."""

    value: str
    hits: int
    share: float


@dataclass(frozen=True, slots=True)
class PublicationCount:
    """Hits of a word in a publication, and the tokens that this has in the base."""

    slug: str
    hits: int
    texts: int
    tokens: int


@dataclass(frozen=True, slots=True)
class WordProfile:
    """A word in a selection of documents.

    ``rank`` is that in the word list, None for a word that does not occur there. ``forms`` are
    those of the word's most frequent lemma, ``tags`` and ``lemmas`` those of the form itself.
    ``collocates`` are None for a word with very many hits.
    """

    form: str
    hits: Hits
    selection: Selection
    rank: int | None
    lemmas: tuple[PartCount, ...]
    forms: tuple[PartCount, ...]
    tags: tuple[PartCount, ...]
    first: FirstSight | None
    publications: tuple[PublicationCount, ...]
    trend: Trend
    collocates: CollocateList | None
    entries: tuple[LexiconRow, ...]


def word_profile(form: str, texts: Texts) -> WordProfile:
    """Collect what is known of a word in some texts."""
    form = form.lower()
    hits = hits_of(asked_in_cql(value_query("lower", form), texts))
    selection = selection_of(texts)
    lemmas = _parts(selection, form, "lemma")
    return WordProfile(
        form=form,
        hits=hits,
        selection=selection,
        rank=_rank(selection, form),
        lemmas=lemmas,
        forms=_forms(selection, lemmas[0].value) if lemmas else (),
        tags=_parts(selection, form, "pos"),
        first=first_of_form(selection, form),
        publications=_publications(hits, selection),
        trend=trend(hits, selection, choose_unit(daily_base(selection))),
        collocates=_collocates(hits, selection),
        entries=tuple(row for row in lexicon_rows(form) if row.word.lower() == form),
    )


def n_hits_of_form(form: str, texts: Texts) -> int:
    """Count a form, upper and lower case together, in some texts."""
    return hits_of(asked_in_cql(value_query("lower", form.lower()), texts)).total


def _collocates(hits: Hits, selection: Selection) -> CollocateList | None:
    if hits.total > MOST_COLLOCATE_HITS:
        return None
    wanted = CollocateRequest(limit=MOST_COLLOCATES, least=LEAST_JOINT)
    return collocates(hits, selection, wanted)


def _of_form(selection: Selection, form: str) -> I64:
    """Return the types of a form, case folded, that occur in the selection."""
    lexicon = selection.snapshot.lexicon
    number = lexicon.find_form(form)
    if number is None:
        return np.empty(0, dtype=np.int64)
    types = np.flatnonzero(lexicon.lower[lexicon.words] == number)
    return types[type_counts(selection)[types] > 0]


def _rank(selection: Selection, form: str) -> int | None:
    words = vocabulary(selection, Switches())
    number = selection.snapshot.lexicon.find_form(form)
    if number is None or not words.is_word[number]:
        return None
    return words.ranking.rank_of(form, int(words.counts[number]))


def _parts(selection: Selection, form: str, attribute: str) -> tuple[PartCount, ...]:
    """Count the tokens of a form by lemma or tag."""
    return _counted(selection, _of_form(selection, form), attribute)


def _forms(selection: Selection, lemma: str) -> tuple[PartCount, ...]:
    """Count the tokens of a lemma by form."""
    lexicon = selection.snapshot.lexicon
    types = np.flatnonzero(lexicon.lemmas == lexicon.find_form(lemma))
    return _counted(selection, types, "lower")


def _counted(selection: Selection, types: I64, attribute: str) -> tuple[PartCount, ...]:
    values = type_values(selection.snapshot.lexicon, attribute)
    chosen = np.zeros(len(values.numbers), dtype=np.int64)
    chosen[types] = type_counts(selection)[types]
    counts = values.fold(chosen)
    total = int(counts.sum())
    found = [
        PartCount(values.spell(number), n := int(counts[number]), n / total)
        for number in np.flatnonzero(counts).tolist()
    ]
    return tuple(sorted(found, key=lambda part: (-part.hits, part.value)))


def first_of_form(selection: Selection, form: str) -> FirstSight | None:
    """Find where a form in small letters first stood in the texts of a selection."""
    number = selection.snapshot.lexicon.find_form(form)
    if number is None:
        return None
    values = type_values(selection.snapshot.lexicon, "lower")
    spread = spread_of(selection, values.numbers, np.array([number]))
    first = spread.first_documents()[0]
    return first_sight(first.view, first.row, values.numbers == number) if first else None


def _publications(hits: Hits, selection: Selection) -> tuple[PublicationCount, ...]:
    bases = tokens_by_columns(selection, ["publication"])
    tokens = {selection.snapshot.lexicon.value(number): n for (number,), n in bases.items()}
    counts = {count.value: count for count in count_by_column(hits, "publication")}
    nothing = FacetCount("", 0, 0)
    found = [
        PublicationCount(slug, (count := counts.get(slug, nothing)).n_hits, count.n_texts, n)
        for slug, n in tokens.items()
    ]
    return tuple(sorted(found, key=lambda row: (-row.hits / max(1, row.tokens), row.slug)))
