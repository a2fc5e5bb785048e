"""An editor compares extractors, confirms a text, and chooses what a publication is read with."""

from datetime import timedelta

import pytest
from django.utils import timezone
from factories import NOW, make_publication
from studio_articles import store_known_article

from corpus_site.alarms.models import Alarm
from extraction import evaluating
from extraction.models import Extraction, ExtractorSetting, ReferenceText
from extraction.sites import samples
from feeds.models import Publication
from feeds.work.leases import Claim

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def stored():
    samples.forget()
    paper = make_publication(time_zone="UTC")
    return [store_known_article(paper, number) for number in range(3)]


def work():
    """Let a worker do the run that is due."""
    claim = Claim("tester", timezone.now() + timedelta(seconds=1), timedelta(seconds=60))
    while evaluating.work(1, claim).n_claimed:
        pass


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_from_a_run_to_the_extractor_of_a_publication(open_window, stored, scripts):
    window = open_window(role="editor", scripts=scripts)
    page = window.open("/evaluation/")
    page.select_option("[name=publication]", label="Karoo Courier")
    page.get_by_role("button", name="Compare").click()
    page.wait_for_selector("text=0 of 3 pages done by")
    work()
    if not scripts:
        page.get_by_role("link", name="Refresh").click()
    page.wait_for_selector("text=The stored texts")  # with scripts it comes by itself

    page.locator("[aria-labelledby=h-pages] tbody a").first.click()
    page.wait_for_selector(".compared article")
    assert page.locator(".compared article").count() == 3
    page.get_by_role("button", name="This text is right").first.click()
    page.wait_for_selector("text=Kept as the right text of this article.")
    assert ReferenceText.objects.get().article in stored

    page.locator("details.ask summary").nth(1).click()
    page.locator("details.ask[open] button").click()
    page.wait_for_selector("text=its 3 stored pages are extracted again.")
    setting = ExtractorSetting.objects.get()
    assert setting.extractor == page.locator(".compared h2").nth(1).inner_text()
    assert Extraction.objects.filter(due_at__isnull=False).count() == 3
    assert window.complaints == []


@pytest.mark.parametrize(
    ("width", "colours"), [(1360, "dark"), (390, "light"), (390, "dark"), (320, "light")]
)
def test_evaluation_fits_and_keeps_the_policy(open_window, stored, width, colours):
    window = open_window(width=width, colours=colours, role="editor")
    page = window.open("/evaluation/")
    assert not window.is_scrolled_sideways()
    page.get_by_role("button", name="Compare").click()
    page.wait_for_selector("text=0 of 3 pages done by")
    work()
    run = window.path
    article = f"/evaluation/articles/{stored[0].pk}/"
    for address in (run, f"{article}?x=auto&x=dgwc", f"{article}elements/"):
        window.open(address)
        assert not window.is_scrolled_sideways(), address

    assert window.complaints == []


@pytest.mark.parametrize("width", [390, 320])
def test_long_names_and_many_alarms_make_no_page_wider(open_window, stored, width):
    Publication.objects.update(name="The Gazette of the Northern District and its Surroundings")
    for number in range(12):
        words = {
            "key": str(number),
            "label": "Quiet",
            "subject": "x",
            "sentence": "brings nothing.",
        }
        Alarm.objects.create(kind="quiet", tone="warn", opened_at=NOW, seen_at=NOW, **words)
    window = open_window(width=width, role="editor")

    page = window.open("/evaluation/")

    assert page.inner_text(".badge") == "12"
    assert not window.is_scrolled_sideways()
