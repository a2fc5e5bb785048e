"""Dates of given texts: as files write them, and what is not guessed at."""

from datetime import UTC

import pytest

from search.collecting.dates import moment_of


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("2026-11-20", "2026-11-20T00:00:00+00:00"),
        (" 2026-11-20T08:30:00+02:00 ", "2026-11-20T08:30:00+02:00"),
        ("2026-11-20 08:30", "2026-11-20T08:30:00+00:00"),
        ("2026-11", "2026-11-01T00:00:00+00:00"),
        ("1921", "1921-01-01T00:00:00+00:00"),
        ("20261120", "2026-11-20T00:00:00+00:00"),
        ("20.11.2026", "2026-11-20T00:00:00+00:00"),
        ("20 November 2026", "2026-11-20T00:00:00+00:00"),
        ("Fri, 20 Nov 2026 08:30:00 +0200", "2026-11-20T08:30:00+02:00"),
    ],
)
def test_dates_are_read(words, found):
    assert moment_of(words, UTC).isoformat() == found


@pytest.mark.parametrize("words", ["3/4/2026", "soon", "0001", "9999-01-01", "2026-13-01"])
def test_what_is_no_date_or_of_two_days_is_none(words):
    assert moment_of(words, UTC) is None


@pytest.mark.parametrize(
    "words",
    ["Fri, 20 Dec 99999999999999999999 08:00:00 GMT", "Fri, 20 Dec 2013 99999999999:00:00 GMT"],
)
def test_numbers_of_dozens_of_digits_are_no_date(words: str):
    assert moment_of(words, UTC) is None
