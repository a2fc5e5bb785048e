"""An editor adds a newspaper: watches the look-up, tries a pattern, mends an author, starts."""

import threading
from datetime import UTC, datetime
from ipaddress import ip_network

import pytest
from django.utils import timezone

from corpus_site import pipeline
from corpus_site.newsstand.server import start
from extraction.models import RuleVersion
from extraction.rules.published import rules_in
from feeds.models import Publication, SourceDraft
from feeds.work.leases import Claim

pytestmark = pytest.mark.django_db(transaction=True)

SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])


@pytest.fixture(scope="module")
def newsstand():
    running = start(lambda: datetime.now(UTC))
    yield running
    running.stop()


@pytest.fixture
def home(newsstand, settings):
    settings.CRAWL_ALLOWED_PRIVATE_NETWORKS = [ip_network("127.0.0.0/8")]
    settings.CRAWL_MIN_DELAY_SECONDS = 0.0
    return newsstand.home_urls[0]


def look_up():
    """Let a worker do the look-up; the browser's own loop runs in this thread."""
    stage = pipeline.BY_NAME["look-up"]
    claim = Claim.make("tester", timezone.now())
    worker = threading.Thread(target=stage.run, args=(claim,))
    worker.start()
    worker.join()


@SCRIPTS
def test_a_paper_is_added_with_a_mended_author_and_a_pattern(open_window, home, scripts):
    window = open_window(role="editor", scripts=scripts)
    page = window.open("/sources/add/")
    page.fill("[name=address]", home)
    page.get_by_role("button", name="Find its feeds").click()
    page.get_by_text("for a worker of this installation").wait_for()
    look_up()
    page.locator("#patterns").wait_for()  # by script or by refresh

    page.fill("[name=exclude_pattern]", "*sport*")
    if not scripts:
        page.get_by_role("button", name="Show what comes in").click()
    page.get_by_text("A star is no wildcard here").first.wait_for()
    page.fill("[name=exclude_pattern]", "/sport/")
    page.fill("[name=name]", "My own name")

    page.locator("[aria-label^='Author']").first.click()
    page.locator(".proposals a").first.click()
    page.locator("#picked").get_by_role("button", name="Section").click()
    page.locator("#tries ins").first.wait_for()
    page.get_by_role("link", name="Back to the draft").click()
    page.get_by_text("1 rule was picked").wait_for()
    values = [page.input_value(f"[name={name}]") for name in ("name", "exclude_pattern")]
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/sources/my-own-name/**")

    found = Publication.objects.get()
    assert values == ["My own name", "/sport/"]
    assert found.exclude_pattern == "/sport/"
    assert [rule.field for rule in rules_in(RuleVersion.objects.get()).rules] == ["section"]
    assert window.complaints == []


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_wizard_fits_a_narrow_screen(open_window, home, colours):
    window = open_window(width=390, role="editor", colours=colours)
    page = window.open("/sources/add/")
    page.fill("[name=address]", home)
    page.get_by_role("button", name="Find its feeds").click()
    page.get_by_text("for a worker of this installation").wait_for()
    is_sideways = [window.is_scrolled_sideways()]
    look_up()
    page.locator("#patterns").wait_for()
    is_sideways.append(window.is_scrolled_sideways())
    page.locator("[aria-label^='Title']").first.click()
    page.locator("#tries").wait_for()
    is_sideways.append(window.is_scrolled_sideways())

    assert is_sideways == [False, False, False]
    assert window.complaints == []


def test_enter_in_a_field_keeps_what_was_typed_and_starts_nothing(open_window, home):
    window = open_window(role="editor")
    page = window.open("/sources/add/")
    page.fill("[name=address]", home)
    page.get_by_role("button", name="Find its feeds").click()
    page.get_by_text("for a worker of this installation").wait_for()
    look_up()
    page.locator("#patterns").wait_for()

    page.fill("[name=name]", "Typed")
    with page.expect_navigation():
        window.press("Enter")

    assert SourceDraft.objects.get().choices["name"] == "Typed"
    assert Publication.objects.count() == 0
