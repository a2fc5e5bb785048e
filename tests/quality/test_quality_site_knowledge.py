"""Gate on what knowing the site is worth: notices under every article go, and nothing is lost.

Three sites of the development pages: two whose articles end in the same notice, one modern one.
"""

import json

import pytest
from benchmarks.adapters import extract, extract_with_site
from benchmarks.extraction_scores import harness
from benchmarks.site_learning import _bytes, pages_by_site
from shared_data import SHARED, shared

pytestmark = pytest.mark.data

# Set, site, floor of F1 with knowledge; without and with it .738 → .940, .910 → .968, .997 → .998.
FLOORS = [
    ("sites", "xinmin.cn", 0.92),
    ("sites", "sina.com.hk", 0.95),
    ("fundus80", "theguardian.com", 0.99),
]


def f1(evaluate, set_name, gold, extractor):
    scores = [
        evaluate.score_body(record["body"], extractor(html, record["url"])["text"], set_name)
        for record, html in gold
    ]
    return evaluate.body_summary(scores)["f1"]


@pytest.mark.parametrize(("set_name", "site", "floor"), FLOORS)
def test_knowing_the_site_gains(monkeypatch, set_name, site, floor):
    folder = shared("data/extraction")
    monkeypatch.setenv("REPLAY_DATA", str(folder))
    lines = (folder / f"gold/{set_name}.jsonl").read_text(encoding="utf-8").splitlines()
    records = {record["id"]: record for record in map(json.loads, lines)}
    own = [path for path, _ in pages_by_site(folder)[site] if path.parent.name == set_name]
    gold = [(records[path.name.removesuffix(".html.gz")], _bytes(path)) for path in own]
    evaluate = harness(SHARED)

    knowing = f1(evaluate, set_name, gold, extract_with_site)

    assert knowing >= floor
    assert knowing >= f1(evaluate, set_name, gold, extract)
