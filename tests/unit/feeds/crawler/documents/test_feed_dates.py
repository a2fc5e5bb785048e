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
        ("2026-11-20 10:00 Africa/Johannesburg", datetime(2026, 11, 20, 8, tzinfo=UTC)),
        ("2026-07-20T10:00:00 Europe/Berlin", datetime(2026, 7, 20, 8, tzinfo=UTC)),
        ("2026-11-20 10:00 Nowhere/Atlantis", None),
        ("Fri, 20 Nov 2026 10:00:00 CET", datetime(2026, 11, 20, 9, tzinfo=UTC)),
        ("Fri Nov 20 10:00:00 SAST 2026", datetime(2026, 11, 20, 8, tzinfo=UTC)),
        ("Fri, 20 Nov 2026 10:00:00 (SAST)", datetime(2026, 11, 20, 8, tzinfo=UTC)),
        ("20 Nov 2026 10:00:00 +0300 (SAST)", datetime(2026, 11, 20, 7, tzinfo=UTC)),
        ("Fri, 20 Nov 2026 10:00:00 GMT+2", datetime(2026, 11, 20, 8, tzinfo=UTC)),
        ("Fri, 20 Nov 2026 10:00:00 UTC-05:00", datetime(2026, 11, 20, 15, tzinfo=UTC)),
        ("Fri, 20 Nov 2026 GMT", datetime(2026, 11, 20, tzinfo=UTC)),
        ("20 Nov 2026 SAST", datetime(2026, 11, 19, 22, tzinfo=UTC)),
        ("Fri, 20 Nov 2026 24:00:00 GMT", datetime(2026, 11, 21, tzinfo=UTC)),
        ("1795168800", datetime(2026, 11, 20, 10, tzinfo=UTC)),
        ("1795168800000", datetime(2026, 11, 20, 10, tzinfo=UTC)),
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


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("Freitag, 20. März 2026 10:00 Uhr", datetime(2026, 3, 20, 10, tzinfo=UTC)),
        ("Fr., 20.03.2026 - 10:00", datetime(2026, 3, 20, 10, tzinfo=UTC)),
        ("20. Okt. 2026", datetime(2026, 10, 20, tzinfo=UTC)),
        ("vendredi 20 novembre 2026 à 10h05", datetime(2026, 11, 20, 10, 5, tzinfo=UTC)),
        ("20 août 2026", datetime(2026, 8, 20, tzinfo=UTC)),
        ("Vrydag 20 Maart 2026 om 10:00", datetime(2026, 3, 20, 10, tzinfo=UTC)),
        ("Vr, 20 Mrt 2026 10:00:00 +0200", datetime(2026, 3, 20, 8, tzinfo=UTC)),
        ("terça-feira, 3 de março de 2026", datetime(2026, 3, 3, tzinfo=UTC)),
        ("ULwesihlanu, 20 uNovemba 2026", datetime(2026, 11, 20, tzinfo=UTC)),
        ("uMasingana 20, 2026", datetime(2026, 1, 20, tzinfo=UTC)),
        ("20 EyoMqungu 2026", datetime(2026, 1, 20, tzinfo=UTC)),
        ("Labohlane 20 Phupjane 2026", datetime(2026, 6, 20, tzinfo=UTC)),
        ("20 Sedimonthole 2026", datetime(2026, 12, 20, tzinfo=UTC)),
        ("20 Setemere 2026 10:00", datetime(2026, 9, 20, 10, tzinfo=UTC)),
        ("20 N'wendzamhala 2026", datetime(2026, 12, 20, tzinfo=UTC)),
        ("20 iNhlaba 2026", datetime(2026, 6, 20, tzinfo=UTC)),
        ("20 uNhlaba 2026", datetime(2026, 5, 20, tzinfo=UTC)),
        ("20 Ṱhafamuhwe 2026", datetime(2026, 3, 20, tzinfo=UTC)),
        ("20 uMatjhi 2026", datetime(2026, 3, 20, tzinfo=UTC)),
    ],
)
def test_months_are_known_in_the_languages_of_feeds(text, moment):
    parsed = feedparser.datetimes._parse_date(text)

    assert entry_date(text, parsed) == moment


def test_entry_date_trusts_feedparser_but_for_african_zones():
    text = "Fri, 20 Nov 2026 10:00:00 SAST"
    parsed = feedparser.datetimes._parse_date(text)

    assert entry_date(text, parsed) == datetime(2026, 11, 20, 8, tzinfo=UTC)
    assert entry_date("", parsed) == datetime(2026, 11, 20, 10, tzinfo=UTC)


@given(st.text(max_size=40))
def test_entry_date_of_anything_is_aware_or_none(text):
    moment = entry_date(text)

    assert moment is None or moment.tzinfo is UTC
