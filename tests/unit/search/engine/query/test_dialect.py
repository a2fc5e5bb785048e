"""Regular expressions of CQP's users: what RE2 gets equals what another engine finds."""

import pytest
import re2
import regex

from search.engine.query.conditions.backtracking import BacktrackingPattern
from search.engine.query.dialect import is_plain, to_re2
from search.engine.query.errors import QueryError

STRINGS = (
    "a", "b", "A", "é", "É", "aa", "ab", "a1", "1", "²", "٣", "_", "-", "a-b", ".", "“", "—", "$",
    "^", "]", "\\", "x+y", "naïve", "co-op", "U.S.", "'s", "(", "aaab", "Ⅳ", " ", "\xa0",
)  # fmt: skip
SAME = (
    r"\d", r"\D+", r"[\d.]", r"\pL", r"\p{Lu}.*", r"\PL", r"\p{^L}", r"[\pL\d]+", "[a-c]", "[]]",
    "[^]]", r"[\]a]", ".", "..", ".{2,3}", "a{2}", "(a|b)+", "(?:a|b){2,}", "(?i)a.*", "(?i:É)",
    r"\.", r"U\.S\.", "a*?b", r"x\+y", r"\x61", "(?#note)a", "(?P<n>a)b", "(?<n>a)b", r"\s", "[$^]",
    "a|", "(|a)b", r"[\\]", r"\-",
)  # fmt: skip
# What PCRE means where the other engine means something else or knows nothing.
SPELLED_OUT = {
    r"\w": r"[\p{L}\p{N}_]",
    r"\w+": r"[\p{L}\p{N}_]+",
    r"\W": r"[^\p{L}\p{N}_]",
    r"[\w-]+": r"[\p{L}\p{N}_\-]+",
    r"[^\w]": r"[^\p{L}\p{N}_]",
    "[[:alpha:]]+": r"\p{L}+",
    "[[:^alpha:]]": r"\P{L}",
    "[^[:upper:]]": r"\P{Lu}",
    "[[:alpha:][:digit:]]+": r"[\p{L}\p{Nd}]+",
    r"\h": r"[\t\p{Zs}]",
    r"\x{e9}": "é",
    r"\Qx+y\E": r"x\+y",
}
BEYOND = (r"(?=a).*", r"(?!a).*", r"(?<=a)b", r"(a)\1", r"\ba\b", r"(?>a+)b", "a++b", r"a\Kb")


@pytest.mark.parametrize("pattern", [*SAME, *SPELLED_OUT])
def test_translated_pattern_matches_the_same(pattern):
    options = re2.Options()
    options.never_nl = True
    compiled = re2.compile(to_re2(pattern), options)
    reference = regex.compile(SPELLED_OUT.get(pattern, pattern))

    found = [string for string in STRINGS if compiled.fullmatch(string)]

    assert found == [string for string in STRINGS if reference.fullmatch(string)]


@pytest.mark.parametrize("pattern", BEYOND)
def test_what_re2_cannot_do_is_left_to_another_engine(pattern):
    assert to_re2(pattern) is None


@pytest.mark.parametrize(
    ("pattern", "plain"),
    [("rain", True), ("^a", True), ("$", True), ("a-b", True), ("a.", False), (r"\$", False)],
)
def test_without_signs_a_pattern_is_the_string_itself(pattern, plain):
    assert is_plain(pattern) is plain


def test_pattern_that_tries_for_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr("search.engine.query.conditions.backtracking.DEADLINE_SECONDS", 0.1)
    compiled = BacktrackingPattern(r"(?=a)(a|a)+b", 3, ignore_case=False)

    with pytest.raises(QueryError, match="takes too long") as caught:
        list(compiled.finditer(b"aab\n" + b"a" * 60 + b"\n"))

    assert caught.value.position == 3


def test_lines_that_match_are_found_at_their_offsets():
    compiled = BacktrackingPattern(r"(?!a).*b", 0, ignore_case=True)

    found = [line.start() for line in compiled.finditer(b"ab\nxb\n\nB\n")]

    assert found == [3, 7]
