"""Other addresses of one article, as people type them."""

import pytest

from feeds.crawler.addressing.spellings import keys_of


@pytest.mark.parametrize(
    "typed",
    [
        "https://www.paper.example/news/fire?utm_source=mail#top",
        "http://paper.example/news/fire/",
        "https://amp.paper.example/news/fire",
        "https://www.paper.example/amp/news/fire",
        "https://www.paper.example/news/fire/amp/",
        "https://www.paper.example/news/fire.amp?outputType=amp",
        "https://m.paper.example/news/fire?amp=1",
    ],
)
def test_keys_hold_that_of_the_paper_itself(typed):
    assert "www.paper.example/news/fire" in keys_of(typed)


def test_own_key_comes_first():
    typed = "https://m.paper.example/news/fire/amp?id=7"

    assert keys_of(typed)[0] == "m.paper.example/news/fire/amp?id=7"


def test_what_is_no_address_has_no_keys():
    assert keys_of("nonsense: none") == ()
