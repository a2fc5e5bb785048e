"""Requests made at random: one answer each, and never a fault of the program itself."""

import io
import json

import pytest
from corpus_texts import SETTINGS
from hypothesis import given, settings
from hypothesis import strategies as st

from search.engine.workbench.building import BuildRequest, build
from search.engine.workbench.conversation import converse
from search.engine.workbench.corpus import Corpus

FILE = "".join(
    f'<text id="n{n}" publication="p{n % 2}" date="2026-0{n}-01" kind="{kind}">\n<s>\n'
    + "".join(f"{word}\t{word.lower()}\t{tag}\n" for word, tag in tokens)
    + "</s>\n</text>\n"
    for n, (kind, tokens) in enumerate(
        [
            ("article", [("Rain", "NN"), ("falls", "VBZ"), (".", ".")]),
            ("comment", [("Heavy", "JJ"), ("rain", "NN")]),
            ("article", []),
            ("article", [("No", "DT"), ("rain", "NN"), ("no", "DT"), ("rain", "NN")]),
        ],
        start=1,
    )
)
ODD = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 12), st.floats(allow_nan=False), st.text(max_size=3),
    st.just([]), st.just({}), st.just(["a", 1]),
)  # fmt: skip
QUERIES = st.one_of(
    st.lists(
        st.sampled_from(
            [
                '"rain"%c',
                "[]",
                '[pos="N.*"]',
                "a:[]",
                "@",
                "?",
                "*",
                "{0,2}",
                "(",
                ")",
                "|",
                "<s>",
                "</text>",
                " within s",
                " within 2",
                " :: a.lemma = a.word",
                "MU(meet ",
                "-1 1)",
                "!",
                '<text_id="n.*">',
                "[lemma=",
                " containing ",
                "cut 1",
                ";",
                "&",
                "~",
            ]
        ),
        max_size=5,
    ).map("".join),
    st.just('[word="rain"%c] []{0,2}'),
)
CHOICES = {
    "want": st.lists(st.sampled_from(["kwic", "count", "freq", "colloc", "trend", "spans_sha1"])),
    "strategy": st.sampled_from(["standard", "shortest", "longest", "traditional"]),
    "sort": st.sampled_from(["new", "old", "l1,r1", "node.rev", "corpus", "random", "pub.desc"]),
    "page": st.sampled_from([0, 3, {"page": 2, "from": 1}]),
    "filter": st.sampled_from([{"kind": "comment"}, {"from": "2026-02-01"}, {"copies": "once"}]),
    "freq": st.sampled_from([{"by": "pos"}, {"by": ["lemma", "month"]}, {"slot": "l2"}]),
    "colloc": st.sampled_from([{"min": 1}, {"window": 1, "min": 0}, {"by": "pos", "measure": "z"}]),
    "trend": st.sampled_from([{"by": "day"}, {"by": "week"}, {"by": "year"}]),
    "context": st.integers(0, 3),
    "sample": st.integers(0, 3),
    "at": st.integers(0, 1),
}
REQUESTS = st.fixed_dictionaries(
    {"cql": QUERIES},
    optional={key: st.one_of(good, good, good, ODD) for key, good in CHOICES.items()},
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    place = tmp_path_factory.mktemp("requests")
    (place / "corpus.vrt").write_text(FILE)
    build(BuildRequest(str(place / "corpus.vrt"), place / "index"))
    return Corpus(place / "index")


@settings(SETTINGS, max_examples=150)
@given(requests=st.lists(REQUESTS, min_size=1, max_size=3))
def test_every_request_has_its_answer(corpus, requests):
    out = io.BytesIO()
    questions = "".join(f"{json.dumps(request)}\n" for request in requests)

    converse(corpus, io.BytesIO(questions.encode()), out)

    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert len(answers) == len(requests)
    for request, answer in zip(requests, answers, strict=True):
        assert "Something went wrong" not in answer.get("error", ""), request
        assert ("hits" in answer) != ("error" in answer)
