"""What is read of an article's past and of its rights: two of three versions, reserved texts."""

from datetime import timedelta

import pytest
from django.utils import timezone
from factories import index_all, make_article, make_publication, make_version

from corpus_site import pipeline
from extraction import rights
from feeds.work.leases import Claim

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = "Five ships lay in the harbour. Nobody came ashore that night."
SECOND = "Six ships lay in the harbour. Nobody came ashore that night."
THIRD = "Six ships lay in the harbour. Two men came ashore that night."


@pytest.fixture
def article(transactional_db):
    """An article of three texts: a number was corrected, then a sentence."""
    made = make_article(THIRD, title="Two ashore")
    make_version(made, FIRST, title="Five ships")
    make_version(made, SECOND, title="Six ships")
    index_all(timezone.now())
    return made


def heads(page):
    found = page.locator(".diff th").all_inner_texts()
    return [" ".join(text.split()).partition(",")[0] for text in found]


def marked(page):
    return [text.strip() for text in page.locator("td del, td ins").all_inner_texts()]


@pytest.mark.parametrize("scripts", [True, False])
def test_any_two_of_three_versions_are_compared(scripts, open_window, article):
    window = open_window(scripts=scripts, width=390)
    page = window.open(f"/articles/{article.pk}/?q=ships")
    page.click("nav.tabs >> text=Versions")
    page.wait_for_selector("#side")
    first = heads(page)

    seen = {}
    for left, right in [("1", "2"), ("1", "3"), ("3", "1"), ("2", "3")]:
        page.select_option("[name=a]", left)
        page.select_option("[name=b]", right)
        page.click("text=Compare")
        page.wait_for_url(f"**a={left}&b={right}*")
        seen[left, right] = (heads(page), marked(page))
    page.click("text=Whole texts")
    page.wait_for_url("**diff=0*")
    page.select_option("[name=a]", "1")
    page.select_option("[name=b]", "2")
    page.click("text=Compare")
    page.wait_for_url("**a=1&b=2*")

    assert first == ["Version 2", "Version 3"]
    assert {pair: said for pair, (said, _) in seen.items()} == {
        ("1", "2"): ["Version 1", "Version 2"],
        ("1", "3"): ["Version 1", "Version 3"],
        ("3", "1"): ["Version 1", "Version 3"],
        ("2", "3"): ["Version 2", "Version 3"],
    }
    assert {"Five", "Six"} <= set(seen["1", "2"][1])
    assert {"Nobody", "Two men"} <= set(seen["2", "3"][1])
    assert {"Five", "Six", "Nobody", "Two men"} <= set(seen["1", "3"][1])
    assert "diff=0" in window.path
    assert "q=ships" in window.path
    assert not window.is_scrolled_sideways()
    assert window.complaints == []


@pytest.fixture
def papers(transactional_db):
    """Two newspapers; the first reserves its rights in one of its texts."""
    courier = make_publication()
    said = {"rights": "reserved", "rights_said": [["tdm_header", "tdm-reservation: 1"]]}
    make_article(f"{FIRST} " * 12, courier, title="Kept for themselves", **said)
    make_article(f"{SECOND} " * 12, courier, title="Of no word")
    make_article(f"{THIRD} " * 12, make_publication("cape-meridian"), title="Of the other paper")
    index_all(timezone.now())
    return courier


def titles(page):
    return page.locator("table.articles a.t").all_inner_texts()


def judge():
    """Go through texts whose publication has another policy, and index what follows of it."""
    now = timezone.now()
    rights.pending(100, now)
    while pipeline.BY_NAME["extract"].run(Claim("tester", now, timedelta(seconds=60))).n_claimed:
        pass
    index_all(timezone.now())


def test_reserved_texts_are_listed_searched_and_left_out_by_policy(open_window, papers):
    window = open_window(role="editor", scripts=False)
    page = window.open("/articles/")
    page.select_option("[name=rights]", "reserved")
    page.click("form.filters button[type=submit]")
    page.wait_for_url("**rights=reserved*")
    listed, states = titles(page), page.locator("td .state").all_inner_texts()
    page.select_option("[name=rights]", "none")
    page.click("form.filters button[type=submit]")
    page.wait_for_url("**rights=none*")
    others = titles(page)

    def hits(query):
        opened = window.open(f"/search/?{query}")
        return opened.locator("table.kwic td.c").count()

    before = (hits("q=ships"), hits("q=ships&rights=reserved"), hits("q=ships&rights=none"))
    page = window.open("/sources/karoo-courier/settings/")
    page.select_option("[name=rights_policy]", "no_index")
    page.click("button.go")
    page.wait_for_selector("text=The settings are saved")
    judge()
    after = (hits("q=ships"), hits("q=ships&rights=reserved"), hits("q=ships&rights=none"))
    page = window.open("/articles/?rights=reserved")

    assert (listed, states) == (["Kept for themselves"], ["rights reserved"])
    assert sorted(others) == ["Of no word", "Of the other paper"]
    assert before == (36, 12, 24)
    assert after == (24, 0, 24)
    assert titles(page) == ["Kept for themselves"]
    assert "not in the corpus" in page.locator("td .state").all_inner_texts()
    assert window.complaints == []


def test_unknown_rights_are_named_and_empty_ones_narrow_nothing(window, papers):
    page = window.open("/articles/?rights=mine")
    said = page.inner_text(".filters .error")
    page = window.open("/articles/?rights=")

    assert "“mine” are no rights: reserved, granted or none." in said
    assert len(titles(page)) == 3
    assert "Only those that the filters let through" not in page.inner_text("main")
