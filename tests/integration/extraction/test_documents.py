"""What reads a page again reads the document its text was taken of, not a refused later one."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from factories import NOW, make_publication, make_rules
from known_site import known_page
from studio_articles import archive_document, store_known_article

from extraction.compared_articles import newest_articles, prepare_article
from extraction.documents import taken
from extraction.html.algorithms.registry import ExtractorChoice
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind, SiteRules
from extraction.models import Article
from extraction.rules import trials
from extraction.rules.dry_runs import start
from extraction.rules.published import rules_in
from extraction.rules.trials import readable_articles, sample_articles, stored_pages, try_rules
from extraction.sites import samples
from feeds.crawler.documents.limited_work import Limits

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

PAYWALL = b"<html><body><h1>Subscribe</h1><p>This story is for subscribers only.</p></body></html>"
LATER = NOW + timedelta(days=2)
BYLINE = Rule(RuleField.AUTHOR, RuleKind.CSS, ".name")


@pytest.fixture
def paper():
    return make_publication(time_zone="UTC")


@pytest.fixture
def refused(paper):
    """Three articles; each page's newest document is a paywall that was refused."""
    articles = [store_known_article(paper, number) for number in range(3)]
    for article in articles:
        archive_document(article.page, PAYWALL, LATER)
    return articles


def test_a_trial_reads_the_document_of_the_text(paper, refused):
    draft = make_rules(paper, BYLINE, published_at=None)

    pages = stored_pages(sample_articles(paper.pk))
    tried = try_rules(pages, rules_in(draft), LATER)

    assert [page.page.fetched_at for page in pages] == [NOW] * 3
    assert [trial.draft.title for trial in tried] == [known_page(n).title for n in range(3)]
    assert [trial.draft.authors for trial in tried] == [known_page(n).authors for n in range(3)]


def test_a_trial_that_takes_too_much_has_tried_nothing(paper, refused, monkeypatch):
    draft = make_rules(paper, BYLINE, published_at=None)
    monkeypatch.setattr(trials, "FOR_A_REQUEST", Limits(cpu_seconds=1, wall_seconds=0))

    pages = stored_pages(sample_articles(paper.pk))

    assert try_rules(pages, rules_in(draft), LATER, limits=trials.FOR_A_REQUEST) == []
    assert [vars(page).keys() & {"html", "root"} for page in pages] == [set()] * 3  # not read here
    assert len(try_rules(pages, rules_in(draft), LATER, limits=None)) == 3


def test_a_layout_has_the_documents_that_were_taken_since(paper, refused):
    draft = make_rules(paper, BYLINE, published_at=None, valid_from=NOW + timedelta(days=1))

    assert sample_articles(paper.pk, draft.valid_from) == []
    assert start(draft, LATER).n_articles == 0
    assert len(sample_articles(paper.pk, NOW)) == 3


def test_an_evaluation_and_a_sample_read_it_too(paper, refused):
    (article, *_) = readable_articles()
    prepared = prepare_article(article, [ExtractorChoice.parse("auto")])
    sample = samples.learn(paper.pk)

    assert prepared.given.body == known_page(0).body
    assert prepared.given.fetched_at == NOW
    assert sample.n_pages == 3
    assert max(sample.counts.values()) == 3
    assert list(newest_articles(paper, 2)) == [row.pk for row in refused[:2]]


def test_an_article_that_names_no_fetch_has_its_pages(paper, refused):
    Article.objects.update(fetch=None)

    (article, *_) = readable_articles()
    assert taken(article).started_at == LATER
    assert len(sample_articles(paper.pk, LATER)) == 3


def test_a_trial_that_is_shown_again_is_not_made_again(paper, refused):
    cache.clear()
    draft = make_rules(paper, BYLINE, published_at=None)
    no_time = Limits(cpu_seconds=1, wall_seconds=0)
    tried = try_rules(stored_pages(sample_articles(paper.pk)), rules_in(draft), LATER)

    again = stored_pages(sample_articles(paper.pk))

    assert try_rules(again, rules_in(draft), LATER, limits=no_time) == tried
    assert [vars(page).keys() & {"html", "root"} for page in again] == [set()] * 3
    assert try_rules(again, SiteRules(), LATER, limits=no_time) == []  # other rules are read
    Article.objects.filter(pk=refused[0].pk).update(title="Mended by hand")
    changed = stored_pages(sample_articles(paper.pk))
    assert try_rules(changed, rules_in(draft), LATER, limits=no_time) == []
