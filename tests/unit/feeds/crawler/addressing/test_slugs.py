import pytest

from feeds.crawler.addressing.slugs import is_section_page, slug

ARTICLE = "https://www.thepost.co.za/news/fire-in-cape-town-harbour-2000123"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/news/fire-in-cape-town-harbour-2000123", "fire-in-cape-town-harbour"),
        ("/news/fire-in-cape-town-harbour-1.2000123", "fire-in-cape-town-harbour"),
        (
            "/fire-in-cape-town-harbour-bd8e2b72-5f0c-4b6e-8b0a-1d2c3e4f5a6b",
            "fire-in-cape-town-harbour",
        ),
        ("/fire-in-cape-town-harbour-id238819313.html", "fire-in-cape-town-harbour"),
        ("/76066-fire-in-cape-town-harbour/", "fire-in-cape-town-harbour"),
        ("/fire-in-cape-town-harbour/2192432", "fire-in-cape-town-harbour"),
        ("/2026-11-20-fire-in-cape-town-harbour/", "2026-11-20-fire-in-cape-town-harbour"),
        ("/fire-in-the-harbour-2026-11-20", "fire-in-the-harbour-2026-11-20"),
        ("/Fire_in_Cape_Town.PHP?x=1#y", "fire_in_cape_town"),
        ("/news/cape-town-news", ""),
        ("/20120117_www.guardian.co.uk_391eecad2ee1.html", ""),
        ("/", ""),
        ("", ""),
    ],
)
def test_slug_is_words_of_last_telling_segment(path, words):
    assert slug("https://www.example.co.za" + path) == words


@pytest.mark.parametrize(
    ("final", "is_section"),
    [
        ("https://www.iol.co.za/", True),
        ("https://www.iol.co.za", True),
        ("https://www.iol.co.za/index.html", True),
        ("https://www.iol.co.za/thepost", True),
        ("https://www.iol.co.za/news/south-africa/", True),
        ("https://www.iol.co.za/thepost?redirected=1", True),
        ("https://www.iol.co.za/archive/2026", True),
        ("https://www.thepost.co.za/news/fire-in-cape-town-harbour-2000123/", False),
        ("http://thepost.co.za/news/fire-in-cape-town-harbour-2000123?a=1", False),
        ("https://www.iol.co.za/news/fire-in-cape-town-harbour-2000999", False),
        ("https://www.iol.co.za/news/a-new-title-of-this-story", False),
        ("https://www.iol.co.za/a/123456", False),
        ("https://www.iol.co.za/2026/11/20/fire", False),
        ("https://www.iol.co.za/?p=123456", False),
        ("https://www.iol.co.za/article.php?id=123456", False),
    ],
)
def test_redirected_article_is_section_page(final, is_section):
    assert is_section_page(final, ARTICLE) is is_section


def test_section_page_is_no_page_that_answers_under_its_own_path():
    assert not is_section_page("https://www.example.co.za/news", "http://example.co.za/news/")


def test_section_page_is_not_where_the_same_last_segment_stands():
    assert not is_section_page(
        "https://example.co.za/food/braai.html", "https://example.co.za/braai"
    )
