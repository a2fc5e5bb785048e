"""Addresses of copies: only a known archive speaks for other papers."""

from datetime import UTC, datetime

import pytest
from integration.feeds.newspapers import make_paper

from feeds.archive.web_archives import original_url
from feeds.models import Crawl

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
pytestmark = pytest.mark.django_db
PATH = "/20131231104500id_/http://goodpaper.example/story"
ORIGINAL = "http://goodpaper.example/story"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (f"https://web.archive.org/web{PATH}", ORIGINAL),
        (f"http://archive.example/web{PATH}", ORIGINAL),
        (f"https://evil.example/web{PATH}", f"https://evil.example/web{PATH}"),
        (
            f"https://web.archive.org.evil.example{PATH}",
            f"https://web.archive.org.evil.example{PATH}",
        ),
        ("https://evil.example/story", "https://evil.example/story"),
    ],
)
def test_address_of_a_copy_is_believed_of_known_archives_alone(url, shown):
    Crawl.objects.create(
        publication=make_paper(NOW),
        kind="archive",
        archive_url="http://archive.example/web",
        created_at=NOW,
    )

    assert original_url(url) == shown
