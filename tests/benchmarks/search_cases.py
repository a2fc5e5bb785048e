"""The queries of `bench_search.py` and what is done with their hits."""

from collections.abc import Callable
from dataclasses import dataclass

from search.engine.concordance.kwic import PageRequest, lines_of
from search.engine.concordance.sort_keys import parse_keys
from search.engine.concordance.sorting import Order
from search.engine.index.hits import Hits
from search.engine.index.reader import Snapshot
from search.engine.index.selection import Selection
from search.engine.query.filters import Copies, DocumentFilter, select
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run
from search.engine.statistics.collocation.collocates import CollocateRequest, collocates
from search.engine.statistics.counting.hit_values import parse_key
from search.engine.statistics.counting.periods import Unit
from search.engine.statistics.frequency import RowsWanted, frequencies
from search.engine.statistics.ngrams import NgramList, NgramRequest, ngrams
from search.engine.statistics.trend import trend

LINES = PageRequest(context=8)
RIGHT = PageRequest(context=8, order=Order(parse_keys("r1,r2,r3")))
TOP = RowsWanted(limit=50, with_texts=False)
COURIER = DocumentFilter(publications=("Daily Courier",))
EVERYTHING = DocumentFilter()


def lines(hits: Hits, selection: Selection) -> None:
    """Total and the newest 50 lines."""
    _ = hits.total
    lines_of(hits, LINES)


def sorted_lines(hits: Hits, selection: Selection) -> None:
    """Total and the first 50 lines sorted by the three words to the right."""
    _ = hits.total
    lines_of(hits, RIGHT)


def lemmas(hits: Hits, selection: Selection) -> None:
    """The 50 most frequent lemmas of the node (of its first token)."""
    frequencies(hits, (parse_key("lemma"),), TOP, selection)


def first_lemmas(hits: Hits, selection: Selection) -> None:
    """The 50 most frequent lemmas of the first token."""
    frequencies(hits, (parse_key("1.lemma"),), TOP, selection)


def neighbours(hits: Hits, selection: Selection) -> None:
    """Collocates five tokens to each side, by logDice, with all measures."""
    collocates(hits, selection, CollocateRequest())


def months(hits: Hits, selection: Selection) -> None:
    """Hits and base of each month."""
    trend(hits, selection, Unit.MONTH)


@dataclass(frozen=True)
class Case:
    """A query, named as in the table of the peers."""

    name: str
    cql: str
    then: Callable[[Hits, Selection], None] = lines
    filter: DocumentFilter = EVERYTHING

    def answer(self, snapshot: Snapshot) -> Hits:
        """Parse, run and do what is done with the hits; no result is remembered."""
        hits = run(snapshot, parse(self.cql, Language.CQL), self.filter)
        self.then(hits, select(snapshot, self.filter))
        return hits


@dataclass(frozen=True)
class NgramCase:
    """All sequences of three words, case folded: the 100 most frequent of those seen twice."""

    name: str = "3-grams"
    cql: str = "(all sequences of 3 words)"

    def answer(self, snapshot: Snapshot) -> NgramList:
        """Count them."""
        return ngrams(select(snapshot, EVERYTHING), NgramRequest())


CASES: tuple[Case | NgramCase, ...] = (
    Case("a", '"torrential"'),
    Case("a2", '"rain"'),
    Case("b", '"the"'),
    Case("c", '[lemma="go"]'),
    Case("d", '"of" "the" "state"'),
    Case("e", '[pos="JJ.*"] "rain"'),
    Case("f", '[lemma="go"] []{0,3} [pos="V.*"] within s'),
    Case("g", '"un.*able"'),
    Case("g2", '".*ness"'),
    Case("h", '"the"%c'),
    Case("n", '[lemma="make"] [pos="DT"] [pos="JJ.*"] [pos="NN.*"] within s'),
    Case("o", '[lemma="go"]', filter=COURIER),
    Case("p", '[pos="DT"] [pos="NN"]'),
    Case("i", '[pos="JJ.*"]', lemmas),
    Case("i2", '[pos="JJ.*"] "rain"', first_lemmas),
    Case("j", '"rain"', neighbours),
    Case("j2", '[lemma="go"]', neighbours),
    Case("k", '[lemma="go"]', sorted_lines),
    Case("k2", '"the"', sorted_lines),
    Case("l", '[lemma="go"]', months),
    Case("l2", '"the"', months),
    Case("v1", '[lemma="make"] [pos="DT"]? [pos="JJ.*"]* [pos="NN.*"] within s'),
    Case("v2", '[lemma="be"] [pos="RB"]* [pos="VBN"] within s'),
    Case("v3", '[lemma="go"] []* [pos="MD"] within s'),
    Case("w08", '[pos="DT"] [pos="JJ"]* [pos="NN"] containing [word="old" & pos="JJ"]'),
    Case("w10", 'a:[pos="NNP"] []{1,6} b:[pos="NNP"] :: a.word = b.word within s'),
    Case("w13", '[lemma="torrent"] "of" [pos="NNS"]'),
    Case("w18", 'MU(meet [lemma="rain"] [lemma="fall"] -5 5)'),
    Case("w19", 'MU(meet (meet [lemma="man"] [pos="JJ"] -1 -1) "the" -2 -2)'),
    Case("w20", 'MU(meet [lemma="king"] [lemma="queen"] s)'),
    Case("w25", '[pos="DT"]? [pos="JJ.*"]{2,4} [pos="NN.*"]+'),
    Case("w26", '([pos="DT"] [pos="JJ"]* [pos="NN.*"]+ [pos="IN"])+ [pos="DT"] [pos="NN.*"]'),
    Case("w28", '(?longest) [pos="NNP"]+'),
    Case("w39", '([pos="PRP"] [pos="MD"] | [pos="MD"] [pos="PRP"]) "not"? [pos="VB"]'),
    Case("open", '<text> []{1,3} "the"'),
    Case("fill", '<s> [pos!="V.*"]+ </s>'),
    Case("ask", r'<s> [] [pos="VBD"] []* [word="\?"] </s>'),
    Case("cut", '"from" []{1,4} "to" within s cut 50'),
    Case("cut2", '[pos="DT"] [pos="JJ"]* [pos="NN"] cut 100'),
    Case("tags", '[pos="DT"] [pos="JJ.*"] [pos="NN.*"]'),
    Case("once", '"rain"', filter=DocumentFilter(copies=Copies.ONCE)),
    NgramCase(),
)
