"""What is asked of a page while a worker reads it reaches the page: it is read once more."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone
from factories import make_rules
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import answer
from newspaper_pages import TITLE, article_page

from extraction import extract
from extraction.extractors import choose_extractor
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import Article, Extraction, ExtractorSetting
from extraction.rules.versions import publish, undo
from feeds.models import Page
from feeds.work import leases
from feeds.work.leases import Claim

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
PATH = "/news/dredging-of-the-inner-basin-nears-its-end"
FIRST_WORDS = Rule(RuleField.TITLE, RuleKind.CSS, "article p")
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def paper(web):
    """A publication with a fetched page that waits to be read."""
    paper = make_paper(NOW)
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    web.routes[PATH] = answer(article_page(), 200, headers)
    add_page(paper, f"http://karoo.example{PATH}", NOW)
    extract.register(crawl(NOW).next_ids["pages"], NOW)
    return paper


def read(now=NOW, owner="tester"):
    return extract.run(20, Claim(owner, now, timedelta(seconds=60)))


def publish_rules(paper, now):
    publish(make_rules(paper, FIRST_WORDS, published_at=None), None, now)


def undo_rules(paper, now):
    undo(paper.rule_versions.get(), None, now)


def ask_for_reread(paper, now):
    extract.read_again([paper.pk], now)


def choose_qread(paper, now):
    choose_extractor(
        ExtractorSetting(publication=paper, extractor="qread", parameters={}, changed_at=now)
    )


def fetch_anew(paper, now):
    Page.objects.filter(publication=paper, kind="article").update(content_digest="another")
    extract.register(list(Extraction.objects.values_list("page_id", flat=True)), now)


@pytest.fixture
def meanwhile(monkeypatch):
    """Let something be asked when the input of a batch has been read, before its leases end."""

    def between(act):
        def read_and_act(readings, terms):
            act()
            return store(readings, terms)

        store = extract._store
        monkeypatch.setattr(extract, "_store", read_and_act)
        read()
        monkeypatch.setattr(extract, "_store", store)

    return between


# The stamp of whoever asks may be the claim's own, or older: it took its time of day before.
@pytest.mark.parametrize("seconds", [-5, 0, 5])
@pytest.mark.parametrize(
    "ask", [publish_rules, ask_for_reread, choose_qread, fetch_anew], ids=lambda ask: ask.__name__
)
def test_page_is_due_again_when_something_is_asked_while_it_is_read(paper, meanwhile, ask, seconds):
    asked_at = NOW + timedelta(seconds=seconds)

    meanwhile(lambda: ask(paper, asked_at))

    row = Extraction.objects.get()
    assert (row.due_at, row.lease_owner, row.attempts) == (asked_at, "", 0)
    assert Article.objects.count() == 1


def test_rules_published_while_a_page_is_read_are_applied_to_it(paper, meanwhile):
    meanwhile(lambda: publish_rules(paper, NOW))
    assert Article.objects.get().title == TITLE

    report = read()

    assert report.n_claimed == 1
    assert Article.objects.get().title != TITLE
    assert Extraction.objects.get().due_at is None
    assert read().n_claimed == 0


def test_undoing_rules_while_a_page_is_read_takes_them_back(paper, meanwhile):
    publish_rules(paper, NOW)

    meanwhile(lambda: undo_rules(paper, NOW))
    assert Article.objects.get().title != TITLE
    read()

    assert Article.objects.get().title == TITLE
    assert Extraction.objects.get().due_at is None


def test_command_reaches_a_page_that_is_read(paper, meanwhile):
    meanwhile(lambda: call_command("reread"))

    assert Extraction.objects.get().due_at <= timezone.now()
    assert read(timezone.now()).n_claimed == 1


def test_page_that_breaks_after_its_input_changed_has_all_attempts_again(paper, settings):
    settings.MAX_ATTEMPTS = 1
    leases.claim(Extraction.objects.all(), 1, Claim("tester", NOW, timedelta(seconds=60)))
    fetch_anew(paper, NOW)

    is_put_aside = leases.fail(Extraction.objects.get(), "tester", "broken", NOW)

    row = Extraction.objects.get()
    assert (is_put_aside, row.quarantined_at, row.due_at, row.attempts) == (False, None, NOW, 0)


def test_page_of_which_nothing_is_asked_rests_after_it_was_read(paper, meanwhile):
    meanwhile(lambda: None)

    assert Extraction.objects.get().due_at is None
    assert extract.pending(100, NOW) == 0
    assert read().n_claimed == 0
