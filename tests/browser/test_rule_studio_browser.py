"""An editor mends what is wrong on an article: proposal or pick, trial, publishing, undo."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone
from factories import NOW, make_publication
from known_site import known_page
from studio_articles import store_known_article

from extraction import extract
from extraction.models import Article, RuleVersion, StructureAlarm
from feeds.work.leases import Claim

pytestmark = pytest.mark.django_db(transaction=True)

SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
SCREEN = 900  # pixels of height
STUDIO = "/sources/karoo-courier/rules/"


@pytest.fixture
def stored():
    """Six articles that are right but for the authors; no proposal is remembered."""
    cache.clear()
    paper = make_publication(time_zone="UTC")
    return [store_known_article(paper, number) for number in range(6)]


def work():
    """Let a worker read again what is due."""
    claim = Claim("tester", timezone.now() + timedelta(seconds=1), timedelta(seconds=60))
    while extract.run(100, claim).n_claimed:
        pass


def title_of(article):
    return Article.objects.values_list("title", flat=True).get(pk=article.pk)


def open_from_article(page, wrong):
    """Follow “wrong?” beside a field of the article."""
    page.locator("dt", has_text=wrong).first.locator("+ dd").get_by_text("wrong?").click()
    page.wait_for_url(f"**{STUDIO}**")


def publish(page, reason=""):
    for losses in page.locator("[name=accepted]").all():
        losses.check()
    page.fill("[name=reason]", reason)
    page.get_by_role("button", name="Publish version").click()
    page.wait_for_selector("text=is published")


@SCRIPTS
def test_a_wrong_title_is_mended_by_a_proposal_and_the_mending_undone(open_window, stored, scripts):
    for number, article in enumerate(stored):
        authors = list(known_page(number).authors)
        Article.objects.filter(pk=article.pk).update(authors=authors)
    Article.objects.filter(pk=stored[0].pk).update(title="Karoo Courier")
    window = open_window(role="editor", scripts=scripts)
    page = window.open(f"/articles/{stored[0].pk}/")

    open_from_article(page, "Title")
    if not scripts:
        page.get_by_role("link", name="Wait for them").click()
    proposal = page.locator("#proposed li").first
    assert "as stored on 5 of 6" in proposal.inner_text()
    proposal.get_by_role("button", name="Use").click()
    page.wait_for_selector("#trials")
    changed = page.locator("#trials tbody tr", has=page.locator("text=better"))
    assert [row.split("\t")[0] for row in changed.all_inner_texts()] == [known_page(0).title]

    publish(page)
    work()
    assert title_of(stored[0]) == known_page(0).title
    page = window.open(STUDIO)
    assert "6 done" in page.inner_text("#rule-jobs")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("text=Version 1 is undone")
    assert RuleVersion.objects.get(number=2).rules.count() == 0
    assert window.complaints == []


@SCRIPTS
def test_the_right_author_is_picked_on_the_stored_page(open_window, stored, scripts):
    window = open_window(role="editor", scripts=scripts)
    page = window.open(f"/articles/{stored[1].pk}/")
    open_from_article(page, "Author")
    known = known_page(1)

    if scripts:
        page.frame_locator("#stored").locator(".name").click()
    else:
        page.get_by_role("link", name="outline", exact=True).click()
        page.locator(".outline a", has_text=known.authors[0]).last.click()
    page.wait_for_selector("#picked code")
    assert known.authors[0] in page.inner_text("#picked")
    page.locator("#picked").get_by_role("button", name="Author").click()
    page.wait_for_selector("#trials")
    publish(page, "The desk wrote none of them.")
    work()

    page = window.open(f"/articles/{stored[1].pk}/")
    author = page.locator("dt", has_text="Author").locator("+ dd").inner_text()
    assert author.startswith(f"{known.authors[0]} from a rule")
    assert window.complaints == []


def test_the_stored_page_is_walked_and_picked_by_keys(open_window, stored):
    window = open_window(role="editor")
    page = window.open(f"{STUDIO}?article={stored[0].pk}&field=title")
    frame = page.frame_locator("#stored")
    frame.locator("h1").hover()
    page.wait_for_selector("#walked:text('h1')")
    frame.locator("body").focus()

    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#walked:text('p')")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("#walked:text('span')")
    page.keyboard.press("Enter")
    page.wait_for_selector("#picked code")

    assert known_page(0).authors[0] in page.inner_text("#picked")
    assert window.complaints == []


def test_arrows_move_in_the_outline(open_window, stored):
    """The tree has one row in the tab order, which the keys move."""
    window = open_window(role="editor")
    page = window.open(f"{STUDIO}?article={stored[0].pk}&view=outline&field=author")
    row = page.locator(".outline a")
    focused = page.locator(".outline a:focus")
    assert page.get_by_role("treeitem").count() == row.count()
    assert page.locator(".outline a[tabindex='0']").count() == 1

    row.first.focus()
    page.keyboard.press("End")
    last = focused.inner_text()
    page.keyboard.press("Home")
    assert focused.inner_text() == row.first.inner_text() != last
    main = page.locator(".outline a", has_text="main").first
    main.focus()
    n_shown = page.locator(".outline li:visible").count()
    page.keyboard.press("ArrowLeft")
    assert main.get_attribute("aria-expanded") == "false"
    assert page.locator(".outline li:visible").count() < n_shown
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert "h1.headline" in focused.inner_text()
    assert focused.get_attribute("aria-level") == "2"
    page.keyboard.press("ArrowDown")
    assert "p.byline" in focused.inner_text()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    assert focused.inner_text() == main.inner_text()
    page.keyboard.press("p")
    assert "p.byline" in focused.inner_text()
    assert page.locator(".outline a[tabindex='0']").count() == 1
    assert focused.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    page.wait_for_selector("#picked code")

    assert known_page(0).authors[0] in page.inner_text("#picked")
    assert page.locator(".outline a[tabindex='0'][aria-selected='true']").count() == 1
    assert window.complaints == []


@pytest.mark.parametrize(
    ("width", "colours"), [(1360, "dark"), (390, "light"), (390, "dark"), (320, "light")]
)
def test_studio_and_alarms_fit_and_keep_the_policy(open_window, stored, width, colours):
    window = open_window(width=width, colours=colours, role="editor")
    queries = ["", f"?article={stored[0].pk}&view=outline&pick=8", "?view=source", "?propose=1"]
    for query in queries:
        window.open(STUDIO + query)
        assert not window.is_scrolled_sideways(), query
    StructureAlarm.objects.create(
        publication=stored[0].publication,
        since=NOW,
        signals=[["template", "places", 5], ["rule", "body", 4]],
        page_before=stored[0].page,
        page_after=stored[1].page,
        opened_at=NOW,
    )
    window.open("/status/alarms/")
    assert not window.is_scrolled_sideways()
    window.page.click("text=Mend its rules")
    window.page.wait_for_selector("text=Layout change seen")
    assert window.path == f"{STUDIO}?article={stored[1].pk}&propose=1"
    window.page.get_by_role("button", name="Take the best of each field").click()
    window.page.wait_for_selector("#trials")

    assert not window.is_scrolled_sideways()
    assert window.complaints == []


@SCRIPTS
def test_a_phone_reaches_the_outline_by_one_press(open_window, stored, scripts):
    window = open_window(role="editor", width=390, scripts=scripts)
    page = window.open(STUDIO)

    link = page.get_by_role("link", name="Pick in the outline")
    link.wait_for()
    assert link.bounding_box()["y"] < SCREEN / 2
    link.click()
    row = page.locator(".outline a", has_text=known_page(0).title).first
    row.wait_for()
    assert 0 < row.bounding_box()["y"] < SCREEN


def test_a_wide_window_needs_no_link_to_the_outline(open_window, stored):
    page = open_window(role="editor").open(STUDIO)

    page.locator("#stored").wait_for()
    assert page.get_by_role("link", name="Pick in the outline").count() == 0
