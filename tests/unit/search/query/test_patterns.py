"""Patterns over the lexicon: equal to matching each form alone, and never slow."""

import re
from time import process_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.index.strings import StringTable, encode_strings
from search.query.errors import QueryError
from search.query.parser import Language, parse
from search.query.patterns import PatternTables, literal_of
from search.query.run import run

FORMS = st.lists(st.text("abcé.", max_size=6), unique=True, max_size=30)
PATTERNS = st.sampled_from(
    ["a", "a.*", ".*b", "[^a]*", "a|b", "(ab)+", ".", "", r"\.", "a?b*c", "[a-c]{2,3}", ".*é.*"]
)


@given(FORMS, PATTERNS, st.booleans(), st.integers(0, 10))
def test_table_equals_matching_each_form(forms, pattern, ignore_case, cut):
    strings = StringTable()
    tables = PatternTables(strings)
    strings.extend(encode_strings(forms[:cut]))
    tables.table(pattern, len(strings), 0, ignore_case=ignore_case)
    strings.extend(encode_strings(forms[cut:]))

    table = tables.table(pattern, len(strings), 0, ignore_case=ignore_case)

    flags = re.IGNORECASE if ignore_case else 0
    assert table.tolist() == [bool(re.fullmatch(pattern, form, flags)) for form in forms]


@pytest.mark.parametrize(
    ("pattern", "literal"),
    [
        ("rain", "rain"),
        (r"U\.S\.", "U.S."),
        (r"\?", "?"),
        ("r.n", None),
        (r"\d", None),
        (r"\bx", None),
        ("", ""),
    ],
)
def test_literal_of_a_pattern(pattern, literal):
    assert literal_of(pattern) == literal


@pytest.mark.parametrize(
    "pattern", ["(", "[a", "a{2,1}", "*", r"\1", "(?=a)", "(?<!a)b", r"\C", r"a\z"]
)
def test_bad_pattern_is_the_users_mistake_at_its_place(tmp_path, pattern):
    snapshot = snapshot_of(tmp_path, [document(1, "rain")])

    with pytest.raises(QueryError) as caught:
        run(snapshot, parse(f'[] "{pattern}"', Language.CQL))

    assert caught.value.position == 3


def test_brackets_of_a_pattern_cannot_escape(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "rain")])

    with pytest.raises(QueryError):
        run(snapshot, parse('"x)|(rain"', Language.CQL))


def test_exploding_pattern_takes_linear_time(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, " ".join(["a" * n for n in range(1, 400)]))])
    started = process_time()

    hits = run(snapshot, parse(r'"(a+)+(a+)+(a|aa)+b"', Language.CQL))

    assert hits.total == 0
    assert process_time() - started < 1


def test_case_and_accents_are_ignored_when_asked(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "Cafe café CAFÉ CAFE caf ÉCLAIR")])
    lexicon = snapshot.lexicon

    def words(query):
        part = run(snapshot, parse(query, Language.CQL)).parts[0]
        types = part.view.segment.stream[part.spans.starts]
        return [lexicon.form(int(number)) for number in lexicon.words[types]]

    assert words('"café"') == ["café"]
    assert words('"café"%c') == ["café", "CAFÉ"]
    assert words('"cafe"%d') == ["café"]
    assert words('"cafe"%cd') == ["Cafe", "café", "CAFÉ", "CAFE"]
    assert words('"é.*"%c') == ["ÉCLAIR"]
    assert words('"e.*"%cd') == ["ÉCLAIR"]


def test_cached_tables_see_new_forms(tmp_path):
    first = snapshot_of(tmp_path, [document(1, "rainy")])
    assert run(first, parse('"rain.*"', Language.CQL)).total == 1

    second = snapshot_of(tmp_path, [document(2, "rainbow")])

    assert run(second, parse('"rain.*"', Language.CQL)).total == 2
    assert np.count_nonzero(second.type_counts) == 2
