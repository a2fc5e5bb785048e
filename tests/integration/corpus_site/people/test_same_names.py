"""Two publications of one name: warned of, and told apart where they are listed."""

import pytest
from django.utils import timezone
from factories import index_all, make_article, make_publication
from pages import markup

from feeds.forms import CrawlForm
from feeds.sources.discovery import _name
from feeds.sources.naming import publication_names, told_apart
from feeds.sources.publications import is_of_host, site_of

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def heralds():
    one = make_publication("herald", name="The Herald", home_url="https://www.herald.example/")
    other = make_publication("herald-2", name="the herald", home_url="https://herald.zw.example/")
    return one, other


def test_names_that_stand_twice_show_their_hosts(heralds):
    make_publication("lantern", name="Lantern")

    assert publication_names() == {
        "herald": "The Herald (herald.example)",
        "herald-2": "the herald (herald.zw.example)",
        "lantern": "Lantern",
    }


def test_names_on_one_host_show_their_short_names():
    rows = [("a", "Herald", "https://h.example/"), ("b", "Herald", "https://h.example/b/")]

    assert told_apart(rows) == {"a": "Herald (h.example) (a)", "b": "Herald (h.example) (b)"}


def test_facets_lines_and_selects_tell_them_apart(heralds, linguist):
    for paper in heralds:
        make_article("A sangoma drank maas.", paper)
    index_all(timezone.now())

    page = markup(linguist.get("/search/?q=maas"))
    articles = markup(linguist.get("/articles/"))
    choices = [label for _, label in CrawlForm().fields["publication"].choices]

    assert page.count("The Herald (herald.example)") >= 3
    assert "the herald (herald.zw.example)" in articles
    assert "the herald (herald.zw.example)" in choices


def test_page_and_list_say_that_another_one_has_the_name(heralds, linguist):
    page = markup(linguist.get("/sources/herald/"))

    assert "Called so too" in page
    assert "https://herald.zw.example/" in page
    assert "another one has this name" in markup(linguist.get("/sources/"))


@pytest.mark.parametrize(
    ("title", "feed_title", "name"),
    [
        ("WordPress.com", "", "gnaur.wordpress.com"),
        ("", "wordpress.com ", "gnaur.wordpress.com"),
        ("WordPress.com", "Gnaur", "Gnaur"),
        ("Gnaur", "", "Gnaur"),
        ("", "", "gnaur.wordpress.com"),
    ],
)
def test_site_on_a_shared_domain_is_not_called_after_the_domain(title, feed_title, name):
    assert _name(title, feed_title, "https://gnaur.wordpress.com/") == name


def test_own_domain_may_be_a_name():
    assert not is_of_host("iol.co.za", "www.iol.co.za")
    assert site_of("gnaur.wordpress.com") == "gnaur.wordpress.com"


def test_many_papers_of_one_name_do_not_fill_the_page(heralds, linguist):
    for n in range(6):
        make_publication(f"h-{n}", name="The Herald", home_url=f"https://herald-{n}.example/")

    page = markup(linguist.get("/sources/herald/"))

    named = [f"https://herald-{n}.example/" in page for n in range(6)]
    assert named == [True] * 4 + [False] * 2
    assert "https://herald-3.example/</a>, and others. Lists show" in page


def test_two_papers_of_one_name_are_told_in_a_sentence(heralds, linguist):
    page = markup(linguist.get("/sources/herald/"))

    assert "https://herald.zw.example/</a>. Lists show the host beside the name." in page
