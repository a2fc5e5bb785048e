"""Queries that are made to explode: a limit with a message, or an answer, never a hung worker."""

import time
import tracemalloc

import pytest
from cpu_time import slowness
from hypothesis import given
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.engine.query.errors import QueryError, QueryTooExpensiveError
from search.engine.query.language.parser import Language, parse
from search.engine.query.language.to_cql import to_cql
from search.engine.query.limits import Budget
from search.engine.query.run import run

SLOWEST_SECONDS = 20


@pytest.fixture(autouse=True)
def ends_in_time(corpus):
    """Let no query take long, measured as processor time of a usual machine."""
    began = time.process_time()
    yield
    assert time.process_time() - began < SLOWEST_SECONDS * slowness()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    texts = [document(key, "a b a a b c aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab " * 8) for key in (1, 2)]
    return snapshot_of(tmp_path_factory.mktemp("corpus"), texts)


ANSWERED = {
    "900 tokens": (" ".join(['"a"'] * 900), 0),
    "900 alternatives": ("|".join(['"b"'] * 900), 32),
    "1,500 conditions": ("[" + "|".join(['word="b"'] * 1500) + "]", 32),
    "brackets": ("(" * 50 + '"a"' + ")" * 50, 48),
    "brackets in a token": ("[" + "(" * 50 + 'word="a"' + ")" * 50 + "]", 48),
    "pluses": ("(" * 45 + '"a"' + ")+" * 45, 48),
    "regions": ('"a" (<s> </s>)* "b"', 32),
    "ambiguous": ('([] | [] [])+ "zzz"', 0),
    "regular expression": ('"(a+)+$"', 48),
    "200 tokens that may be left out": ('"a"? ' * 200 + '"zzz"', 0),
    "two lists": (" ".join(["(" + "|".join(['"a"', '"b"'] * 150) + ")"] * 2), 64),
    "repetitions": ('("a"{0,30} "b"{0,30}){0,15} "zzz"', 0),
    "meet": ("MU" + '(meet "a" ' * 49 + '"b"' + " s)" * 49, 48),
    "everything": ("(?longest) []+ within text", 2),
}


@pytest.mark.parametrize("name", ANSWERED)
def test_large_query_is_answered(corpus, name):
    text, total = ANSWERED[name]

    assert run(corpus, parse(text, Language.CQL)).total == total


REFUSED = {
    "10,000 tokens": (" ".join(['"a"'] * 10_000), "longer than 20000 characters"),
    "4,000 tokens": (" ".join(['"a"'] * 4000), "over 1000 tokens"),
    "nested repetitions": ("([]{0,500}){0,500}", "over 1000 tokens"),
    "700 tokens that may be left out": ('"a" ' + "[]? " * 700, "too many ways"),
    "nothing but what may be left out": ("[]? " * 700, "too many ways"),
    "repeated nothing": ('"a" ([::])* "b"', "repeated without end"),
    "brackets": ("(" * 60 + '"a"' + ")" * 60, "More than 50 brackets"),
    "negations": ("[" + "!" * 60 + 'word="a"]', "More than 50 brackets or negations"),
    "implications": ("[" + 'word="a"->' * 60 + 'word="a"]', "More than 50 conditions"),
    "calls": ("[" + "add(" * 99 + "1" + ",1)" * 99 + ">1]", "More than 50 brackets"),
    "large regular expression": ('"((a{1,99}){1,99}){1,99}"', "not a regular expression"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_query_beyond_a_limit_is_refused(corpus, name):
    text, message = REFUSED[name]

    with pytest.raises(QueryError, match=message):
        run(corpus, parse(text, Language.CQL))


def test_lookahead_that_tries_for_too_long_is_given_up(corpus, monkeypatch):
    monkeypatch.setattr("search.engine.query.conditions.backtracking.DEADLINE_SECONDS", 0.1)

    with pytest.raises(QueryError, match="takes too long"):
        run(corpus, parse('"(?=a)(a|a)+c"', Language.CQL))


def test_regular_expression_that_calls_itself_for_ever_is_given_up(corpus):
    with pytest.raises(QueryError, match="takes too long"):
        run(corpus, parse('"(?R)"', Language.CQL))


def test_simulated_query_keeps_to_its_budget(corpus):
    query = parse("a:[] []* b:[] []* c:[] :: a.word = b.word & b.word != c.word", Language.CQL)

    with pytest.raises(QueryTooExpensiveError):
        run(corpus, query, budget=Budget(visits=1000))


PIECES = (
    "a", "b*", "?", "*", "\\", '"', "'", "(", ")", "|", " ", "  ", "..3..", "..1-2..", "lemma:",
    ":", "tag:", "NN", "NOUN", "/", "/VERB", "$", "^", "[", "]", "{2}", "%c", "é", "\x00", "\n",
    ".", "word:", "<s>", "&", "+", "\ud800",
)  # fmt: skip


def total_of(corpus, text, language, **options):
    """The total, or None with a mistake at a place in the query."""
    try:
        query = parse(text, language, **options)
        total = run(corpus, query).total
    except QueryError as error:
        return None, error.position
    assert run(corpus, parse(to_cql(query), Language.CQL)).total == total
    return total, 0


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join), st.booleans())
def test_every_simple_query_is_run_or_explained(corpus, text, match_case):
    total, position = total_of(corpus, text, Language.SIMPLE, match_case=match_case)

    assert total is None or total >= 0
    assert 0 <= position <= len(text)


TOKENS = (
    '"a"', "'b'", "[]", "[word", "=", "!=", '"x"%c', "]", "(", ")", "{1,2}", "*", "+", "|", "&",
    "::", "a:", "a.word", "match", "within s", "within", "<s>", "</s>", "<<s>>", "@", "MU(meet",
    "union", "-1 1", "TAB", "[:", ":]", "lbound(s)", "distance(", ",", "->", "contains",
    "(?longest)", "cut 2", "show", "..", "expand to s", "!", "%d", "/region[s]", "text_kind", '"("',
)  # fmt: skip


@given(st.lists(st.sampled_from(TOKENS), min_size=1, max_size=9).map(" ".join))
def test_every_cql_query_is_run_or_explained(corpus, text):
    total, position = total_of(corpus, text, Language.CQL)

    assert total is None or total >= 0
    assert 0 <= position <= len(text)


def test_matches_tried_by_a_constraint_are_not_all_kept(tmp_path):
    words = " ".join(str(number) for number in range(30_000))
    snapshot = snapshot_of(tmp_path, [document(1, f"{words} 29000")])
    tracemalloc.start()

    hits = run(snapshot, parse("a:[] []* b:[] :: a.word = b.word", Language.CQL), across_texts=True)

    assert hits.total == 0
    assert tracemalloc.get_traced_memory()[1] < 200_000_000  # 15 million matches take 240 MB
    tracemalloc.stop()
