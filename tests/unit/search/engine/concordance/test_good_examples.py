"""Good examples first: whole readable sentences before scraps."""

import numpy as np
import pytest
from small_corpora import document, snapshot_of

from search.engine.concordance.good_examples import GoodExamples
from search.engine.concordance.sort_keys import parse_keys
from search.engine.concordance.sorting import Order, lines_in_order
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run

PLAIN = "The/the/DT old rain fell on the dry red hills all day ././."
SENTENCES = {
    "best": PLAIN,
    "with a name": PLAIN.replace("old", "Karoo/Karoo/NNP"),
    "with a number": PLAIN.replace("old", "45/45/CD"),
    "points back": PLAIN.replace("old", "this"),
    "unfinished": PLAIN.replace("././.", "and"),
    "short": "The/the/DT rain ././.",
    "with an address": PLAIN.replace("old", "www.rain.example"),
    "long": PLAIN.replace("old", "old " * 40),
}


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    texts = [document(key, text) for key, text in enumerate(SENTENCES.values(), 1)]
    known = document(99, " | ".join(SENTENCES.values()).replace("rain", "sun"))
    return snapshot_of(tmp_path_factory.mktemp("corpus"), texts[::-1], [known], tail_tokens=1)


def lines(snapshot, sort):
    hits = run(snapshot, parse('"rain"', Language.CQL))
    found = lines_in_order(hits, Order(parse_keys(sort)), 0, 50)
    keys = [int(hits.parts[at.part].view.segment.documents.key[at.row]) for at in found]
    return [list(SENTENCES)[key - 1] for key in keys]


def test_whole_readable_sentences_come_first(snapshot):
    assert lines(snapshot, "good")[:4] == ["best", "with a name", "points back", "with a number"]
    assert lines(snapshot, "good")[4:6] == ["unfinished", "with an address"]
    assert set(lines(snapshot, "good")[6:]) == {"short", "long"}
    assert lines(snapshot, "good.desc")[-1] == "best"


def test_points_do_not_hang_on_what_they_are_asked_with(snapshot):
    examples = GoodExamples(snapshot)
    for view in snapshot.segments:
        positions = np.arange(view.segment.n_tokens)
        together = examples.points(view.segment, positions)

        alone = [int(GoodExamples(snapshot).points(view.segment, positions[i : i + 1])[0])
                 for i in range(0, len(positions), 7)]  # fmt: skip
        assert together[::7].tolist() == alone
        assert together.min() >= 0
        assert together.max() <= 1000
