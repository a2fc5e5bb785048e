"""Examples of collocates: sentences in which they stand in a relation to the word.

Input → output: a word and collocates of its lists, by key → a few lines for each, sentences of
middling length first (Kilgarriff et al. 2008, *GDEX*, EURALEX 13, prefer 10 to 25 words).
"""

from collections.abc import Mapping, Sequence

import numpy as np

from search.engine.concordance.kwic import KwicLine, PageRequest, lines_at
from search.engine.concordance.places import LineReference, Places
from search.engine.index.hits import Hits, SpanHits, Spans
from search.engine.index.recent import Remembered
from search.engine.index.selection import Selection
from search.engine.sketches.counting import Keys, WordPlaces
from search.engine.sketches.grammar import Grammar

GOOD_LENGTH = 16  # tokens of a sentence
LOOKED_AT = 50  # hits of a collocate in a segment, the last ones
NO_SPANS = Spans(np.empty(0, np.int64), np.empty(0, np.int64))
ListKey = tuple[int, int]  # number of a list and key of a collocate in it

# Of a selection, by grammar, class and lemma: some 400 sentences of 100 B each.
_KEPT: Remembered[tuple[str, str, str], dict[ListKey, str]] = Remembered(4)


def example_sentences(
    selection: Selection,
    grammar: Grammar,
    word: tuple[str, str],
    wanted: Mapping[int, Sequence[int]],
) -> Mapping[ListKey, str]:
    """Find a sentence for each of some collocates of a word (class and lemma), or of more.

    They are kept with the selection: a list is gone through again only for collocates that it was
    not asked for before.
    """
    word_class, lemma = word
    known = _KEPT.of(selection).get_or((grammar.digest, word_class, lemma), dict)
    missing = {
        number: [key for key in chosen if (number, key) not in known]
        for number, chosen in wanted.items()
    }
    missing = {number: chosen for number, chosen in missing.items() if chosen}
    if missing:
        places = WordPlaces(selection, grammar, word_class, lemma)
        for key, lines in examples(places, selection, grammar, missing, 1).items():
            known[key] = " ".join(f"{one.left}{one.node}{one.right}" for one in lines)
    return known


def examples(
    places: WordPlaces, selection: Selection, grammar: Grammar, wanted: Mapping[int, Sequence[int]],
    n: int,
) -> dict[ListKey, list[KwicLine]]:  # fmt: skip
    """Find lines of some collocates.

    Parameters
    ----------
    places : WordPlaces
        Of the word.
    wanted : mapping
        Keys of collocates (`SketchCollocate.key`) by the number of their list.
    n : int
        Most lines of each.

    Returns
    -------
    dict
        Lines by list and key. O(hits of the lists).
    """
    lists = grammar.lists_of(places.word_class)
    keys = Keys(selection.snapshot.lexicon)
    views = [SpanHits(view, NO_SPANS, None) for view in selection.snapshot.segments]
    hits = Hits(selection.snapshot, selection.generation, tuple(views), selection.base)
    result = {}
    for number, chosen in wanted.items():
        found = places.matches(lists[number])
        references: dict[int, list[tuple[int, LineReference]]] = {key: [] for key in chosen}
        for part, matches in zip(found.numbers, found.parts, strict=True):
            segment = views[part].view.segment
            of_matches = keys.collocates(matches)
            for key in chosen:
                rows = np.flatnonzero(of_matches == key)[-LOOKED_AT:]
                starts, ends = matches.starts[rows], matches.ends[rows]
                lengths = segment.left[starts].astype(int) + segment.right[starts]
                documents = segment.document_of(starts)
                columns = (documents, starts, ends, np.abs(lengths - GOOD_LENGTH))
                for row, start, end, distance in zip(*(c.tolist() for c in columns), strict=True):
                    references[key].append((distance, LineReference(part, row, start, end)))
        for key, some in references.items():
            best = [reference for _, reference in sorted(some)]
            different = list({(one.part, one.start): one for one in best}.values())[:n]
            page = PageRequest(whole_sentence=True)
            result[number, key] = lines_at(hits, Places.of(different), page)
    return result
