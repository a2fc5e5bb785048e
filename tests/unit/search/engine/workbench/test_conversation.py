"""Questions and answers, a JSON object a line."""

import hashlib
import io
import json

import pytest

from search.engine.query.limits import DEFAULT_VISITS
from search.engine.workbench import answers, tables
from search.engine.workbench.building import BuildRequest, build
from search.engine.workbench.conversation import converse
from search.engine.workbench.corpus import Corpus
from search.engine.workbench.fields import MAX_REQUEST_BYTES

FILE = """\
<text id="n1" publication="Star" section="home" date="2026-11-01" kind="article">
<s>
It\tit\tPRP
rains\train\tVBZ
again\tagain\tRB
.\t.\t.
</s>
<s>
Heavy\theavy\tJJ
rain\train\tNN
</s>
</text>
<text id="n2" publication="Sun" section="home" date="2026-10-02" kind="comment">
<s>
Light\tlight\tJJ
rain\train\tNN
here\there\tRB
</s>
</text>
<text id="n3" publication="Star" section="sport" date="2026-11-03" kind="article">
<s>
No\tno\tDT
heavy\theavy\tJJ
rain\train\tNN
</s>
</text>
"""
N_TOKENS = 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("workbench")
    (place / "corpus.vrt").write_text(FILE)
    build(BuildRequest(str(place / "corpus.vrt"), place / "index"))
    return place / "index"


def ask(folder, *requests) -> list[dict]:
    lines = [r if isinstance(r, bytes) else json.dumps(r).encode() for r in requests]
    out = io.BytesIO()
    converse(Corpus(folder), io.BytesIO(b"\n".join(lines) + b"\n"), out)
    given = [json.loads(line) for line in out.getvalue().decode().splitlines()]
    for answer in given:
        assert answer.pop("ms") >= 0
    return given


def test_hits_and_base(folder):
    (answer,) = ask(folder, {"cql": '[lemma="rain"]', "want": "count"})

    assert answer == {
        "hits": 4,
        "texts": 3,
        "per_million": round(4e6 / N_TOKENS, 6),
        "base": {"tokens": N_TOKENS, "texts": 3},
        "generation": 1,
        "count": 4,
    }


def test_lines_newest_first_with_corpus_positions(folder):
    (answer,) = ask(folder, {"cql": '"heavy"%c "rain"'})

    assert answer["kwic"] == [
        {
            "start": 10, "end": 11, "text": "n3", "kind": "article", "publication": "Star",
            "section": "sport", "date": "2026-11-03", "left": "No ", "node": "heavy rain",
            "right": "",
        },
        {
            "start": 4, "end": 5, "text": "n1", "kind": "article", "publication": "Star",
            "section": "home", "date": "2026-11-01", "left": "It rains again. ",
            "node": "Heavy rain", "right": "",
        },
    ]  # fmt: skip


def test_pages_orders_and_contexts(folder):
    by_left = {"cql": '"rain"', "sort": "l1", "page": {"page": 1, "from": 1}, "context": 1}
    in_order = {"cql": '"rain"', "sort": ["corpus"], "page": 2, "whole_sentence": True}

    first, second = ask(folder, by_left, in_order)

    assert [line["left"] for line in first["kwic"]] == ["Heavy "]
    assert [(line["start"], line["left"]) for line in second["kwic"]] == [
        (5, "Heavy "),
        (7, "Light "),
    ]


def test_spans_are_digested_in_corpus_order(folder):
    (answer,) = ask(folder, {"cql": '[pos="JJ"] "rain"', "want": "spans_sha1"})

    assert answer["spans_sha1"] == hashlib.sha1(b"4 5\n6 7\n10 11\n").hexdigest()  # noqa: S324 (the oracle's)


@pytest.mark.parametrize(
    ("wanted", "hits", "tokens"),
    [
        ({"publication": "Star"}, 3, 9),
        ({"publication": ["Star", "Sun"]}, 4, 12),
        ({"without_publication": "Star"}, 1, 3),
        ({"without_section": ["sport"]}, 3, 9),
        ({"kind": "comment"}, 1, 3),
        ({"kinds": ["comment", "article"], "publications": ["Sun"]}, 1, 3),
        ({"section": "home", "from": "2026-11-01"}, 2, 6),
        ({"to": "2026-11-01"}, 3, 9),
        ({"author": "nobody"}, 0, 0),
    ],
)
def test_filters_change_hits_and_base(folder, wanted, hits, tokens):
    (answer,) = ask(folder, {"cql": '[lemma="rain"]', "filter": wanted, "want": "count"})

    assert (answer["hits"], answer["base"]["tokens"]) == (hits, tokens)


