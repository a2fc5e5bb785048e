"""Fit the decision of `dedup/similarity/resemblance.py`: development set → seven weights.

``python tests/benchmarks/near_training.py`` prints the constants; with ``--check`` it measures them
by cross-validation instead: whole clusters are held out together, and each text is judged with
weights that were fitted without its cluster.

The examples are the pairs that are met when all texts arrive in order, and once more in reverse,
while every text is put where it belongs; and neighbouring issues of bulletins of our own, which
weigh less. The fit is a penalized logistic regression by Newton's method: no random numbers.
"""

import gzip
import json
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from benchmarks.bulletin_cases import TEMPLATES, bulletins  # noqa: E402
from shared_data import SHARED  # noqa: E402

from dedup.similarity import near, resemblance  # noqa: E402
from dedup.similarity.alignment import overlap, shared_shingles  # noqa: E402
from dedup.similarity.near_clusters import NearDuplicates  # noqa: E402

DATA = SHARED / "data" / "dedup" / "dedup-dev.jsonl.gz"
PAIR_WEIGHT = 0.5  # each pair is met about twice
BULLETIN_WEIGHT = 0.05
N_BULLETINS = 40
PENALTY = 1.0
N_STEPS = 30
N_FOLDS = 5
N_ORDERS = 3


@dataclass(frozen=True, slots=True)
class Examples:
    """Measures of pairs, whether they are one text, how much they count, and of which cluster."""

    measures: np.ndarray
    same: np.ndarray
    counts: np.ndarray
    clusters: list[tuple[str, str]]


def documents():
    with gzip.open(DATA, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def pairs_met(signatures, clusters, order):
    """Yield (one, other, measures) of each comparison when every text goes where it belongs."""
    holders = defaultdict(list)
    entered = defaultdict(list)
    for one in order:
        new = signatures[one]
        names = near.shortlist(new.fingerprints, holders)
        candidates = {name: signatures[name] for name in names}
        rarity = near.rarity_of(candidates, {name: clusters[name] for name in names})
        for name, other in candidates.items():
            smaller = min(len(new.shingles), len(other.shingles))
            if shared_shingles(new, other) >= near.MIN_CONTAINMENT * smaller:
                yield one, name, resemblance.measures(overlap(new, other, rarity))
        mates = entered[clusters[one]]
        if near.is_fuller(new, [signatures[mate] for mate in mates]):
            mates.append(one)
            for key in near.entries(new, holders):
                holders[key].append(one)


def examples(signatures, clusters) -> Examples:
    places = range(len(signatures))
    met = [
        pair
        for order in (places, reversed(places))
        for pair in pairs_met(signatures, clusters, order)
    ]
    issues = [[near.signature(text) for text in bulletins(name, N_BULLETINS)] for name in TEMPLATES]
    unlike = [
        resemblance.measures(overlap(one, other))
        for series in issues
        for step in (1, 2)
        for one, other in zip(series, series[step:], strict=False)
    ]
    return Examples(
        measures=np.array([pair[2] for pair in met] + unlike),
        same=np.array([clusters[a] == clusters[b] for a, b, _ in met] + [False] * len(unlike)),
        counts=np.array([PAIR_WEIGHT] * len(met) + [BULLETIN_WEIGHT] * len(unlike)),
        clusters=[(clusters[a], clusters[b]) for a, b, _ in met] + [("", "")] * len(unlike),
    )


def fit(found: Examples, used: np.ndarray | None = None) -> tuple[np.ndarray, float]:
    """Return weights and intercept; standardized inside, so that the penalty is fair."""
    used = np.ones(len(found.same), bool) if used is None else used
    measures, same, counts = found.measures[used], found.same[used], found.counts[used]
    mean, spread = measures.mean(axis=0), measures.std(axis=0)
    columns = np.column_stack([(measures - mean) / spread, np.ones(len(measures))])
    penalty = np.diag([PENALTY] * measures.shape[1] + [1e-6])
    weights = np.zeros(columns.shape[1])
    for _ in range(N_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
        slope = columns.T @ (counts * (chance - same)) + penalty @ weights
        curve = (columns * (counts * chance * (1 - chance))[:, None]).T @ columns + penalty
        weights -= np.linalg.solve(curve, slope)
    plain = weights[:-1] / spread
    return plain, float(weights[-1] - plain @ mean)


def rounded(weights: np.ndarray, intercept: float) -> tuple[tuple[float, ...], float]:
    return tuple(round(float(weight), 2) for weight in weights), round(intercept, 2)


def pairwise(wanted, found):
    """Precision, recall and F1 over pairs of texts in one cluster, in per cent."""

    def n_pairs(values):
        return sum(n * (n - 1) // 2 for n in Counter(values).values())

    n_right = n_pairs(list(zip(wanted, found, strict=True)))
    precision, recall = n_right / n_pairs(found), n_right / n_pairs(wanted)
    return 100 * precision, 100 * recall, 200 * precision * recall / (precision + recall)


def said(figures):
    precision, recall, f1 = figures
    return f"P {precision:.2f} R {recall:.2f} F1 {f1:.2f}"


def place_all(signatures, order, choose=lambda _: None):
    """Cluster in an order; `choose` may change the decision before each text."""
    clusterer = NearDuplicates()
    for one in order:
        choose(one)
        clusterer.add(one, signatures[one])
    return [clusterer.cluster_of(one) for one in range(len(signatures))]


def check(signatures, clusters, found: Examples) -> None:
    """Print pairwise figures of held-out clusters for the order of arrival and some random ones."""
    rows = []
    for seed in range(N_ORDERS):
        dice = np.random.default_rng(seed)
        names = sorted(set(clusters))
        fold_of = dict(zip(names, dice.integers(0, N_FOLDS, len(names)).tolist(), strict=True))
        decisions = []
        for fold in range(N_FOLDS):
            used = [fold not in {fold_of.get(a), fold_of.get(b)} for a, b in found.clusters]
            decisions.append(fit(found, np.array(used)))

        def choose(one, decisions=decisions, fold_of=fold_of):
            weights, intercept = decisions[fold_of[clusters[one]]]
            resemblance.WEIGHTS, resemblance.INTERCEPT = tuple(weights.tolist()), intercept

        order = range(len(signatures)) if seed == 0 else dice.permutation(len(signatures)).tolist()
        rows.append(pairwise(clusters, place_all(signatures, order, choose)))
        print(f"order {seed}:", said(rows[-1]))
    print("mean:   ", said(np.mean(rows, axis=0)))


def main() -> int:
    if not DATA.exists():
        print(f"not run: {DATA} is absent")
        return 0
    texts = documents()
    signatures = [near.signature(text["text"]) for text in texts]
    clusters = [text["cluster"] for text in texts]
    found = examples(signatures, clusters)
    if "--check" in sys.argv:
        check(signatures, clusters, found)
        return 0
    weights, intercept = rounded(*fit(found))
    print(f"WEIGHTS = {weights}\nINTERCEPT = {intercept}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
