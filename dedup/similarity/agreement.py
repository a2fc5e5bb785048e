"""How far two readers of the same pairs agree: their answers → share of equal ones, and pi."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agreement:
    """Items that were answered twice, and how often both answers were the same.

    `pi` is None where there is nothing to compare, and where all answers are the same one.
    """

    n_items: int
    n_equal: int
    pi: float | None

    @property
    def share(self) -> float | None:
        """Share of the items with equal answers, from 0 to 1."""
        return self.n_equal / self.n_items if self.n_items else None


def agreement(answers: Sequence[tuple[Hashable, Hashable]]) -> Agreement:
    """Compare the two answers given to each item.

    Parameters
    ----------
    answers
        For each item what a first and what a second reader said; readers may change from item to
        item, so their order says nothing.

    Returns
    -------
    Agreement
        With Scott's pi = (Po - Pe) / (1 - Pe): the observed agreement Po held against Pe, what
        chance would give readers who answer as often "same", "different" and so on as all these did
        together. 1 is full agreement, 0 that of chance.

    References
    ----------
    Scott, W. A. (1955), Reliability of content analysis: the case of nominal scale coding, Public
    Opinion Quarterly 19.

    Examples
    --------
    >>> agreement([("same", "same"), ("other", "other"), ("same", "other"), ("other", "same")])
    Agreement(n_items=4, n_equal=2, pi=0.0)
    """
    n_items = len(answers)
    n_equal = sum(first == second for first, second in answers)
    if not n_items:
        return Agreement(0, 0, None)
    counts = Counter(answer for both in answers for answer in both)
    if len(counts) == 1:
        return Agreement(n_items, n_equal, None)
    # Po and Pe times all pairs of answers, whole numbers: sums of shares depend on their order.
    n_pairs = (2 * n_items) ** 2
    by_chance = sum(n * n for n in counts.values())
    return Agreement(n_items, n_equal, (4 * n_items * n_equal - by_chance) / (n_pairs - by_chance))