def test_frequencies_by_places_and_columns(folder):
    query = '[lemma="rain"]'
    first, second, third = ask(
        folder,
        {"cql": query, "want": "freq", "freq": {"by": "word"}},
        {"cql": query, "want": "freq", "freq": {"by": "lemma", "slot": "l1", "limit": 1}},
        {"cql": query, "want": "freq", "freq": {"by": ["pos", "publication"], "with_texts": True}},
    )

    assert first["freq"] == {
        "by": ["word"], "values": 2, "hits": 4,
        "rows": [
            {"value": "rain", "hits": 3, "per_million": 250_000.0, "base_tokens": N_TOKENS},
            {"value": "rains", "hits": 1, "per_million": 83_333.333333, "base_tokens": N_TOKENS},
        ],
    }  # fmt: skip
    assert second["freq"]["by"] == ["l1.lemma"]
    assert [(row["value"], row["hits"]) for row in second["freq"]["rows"]] == [("heavy", 2)]
    assert [(row["value"], row["hits"], row["base_tokens"], row["texts"])
            for row in third["freq"]["rows"]] == [
        (["NN", "Star"], 2, 9, 2), (["NN", "Sun"], 1, 3, 1), (["VBZ", "Star"], 1, 9, 1),
    ]  # fmt: skip


def test_collocates_with_window_and_measure(folder):
    (answer,) = ask(
        folder,
        {"cql": '"rain"', "want": "colloc",
         "colloc": {"by": "lemma", "window": "1,0", "measure": "dice", "min": 1}},
    )  # fmt: skip

    table = answer["colloc"]
    assert (table["window"], table["measure"], table["base_tokens"]) == ("l1", "dice", N_TOKENS)
    columns = ("value", "joint", "frequency", "score")
    assert [tuple(row[name] for name in columns) for row in table["rows"]] == [
        ("heavy", 2, 2, 0.8),
        ("light", 1, 1, 0.5),
    ]


def test_trend_by_month_has_the_base_of_each_point(folder):
    (answer,) = ask(folder, {"cql": '"rain"', "want": "trend", "trend": {"by": "month"}})

    rows = [(r["from"], r["hits"], r["base_tokens"]) for r in answer["trend"]["rows"]]
    assert rows == [("2026-10-02", 1, 3), ("2026-11-01", 2, 9)]


def test_several_wants_and_a_mark_come_back(folder):
    (answer,) = ask(
        folder, {"id": "q1", "simple": "heavy rain", "want": ["count", "kwic"], "page": 1}
    )

    assert answer["id"] == "q1"
    assert (answer["count"], len(answer["kwic"])) == (2, 1)


def test_a_strategy_beside_the_query_counts(folder):
    query = {"cql": '[pos="JJ"]? "rain" []?', "want": "spans_sha1"}

    answers = ask(folder, *({**query, "strategy": s} for s in ("shortest", "longest")))

    assert len({answer["spans_sha1"] for answer in answers}) == 2


def test_a_strategy_inside_the_query_wins(folder):
    query = {"cql": '(?longest) [pos="JJ"]? "rain" []?', "want": "spans_sha1"}

    answers = ask(folder, query, *({**query, "strategy": s} for s in ("shortest", "standard")))

    assert len({answer["spans_sha1"] for answer in answers}) == 1


BAD = {
    b"nonsense": ("The line is not JSON: Expecting value.", 0),
    b'{"cql": ': ("The line is not JSON: Expecting value.", 8),
    b"": ("The line is not JSON: Expecting value.", 0),
    b"[]": ("The line is no JSON object ({…}).", None),
    b"\xff": ("The line is not UTF-8: byte 0xff.", 0),
    b"[" * 100_000: ("The line is not JSON that can be read: too deep or too long.", None),
    b"{}": ("Give the query as “cql” or as “simple”, one of the two.", None),
    b'{"cql": "a", "simple": "a"}': (
        "Give the query as “cql” or as “simple”, one of the two.", None),
    b'{"cql": 3}': ("“cql” is not a string.", None),
    b'{"simple": "a", "want": ["count", 3]}': (
        "“want” is not a string or a list of strings.", None),
    b'{"simple": "a", "page": 10001}': ("“page” is not a whole number from 0 to 10000.", None),
    b'{"simple": "a", "page": true}': ("“page” is not a whole number from 0 to 10000.", None),
    b'{"simple": "a", "page": {"from": -1}}': (
        "“page.from” is not a whole number from 0 to 9007199254740992.", None),
    b'{"simple": "a", "filter": {"from": "soon"}}': (
        "“filter.from” is not a date like 2026-11-20.", None),
    b'{"simple": "a", "filter": {"kind": "blog"}}': (
        ("“filter.kind” is not one or a list of article, comment, headline, standfirst, heading, "
        "quote, list_item, caption, post."),
        None,
    ),
    b'{"simple": "a", "filter": []}': ("“filter” is not an object.", None),
    b'{"simple": "a", "sort": "up"}': ("“sort”: “up” is nothing to sort by.", None),
    b'{"simple": "a", "at": 2}': ("“at” is beyond the newest generation, 1.", None),
    b'{"simple": "a", "trend": {"by": "hour"}}': (
        "“trend.by” is not one of day, week, month, year.", None),
    b'{"simple": "a", "colloc": {"window": "0,0"}}': (
        "“colloc.window”: A window has up to 10 tokens on each side, and at least one.", None),
}  # fmt: skip


