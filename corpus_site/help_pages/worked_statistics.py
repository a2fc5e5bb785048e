"""Each measure with its formula, its source, and one example worked with this corpus' numbers.

Collocation: the strongest collocate of a verb that every newspaper uses. Keyness: the same verb in
articles and in comments. Dispersion: its hits in articles over the publications.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from django.utils import timezone

from search.answers.answering import counts_of, hits_of, selection_of
from search.asking.base_words import KINDS
from search.asking.request import ARTICLES, SearchRequest, Texts, asked
from search.asking.written_query import WrittenQuery
from search.engine.index.hits import Hits
from search.engine.statistics import dispersion, keyness_measures
from search.engine.statistics.collocation.association import MEASURES, contingency
from search.engine.statistics.collocation.collocates import (
    FREQUENCY_MEASURES,
    CollocateList,
    CollocateRequest,
)
from search.engine.statistics.collocation.collocates import collocates as count_collocates
from search.engine.statistics.distribution import distribution
from search.engine.statistics.keyness_measures import Frequencies

NODE = "lemma:say"
# Looking around so many hits takes some 20 ms; of more only every so-manieth is looked at.
MOST_HITS = 50_000
# Fewest joint tokens of the collocate that is worked through.
LEAST_JOINT = 2
# Spread over one part says nothing.
LEAST_PARTS = 2


@dataclass(frozen=True, slots=True)
class MeasureInWords:
    """A measure in words; `formula` is written with the letters of `WorkedMeasure.numbers`."""

    name: str
    title: str
    formula: str
    meaning: str
    source: str
    is_count: bool = False


@dataclass(frozen=True, slots=True)
class WorkedMeasure:
    """A measure and its value for the example; None where the corpus gives no example."""

    measure: MeasureInWords
    value: float | None


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """What the numbers are of, the numbers by their letters, and the measures made from them."""

    words: str
    numbers: tuple[tuple[str, str, float], ...]
    measures: tuple[WorkedMeasure, ...]


ASSOCIATION = (
    MeasureInWords(
        "logdice",
        "logDice",
        "14 + log2( 2 O11 / (f + C1) )",
        "At most 14; one more is twice as often. Does not depend on the size of the corpus.",
        "Rychlý 2008",
    ),
    MeasureInWords(
        "ll",
        "log-likelihood (G²)",
        "2 Σ O ln( O / E ) over the four cells",
        "Above 3.84 chance is unlikely (p < .05), above 10.83 very (p < .001).",
        "Dunning 1993",
    ),
    MeasureInWords(
        "mi", "MI", "log2( O11 / E11 )", "In bits; favours rare words.", "Church & Hanks 1990"
    ),
    MeasureInWords(
        "mi3", "MI³", "log2( O11³ / E11 )", "MI that favours frequent words.", "Daille 1994"
    ),
    MeasureInWords(
        "t", "t-score", "(O11 − E11) / √O11", "Favours frequent words.", "Church et al. 1991"
    ),
    MeasureInWords("z", "z-score", "(O11 − E11) / √E11", "Favours rare words.", "Dennis 1965"),
    MeasureInWords("dice", "Dice", "2 O11 / (f + C1)", "From 0 to 1.", "Dice 1945"),
    MeasureInWords(
        "minsens",
        "minimum sensitivity",
        "min( O11 / f, O11 / C1 )",
        "The smaller of the two shares, from 0 to 1.",
        "Pedersen 1998",
    ),
    MeasureInWords(
        "dp",
        "ΔP of the collocate",
        "O11 / R1 − O21 / R2",
        "How much likelier the collocate is near the node than elsewhere.",
        "Gries 2013",
    ),
    MeasureInWords(
        "dpback",
        "ΔP of the node",
        "O11 / C1 − O12 / C2",
        "How much likelier the node is near the collocate than elsewhere.",
        "Gries 2013",
    ),
    MeasureInWords(
        "logratio",
        "log ratio",
        "log2( (O11 / R1) / (O21 / R2) )",
        "How many times its rate doubles near the node.",
        "Hardie 2014",
    ),
)
KEYNESS = (
    MeasureInWords(
        "log_likelihood",
        "log-likelihood (G²)",
        "2 ( a ln( a / E1 ) + b ln( b / E2 ) )",
        "Whether a difference can be chance, not how large it is.",
        "Rayson & Garside 2000",
    ),
    MeasureInWords(
        "log_ratio",
        "log ratio",
        "log2( (a / n) / (b / m) )",
        "How large the difference is: each point is a doubling.",
        "Hardie 2014",
    ),
    MeasureInWords(
        "simple_maths",
        "simple maths",
        "(10⁶ a / n + 1) / (10⁶ b / m + 1)",
        "How many times more frequent, with one per million added to both.",
        "Kilgarriff 2009",
    ),
    MeasureInWords(
        "percent_difference",
        "%DIFF",
        "100 (r1 − r2) / r2, rates per million",
        "By how many per cent the rate is higher.",
        "Gabrielatos & Marchi 2012",
    ),
    MeasureInWords(
        "odds_ratio",
        "odds ratio",
        "( a / (n − a) ) / ( b / (m − b) )",
        "1 for equal rates.",
        "Pojanapunya & Watson Todd 2018",
    ),
)
DISPERSION = (
    MeasureInWords(
        "part_range",
        "range",
        "parts with hits",
        "How many publications.",
        "Keniston 1920",
        is_count=True,
    ),
    MeasureInWords(
        "juilland_d",
        "Juilland’s D",
        "1 − V / √(k − 1), V the variation of the k rates",
        "1 if all parts have the same rate, 0 if one of equal parts has all hits.",
        "Juilland & Chang-Rodríguez 1964",
    ),
    MeasureInWords(
        "carroll_d2",
        "Carroll’s D2",
        "H / log2 k, H the entropy of the k rates",
        "1 if all parts have the same rate, 0 if one has all.",
        "Carroll 1970",
    ),
    MeasureInWords(
        "rosengren_s",
        "Rosengren’s S",
        "( Σ √(s v) )² / f",
        "1 for an even spread; s is a part’s share of the tokens, v its hits.",
        "Rosengren 1971",
    ),
    MeasureInWords(
        "deviation_of_proportions",
        "DP",
        "½ Σ | v / f − s |",
        "0 for an even spread, near 1 for hits in one small part.",
        "Gries 2008",
    ),
)
_OF_KEYNESS: dict[str, Callable[[Frequencies], npt.NDArray[np.float64]]] = {
    "log_likelihood": keyness_measures.log_likelihood,
    "log_ratio": keyness_measures.log_ratio,
    "simple_maths": keyness_measures.simple_maths,
    "percent_difference": keyness_measures.percent_difference,
    "odds_ratio": keyness_measures.odds_ratio,
}
_OF_PARTS: dict[str, Callable[[npt.ArrayLike, npt.ArrayLike], npt.NDArray[np.float64]]] = {
    "juilland_d": dispersion.juilland_d,
    "carroll_d2": dispersion.carroll_d2,
    "rosengren_s": dispersion.rosengren_s,
    "deviation_of_proportions": dispersion.deviation_of_proportions,
}


def worked_association() -> WorkedExample:
    """Work through the collocate with the highest logDice."""
    request = asked(WrittenQuery(NODE))
    hits = hits_of(request)
    every = max(1, -(-hits.total // MOST_HITS))
    wanted = CollocateRequest(least=LEAST_JOINT, limit=1, every=every)
    found = count_collocates(hits, selection_of(request.texts), wanted)
    if not found.rows:
        return _without_numbers(ASSOCIATION)
    best = found.rows[0]
    size = max(found.base_tokens, found.window_tokens)
    numbers = (
        ("O11", "tokens of the collocate in the windows of five words on each side", best.n_joint),
        ("R1", "tokens in these windows", found.window_tokens),
        ("C1", "tokens of the collocate in the base", best.n_total),
        ("N", "tokens of the base", size),
        ("E11", "expected by chance, R1 × C1 / N", best.expected),
        ("f", "hits of the node", found.n_hits),
    )
    about = "" if every == 1 else f" Estimated from every {every}th hit."
    values = association_values(found)
    return WorkedExample(
        f"“{best.value}” near {NODE}, by lemma.{about}",
        numbers,
        tuple(WorkedMeasure(measure, values[measure.name]) for measure in ASSOCIATION),
    )


def association_values(found: CollocateList) -> dict[str, float]:
    """Compute all measures of the first row from its frequencies, as the table counts them."""
    row = found.rows[0]
    total = max(row.n_total, row.n_joint)
    size = max(found.base_tokens, found.window_tokens, total)
    by_window = contingency(row.n_joint, found.window_tokens, total, size)
    by_hits = contingency(row.n_joint, max(found.n_hits, row.n_joint), total, found.base_tokens)
    return {
        name: float(compute(by_hits if name in FREQUENCY_MEASURES else by_window)[0])
        for name, compute in MEASURES.items()
    }


def worked_keyness() -> WorkedExample:
    """Compare the node's rates in articles and in comments."""
    articles = asked(WrittenQuery(NODE))
    of_comments = replace(ARTICLES, kinds=KINDS["comments"])
    comments = replace(articles, texts=Texts(of_comments))
    here, there = hits_of(articles), hits_of(comments)
    n, m = counts_of(here).base_tokens, counts_of(there).base_tokens
    if not n or not m or not here.total:
        return _without_numbers(KEYNESS)
    items = Frequencies(np.array([here.total]), np.array([there.total]), n, m)
    numbers = (
        ("a", "hits in articles", here.total),
        ("n", "tokens of the articles", n),
        ("b", "hits in comments", there.total),
        ("m", "tokens of the comments", m),
    )
    return WorkedExample(
        f"{NODE} in articles against comments.",
        numbers,
        tuple(
            WorkedMeasure(measure, float(_OF_KEYNESS[measure.name](items)[0]))
            for measure in KEYNESS
        ),
    )


def worked_dispersion() -> WorkedExample:
    """Say how evenly the node is spread over the publications."""
    request = asked(WrittenQuery(NODE))
    hits = hits_of(request)
    counts, sizes = _by_publication(request, hits)
    if not hits.total or len(counts) < LEAST_PARTS:
        return _without_numbers(DISPERSION)
    values = {name: float(compute(counts, sizes)) for name, compute in _OF_PARTS.items()}
    values["part_range"] = float(dispersion.part_range(counts))
    numbers = (("f", "hits", hits.total), ("k", "publications with articles", len(counts)))
    return WorkedExample(
        f"{NODE} over the publications.",
        numbers,
        tuple(WorkedMeasure(measure, values[measure.name]) for measure in DISPERSION),
    )


def _by_publication(request: SearchRequest, hits: Hits) -> tuple[list[int], list[int]]:
    zone = timezone.get_default_timezone()
    groups = distribution(hits, selection_of(request.texts), "publication", zone)
    return [group.hits for group in groups], [group.tokens for group in groups]


def _without_numbers(measures: tuple[MeasureInWords, ...]) -> WorkedExample:
    return WorkedExample("", (), tuple(WorkedMeasure(measure, None) for measure in measures))
