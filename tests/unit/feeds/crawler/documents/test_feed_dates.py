from datetime import UTC, datetime

import feedparser
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.crawler.documents.feed_dates import entry_date


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("Fri, 20 Nov 2026 10:00:00 +0200", datetime(2026, 11, 20, 8, tzinfo=UTC)),
        ("Fri, 20 Nov 2026 10:00:00 SAST", datetime(2026, 11, 20, 8, tzinfo=UTC)),
        ("2026-11-20T10:00:00+02:00", datetime(2026, 11, 20, 8, tzinfo=UTC)),
        ("2026-11-20", datetime(2026, 11, 20, tzinfo=UTC)),
        ("November 20, 2026 10:00 am", datetime(2026, 11, 20, 10, tzinfo=UTC)),
        ("20/11/2026 10:00", datetime(2026, 11, 20, 10, tzinfo=UTC)),
        ("Vrydag, 20 November 2026 10:00", datetime(2026, 11, 20, 10, tzinfo=UTC)),
        ("2 Desember 2026", datetime(2026, 12, 2, tzinfo=UTC)),
        ("Fri, 20 Nov 2026 10:00:00 XYZ", datetime(2026, 11, 20, 10, tzinfo=UTC)),
        ("20 November", None),
        ("0000-00-00 00:00:00", None),
        ("1970-01-01T00:00:00Z", None),
        ("9999-12-31", None),
        ("yesterday", None),
        ("", None),
        ("1" * 5_000, None),
        (None, None),
    ],
)
def test_entry_date_of_text(text, moment):
    assert entry_date(text) == moment


def test_entry_date_trusts_feedparser_but_for_african_zones():
    text = "Fri, 20 Nov 2026 10:00:00 SAST"
    parsed = feedparser.datetimes._parse_date(text)

    assert entry_date(text, parsed) == datetime(2026, 11, 20, 8, tzinfo=UTC)
    assert entry_date("", parsed) == datetime(2026, 11, 20, 10, tzinfo=UTC)


@given(st.text(max_size=40))
def test_entry_date_of_anything_is_aware_or_none(text):
    moment = entry_date(text)

    assert moment is None or moment.tzinfo is UTC