@pytest.mark.parametrize("line", BAD)
def test_a_bad_line_is_answered_and_the_next_one_too(folder, line):
    fault, good = ask(folder, line, {"cql": '"rain"', "want": "count"})

    assert (fault["error"], fault["position"]) == BAD[line]
    assert good["hits"] == 3


def test_unknown_keys_are_named_wherever_they_stand(folder):
    answers = ask(
        folder,
        {"cql": "[]", "colour": 1},
        {"cql": "[]", "filter": {"paper": "Star"}},
        {"cql": "[]", "freq": {"of": "lemma"}},
    )

    assert [answer["error"].split(";")[0] for answer in answers] == [
        "There is no key “colour”",
        "There is no key “filter.paper”",
        "There is no key “freq.of”",
    ]


def test_faults_of_queries_have_their_position_and_mark(folder):
    (answer,) = ask(folder, {"id": 5, "cql": '"rain" ['})

    assert (answer["id"], answer["position"]) == (5, 8)
    assert answer["expected"]


def test_a_line_without_end_is_passed_over(folder):
    endless = b'{"cql": "' + b"a" * (2 * MAX_REQUEST_BYTES) + b'"}'

    fault, good = ask(folder, endless, {"cql": '"rain"', "want": "count"})

    assert fault["error"] == f"The line is longer than {MAX_REQUEST_BYTES} bytes."
    assert good["hits"] == 3


def test_texts_are_called_by_their_names_in_queries(folder):
    first, second, third = ask(
        folder,
        {"cql": '"rain" :: match.text_id = "n[13]"', "want": "count"},
        {"cql": '<text_id="n2"> []', "want": "count"},
        {"cql": '[word = "rain" & _.text_id != "n1"]', "want": "count"},
    )

    assert (first["hits"], second["hits"], third["hits"]) == (2, 1, 2)


def test_matches_may_run_from_one_text_into_the_next(folder):
    (answer,) = ask(folder, {"cql": '"here" "No"', "context": 2})

    (line,) = answer["kwic"]
    assert (line["start"], line["end"], line["text"]) == (8, 9, "n2")
    assert (line["left"], line["right"]) == ("Light rain ", "")


def test_marked_tokens_have_their_positions(folder):
    (answer,) = ask(folder, {"cql": '[pos="JJ"] @"rain" @9[]', "sort": "corpus"})

    assert [line["marks"] for line in answer["kwic"]] == [
        {"target": 5, "keyword": 6},
        {"target": 7, "keyword": 8},
    ]


def test_nothing_found_in_no_texts_is_an_answer_too(folder):
    wants = ["kwic", "count", "freq", "colloc", "trend", "spans_sha1"]
    requests = [
        {"cql": '"snow"', "want": wants},
        {"cql": '"rain"', "filter": {"from": "2030-01-01"}, "want": wants},
    ]
    for answer in ask(folder, *requests):
        assert (answer["hits"], answer["texts"], answer["kwic"]) == (0, 0, [])
        assert answer["freq"]["rows"] == answer["colloc"]["rows"] == []
        assert sum(row["hits"] for row in answer["trend"]["rows"]) == 0
        assert answer["spans_sha1"] == hashlib.sha1(b"").hexdigest()  # noqa: S324 (the oracle's)


def test_a_damaged_segment_is_named_in_every_answer(tmp_path):
    (tmp_path / "corpus.vrt").write_text(FILE)
    build(BuildRequest(str(tmp_path / "corpus.vrt"), tmp_path / "index"))
    segment = next((tmp_path / "index").glob("*.segment"))
    segment.write_bytes(segment.read_bytes()[:100])

    (answer,) = ask(tmp_path / "index", {"cql": '"rain"', "want": "count"})

    assert answer["hits"] == 0
    assert [damage.split(":")[0] for damage in answer["damaged"]] == [segment.name]


@pytest.mark.parametrize(
    ("want", "module", "cost"),
    [
        ("colloc", tables, "CELL_VISITS"),
        ("freq", tables, "VALUE_VISITS"),
        ("spans_sha1", answers, "SPAN_VISITS"),
    ],
)
def test_statistics_share_the_budget_of_their_query(folder, monkeypatch, want, module, cost):
    request = {"cql": '[pos="JJ"] [lemma="rain"]', "want": want}
    (within,) = ask(folder, request)
    monkeypatch.setattr(module, cost, DEFAULT_VISITS)

    (beyond,) = ask(folder, request)

    assert want in within
    assert beyond["error"].startswith("This query would look at too many places.")


def test_counting_a_token_by_its_types_costs_nothing(folder, monkeypatch):
    monkeypatch.setattr(tables, "VALUE_VISITS", DEFAULT_VISITS)

    (answer,) = ask(folder, {"cql": "[]", "want": "freq", "freq": {"by": "pos", "limit": 1}})

    assert answer["freq"]["hits"] == N_TOKENS
