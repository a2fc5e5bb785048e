"""Kappa, worked with the table that Cohen printed: two judges on 200 people, three diagnoses."""

from corpus_site.help_pages.worked_statistics import (
    MeasureInWords,
    WorkedExample,
    WorkedMeasure,
)
from search.engine.statistics.agreement import cohen

# J. Cohen, Weighted kappa, Psychological Bulletin 70 (1968), table 1: people by the diagnoses of
# the first (rows) and the second judge (columns).
_DIAGNOSES = ((88, 14, 18), (10, 40, 10), (2, 6, 12))
_COHEN = MeasureInWords(
    "cohen",
    "Cohen’s kappa",
    "(po − pe) / (1 − pe), pe = Σ p1(k) p2(k)",
    "1 where two people always agree, 0 where as often as by chance. po: lines on which they "
    "agree; p1(k): share of category k with the first.",
    "Cohen 1960",
)
_FLEISS = MeasureInWords(
    "fleiss",
    "Fleiss’ kappa",
    "(P − Pe) / (1 − Pe), Pe = Σ p(k)²",
    "For three people or more. P: pairs of people that agree, the mean of all lines; p(k): share "
    "of category k with all. Of lines that everybody sorted.",
    "Fleiss 1971",
)


def worked_agreement() -> WorkedExample:
    """Work through the printed example; Fleiss' kappa stands without numbers."""
    cells = [(i, j, n) for i, row in enumerate(_DIAGNOSES) for j, n in enumerate(row)]
    found = cohen([(i, j) for i, j, n in cells for _ in range(n)])
    numbers = (
        ("n", "people whom both judges diagnosed", float(found.n)),
        ("n po", "on whom they agree", found.n * found.observed),
        ("n pe", "on whom they would agree by chance", found.n * found.expected),
    )
    words = "Two judges and three diagnoses, printed by Cohen (1968, table 1)."
    measures = (WorkedMeasure(_COHEN, found.kappa), WorkedMeasure(_FLEISS, None))
    return WorkedExample(words, numbers, measures)
