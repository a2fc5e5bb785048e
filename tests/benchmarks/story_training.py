"""Fit the decision of `dedup/similarity/events/closeness.py`: judged pairs → weights.

``python tests/benchmarks/story_training.py`` prints the constants; with ``--check`` it measures
them by cross-validation instead: whole events, and all judged pairs that hang together, are held
out at once, and every pair is judged with weights that were fitted without it.

Examples are all alike pairs of the development set: those of labelled events, those that a reader
has judged (`tests/data/story_pairs.tsv`), and those that were made to share sentences without
sharing an event (quotations, background, columns, bulletins).
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

from benchmarks.near_training import Examples, fit, pairwise  # noqa: E402
from shared_data import SHARED  # noqa: E402

from dedup.similarity.clusters import UnionFind  # noqa: E402
from dedup.similarity.events import stories  # noqa: E402
from dedup.similarity.events.likeness import LikenessTable  # noqa: E402
from dedup.similarity.events.of_file import tellings_of  # noqa: E402
from dedup.similarity.events.tfidf_measures import MEASURES  # noqa: E402

DATA = SHARED / "data" / "dedup" / "dedup-dev.jsonl.gz"
READ = ROOT / "tests" / "data" / "story_pairs.tsv"
# A large event has hundreds of pairs; what a reader judged is hard; what was made is easy.
EVENT_WEIGHT, OTHER_EVENT_WEIGHT, READ_WEIGHT, MADE_WEIGHT = 0.3, 1.0, 3.0, 0.2
MADE = frozenset({"quote", "followup", "column", "template"})
# Examples are pairs less alike than those that are judged, too.
ALIKE_FROM = 0.025
N_FOLDS = 5
SEED = 0


@dataclass(frozen=True, slots=True)
class Example:
    """A pair by the places of its documents; nobody has judged it where `weight` is 0."""

    pair: tuple[int, int]
    is_same: bool = False
    weight: float = 0.0


def documents():
    with gzip.open(DATA, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def pairs_read(path=READ):
    """What the reader said: {ids: same, affair or other}."""
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return {(one, other): word for one, other, word in rows}


def reports_in(docs):
    first: dict[str, int] = {}
    clusters = [first.setdefault(document["cluster"], n) for n, document in enumerate(docs)]
    return list(tellings_of(((d["title"], d["text"]) for d in docs), clusters)), clusters


def alike_pairs(reports):
    """Give the pairs that are measured, the earlier report first, and their measures."""
    table = LikenessTable(reports)
    pairs: list[tuple[int, int]] = []
    rows = []
    for place, report in enumerate(reports):
        found = table.row(place)
        earlier = found.places[(found.places < place) & (found.likenesses >= ALIKE_FROM)]
        if len(earlier):
            pairs += [(reports[other].key, report.key) for other in earlier.tolist()]
            rows.append(table.measures(place, earlier))
    return pairs, np.concatenate(rows)


def examples(docs, pairs):
    read = pairs_read()
    found = []
    for pair in pairs:
        one, other = (docs[key] for key in pair)
        word = read.get((one["id"], other["id"]))
        if word is not None:
            found.append(Example(pair, word == "same", READ_WEIGHT))
        elif one["event"] and other["event"]:
            is_same = one["event"] == other["event"]
            found.append(Example(pair, is_same, EVENT_WEIGHT if is_same else OTHER_EVENT_WEIGHT))
        elif MADE & {one["type"], other["type"]} and one["title"] and other["title"]:
            found.append(Example(pair, weight=MADE_WEIGHT))
        else:
            found.append(Example(pair))
    return found


def folds(docs, found):
    """Give each example a fold: an event, and judged pairs that hang together, have one."""
    sets = UnionFind[int]()
    first: dict[str, int] = {}
    for key, document in enumerate(docs):
        if document["event"]:
            sets.union(key, first.setdefault(document["event"], key))
    read = pairs_read()
    for example in found:
        if tuple(docs[key]["id"] for key in example.pair) in read:
            sets.union(*example.pair)
    fold_of: dict[int, int] = {}
    chance = np.random.default_rng(SEED)
    ends = [a if docs[a]["event"] else b for a, b in (example.pair for example in found)]
    return np.array(
        [fold_of.setdefault(sets.find(end), int(chance.integers(N_FOLDS))) for end in ends]
    )


def fitted(measures, found):
    """Fit on the judged pairs; constant first, for measures as they are."""
    judged = [n for n, example in enumerate(found) if example.weight > 0]
    same = np.array([found[n].is_same for n in judged], float)
    counts = np.array([found[n].weight for n in judged])
    weights, constant = fit(Examples(measures[judged], same, counts, []))
    return np.concatenate([[constant], weights])


def held_out(docs, measures, found):
    """Judge each pair with the weights that were fitted without its fold."""
    fold = folds(docs, found)
    odds = np.zeros(len(found))
    for number in range(N_FOLDS):
        learnt = np.flatnonzero(fold != number)
        weights = fitted(measures[learnt], [found[n] for n in learnt.tolist()])
        odds[fold == number] = weights[0] + measures[fold == number] @ weights[1:]
    return odds


def stories_by(odds_of, reports, clusters):
    """Group all reports with other odds of the pairs than those of the product."""

    class Table(LikenessTable):
        def odds(self, place, others):
            key = reports[place].key
            pairs = [tuple(sorted((key, reports[other].key))) for other in others.tolist()]
            return np.array([odds_of.get(pair, -np.inf) for pair in pairs])

    product, stories.LikenessTable = stories.LikenessTable, Table
    try:
        found = stories.find_stories(reports)
    finally:
        stories.LikenessTable = product
    name = {report.key: report.key for report in reports}
    name |= {key: story.keys[0] for story in found for key in story.keys}
    return [name[cluster] for cluster in clusters]


def figures(docs, named):
    """Pairwise scores of the labelled events, and what becomes of all other texts."""
    labelled = [n for n, document in enumerate(docs) if document["event"]]
    scores = pairwise([docs[n]["event"] for n in labelled], [named[n] for n in labelled])
    by_id = {document["id"]: named[n] for n, document in enumerate(docs)}
    joined = Counter(
        (word, by_id[one] == by_id[other]) for (one, other), word in pairs_read().items()
    )
    texts = {document["cluster"]: n for n, document in reversed(list(enumerate(docs)))}
    members = defaultdict(list)
    for n in texts.values():
        members[named[n]].append(n)
    titled = [
        len([n for n in group if docs[n]["title"]]) for group in members.values() if len(group) > 1
    ]
    return scores, joined, sum(titled), sum(n * (n - 1) // 2 for n in titled)


def main() -> int:
    docs = documents()
    reports, clusters = reports_in(docs)
    pairs, measures = alike_pairs(reports)
    found = examples(docs, pairs)
    if "--check" in sys.argv:
        odds = held_out(docs, measures, found)
        same = odds[[e.is_same and e.weight == EVENT_WEIGHT for e in found]]
        for share in (0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.9, 0.95):
            print(
                f"{share:.2f} of the pairs of labelled events: {np.quantile(same, 1 - share):.2f}"
            )
        named = stories_by(dict(zip(pairs, odds.tolist(), strict=True)), reports, clusters)
    else:
        weights = fitted(measures, found)
        print(f"_CONSTANT = {weights[0]:.4f}")
        for name, weight in zip(MEASURES, weights[1:].tolist(), strict=True):
            print(f"    {weight:.4f},  # {name}")
        odds = weights[0] + measures @ weights[1:]
        named = stories_by(dict(zip(pairs, odds.tolist(), strict=True)), reports, clusters)
    scores, joined, n_texts, n_pairs = figures(docs, named)
    print("labelled events: P {:.2f} R {:.2f} F1 {:.2f}".format(*scores))
    print(f"titled texts without an event in stories: {n_texts}, in {n_pairs} pairs")
    print("pairs that were read, (judgement, joined):", sorted(joined.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
