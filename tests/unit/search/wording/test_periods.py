"""Dates of the query form."""

from datetime import date

import pytest

from search.wording.periods import PeriodError, first_day, last_day

TODAY = date(2026, 11, 20)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-09-24", date(2026, 9, 24), date(2026, 9, 24)),
        ("2026-9-4", date(2026, 9, 4), date(2026, 9, 4)),
        ("2026-09", date(2026, 9, 1), date(2026, 9, 30)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2025", date(2025, 1, 1), date(2025, 12, 31)),
        ("1d", TODAY, TODAY),
        ("7d", date(2026, 11, 14), date(2026, 11, 14)),
        (" 30d ", date(2026, 10, 22), date(2026, 10, 22)),
    ],
)
def test_days_of(text, first, last):
    assert first_day(text, TODAY) == first
    assert last_day(text, TODAY) == last


@pytest.mark.parametrize(
    "text",
    ["", "yesterday", "0d", "24-09-2026", "2026-13", "2026-02-30", "0000", "99999", "٣d", "-7d"],
)
def test_what_is_no_date_says_so(text):
    for read in (first_day, last_day):
        with pytest.raises(PeriodError):
            read(text, TODAY)


def test_many_days_back_reach_no_further_than_the_calendar():
    assert first_day("9999d", TODAY) == date(1999, 7, 7)
