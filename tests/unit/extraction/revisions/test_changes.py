"""What a change comes to."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from extraction.revisions.changes import Change, change_of, in_words, n_words_changed

FIELDS = {
    "title": "Fire",
    "standfirst": "",
    "authors": ["A. Botha"],
    "section": "News",
    "published_at": datetime(2026, 11, 20, 8, tzinfo=UTC),
}
TEXTS = st.lists(st.sampled_from(["two", "men", "Men", "died", "R2.5m", "here"]), max_size=12)


def test_change_names_words_and_fields():
    after = FIELDS | {"title": "Fire in harbour", "authors": ["B. Cele"]}

    change = change_of("Five men died.", "Six men died on Monday.", FIELDS, after)

    assert change == Change(3, ("title", "authors"))
    assert in_words(change.n_words, change.fields) == "headline, authors, 3 words"


def test_case_and_quotes_of_a_headline_are_no_change():
    before = FIELDS | {"title": "“Fire”"}

    assert change_of("a", "a", before, FIELDS | {"title": '"FIRE"'}) == Change(0, ())


@given(TEXTS, TEXTS)
def test_words_changed_are_symmetric_and_bounded(first, second):
    n = n_words_changed(" ".join(first), " ".join(second))

    assert n == n_words_changed(" ".join(second), " ".join(first))
    assert abs(len(first) - len(second)) <= n <= max(len(first), len(second))
    assert n_words_changed(" ".join(first), " ".join(reversed(first))) == 0
