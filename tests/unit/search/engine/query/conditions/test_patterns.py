"""Patterns over the lexicon: equal to matching each form alone, and never slow."""

import re

import numpy as np
import pytest
from cpu_time import takes_less
from hypothesis import given
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.engine.index.lexicon.lexicon import Lexicon
from search.engine.index.lexicon.strings import StringTable, encode_strings, make_chunk
from search.engine.query.conditions.literals import literal_of
from search.engine.query.conditions.patterns import Matcher, PatternNumbers, matching_forms
from search.engine.query.errors import QueryError
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run

FORMS = st.lists(st.text("abcé.", max_size=6), unique=True, max_size=30)
PATTERNS = st.sampled_from(
    ["a", "a.*", ".*b", "[^a]*", "a|b", "(ab)+", ".", "", r"\.", "a?b*c", "[a-c]{2,3}", ".*é.*"]
)


@given(FORMS, PATTERNS, st.booleans(), st.integers(0, 10))
def test_table_equals_matching_each_form(forms, pattern, ignore_case, cut):
    strings = StringTable()
    tables = PatternNumbers(strings)
    strings.extend(encode_strings(forms[:cut]))
    tables.numbers(pattern, len(strings), 0, ignore_case=ignore_case)
    strings.extend(encode_strings(forms[cut:]))

    numbers = tables.numbers(pattern, len(strings), 0, ignore_case=ignore_case)

    flags = re.IGNORECASE if ignore_case else 0
    expected = [i for i, form in enumerate(forms) if re.fullmatch(pattern, form, flags)]
    assert numbers.tolist() == expected


WORDS = [
    *("AB", "Ab", "ab", "abc", "xab", "xabx", "a|b", "b", "N", "aN", "a.b", "axb", "x)", "b", "41"),
    *(f"{first}a{last}" for first in "klmnop" for last in "qrstuvw"),
]


@pytest.mark.parametrize(
    "pattern",
    [
        *("ab.*", ".*ab", ".*ab.*", "x?ab", "xab+", "(x|y)?ab", "(?i)ab", "(?i:ab)c?", "ab|b"),
        "a{2}b",
        *(r"a\.b", r"\x41B", r"\pN?\PN*", r"[[:alpha:]]ab", r"[]a]b", r"\Qa|b\E", r"x\Q)\E|b"),
        r"\101B",
        *("^ab", "ab$", r"\bab", "(ab)*", "ab{0,1}", "ab*", "(?:ab)+c", r"a\|b", "ka.", "k.*"),
        ".*aq",
    ],
)  # fmt: skip
def test_narrowing_finds_what_matching_each_form_finds(tmp_path, pattern):
    forms = [*WORDS, *(f"{word}{i}" for word in ("z", "y", "ab") for i in range(40))]
    snapshot = snapshot_of(tmp_path, [document(1, " ".join(forms))])
    lexicon = Lexicon()
    lexicon.extend(snapshot.lexicon.lexicon.as_block())  # as a base, with its sort order
    chunks = [make_chunk(0, encode_strings([form])) for form in lexicon.forms.all()]

    found = matching_forms(lexicon.view(), pattern, (False, False, False), 0)

    matcher = Matcher(pattern, 0, ignore_case=False)
    expected = [i for i, chunk in enumerate(chunks) if matcher.match(chunk).any()]
    assert found.tolist() == expected


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
    "pattern", ["(", "[a", "a{2,1}", "*", r"\1", "(?=a", "(?<!a", r"\C", r"a\z"]
)
def test_bad_pattern_is_the_users_mistake_at_its_place(tmp_path, pattern):
    snapshot = snapshot_of(tmp_path, [document(1, "rain")])

    with pytest.raises(QueryError) as caught:
        run(snapshot, parse(f'[] "{pattern}"', Language.CQL))

    assert caught.value.position == 3


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(braai", "a round bracket is opened and never closed (“(braai”)"),
        ("braai)", "a round bracket is closed and was never opened (“braai)”)"),
        ("[brai", "a square bracket is opened and never closed (“[brai”)"),
        ("*ing", "nothing stands before the sign that repeats it (“*”)"),
        ("[z-a]", "there is no such range or class of characters (“z-a”)"),
    ],
)
def test_mistake_in_a_pattern_is_named_in_words(tmp_path, pattern, words):
    snapshot = snapshot_of(tmp_path, [document(1, "braai")])

    with pytest.raises(QueryError) as caught:
        run(snapshot, parse(f'"{pattern}"', Language.CQL))

    assert caught.value.message == f"This is not a regular expression: {words}."


def test_brackets_of_a_pattern_cannot_escape(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "rain")])

    with pytest.raises(QueryError):
        run(snapshot, parse('"x)|(rain"', Language.CQL))


def test_exploding_pattern_takes_linear_time(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, " ".join(["a" * n for n in range(1, 400)]))])
    query = parse(r'"(a+)+(a+)+(a|aa)+b"', Language.CQL)

    assert takes_less(1, lambda: run(snapshot, query))
    assert run(snapshot, query).total == 0


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


def test_few_strings_are_what_brackets_of_single_signs_stand_for(tmp_path):
    lexicon = snapshot_of(tmp_path, [document(1, "'n ’n ‘n N’N -n an bn")]).lexicon

    def forms(pattern, *, ignore_case=False):
        numbers = matching_forms(lexicon, pattern, (ignore_case, False, False), 0)
        return lexicon.forms_of(numbers)

    assert forms("['’‘]n") == ["'n", "’n", "‘n"]
    assert forms("n['’‘]N", ignore_case=True) == ["N’N", "n’n"]
    assert forms("[ab]n") == ["an", "bn"]
    assert forms("[^a]n") == ["'n", "’n", "‘n", "-n", "bn"]
    assert forms("[a-b]n") == ["an", "bn"]


@pytest.mark.parametrize("query", ["'n", "’n", "‘n", "'?"])
def test_quotes_of_a_simple_query_are_alike(tmp_path, query):
    snapshot = snapshot_of(tmp_path, [document(1, "'n man ’n vrou ’N ‘n")])

    assert run(snapshot, parse(query)).total == 4
    assert run(snapshot, parse(query, match_case=True)).total == 4 - (query[1] == "n")
    assert run(snapshot, parse("\\'n")).total == 1
    assert run(snapshot, parse('"\'n"', Language.CQL)).total == 1


def test_cached_tables_see_new_forms(tmp_path):
    first = snapshot_of(tmp_path, [document(1, "rainy")])
    assert run(first, parse('"rain.*"', Language.CQL)).total == 1

    second = snapshot_of(tmp_path, [document(2, "rainbow")])

    assert run(second, parse('"rain.*"', Language.CQL)).total == 2
    assert np.count_nonzero(second.type_counts) == 2
