"""Proposals are remembered for the very pages that they rest on."""

import pytest
from django.core.cache import cache
from factories import make_publication
from studio_articles import store_known_article

from extraction.html.rules import RuleField
from extraction.models import Article
from extraction.rule_suggestions import remembered, suggest
from extraction.rule_trials import known_page, sample_articles, stored_pages

pytestmark = pytest.mark.django_db


@pytest.fixture
def paper():
    cache.clear()
    paper = make_publication(time_zone="UTC")
    for number in range(3):
        store_known_article(paper, number)
    return paper


def pages_of(paper):
    return stored_pages(sample_articles(paper.pk))


def recall(paper, field=None):
    return remembered([known_page(page) for page in pages_of(paper)], field)


def test_proposals_are_remembered_by_field(paper):
    assert recall(paper) is None

    every, titles = suggest(pages_of(paper)), suggest(pages_of(paper), RuleField.TITLE)

    assert {found.field for found in every} > {found.field for found in titles}
    assert recall(paper) == every
    assert recall(paper, RuleField.TITLE) == titles
    assert suggest(pages_of(paper)) == every


def test_another_page_or_another_value_is_looked_at_anew(paper):
    before = suggest(pages_of(paper))

    Article.objects.filter(title=pages_of(paper)[0].article.title).update(title="Not on the page")
    assert recall(paper) is None
    best = next(found for found in suggest(pages_of(paper)) if found.field is RuleField.TITLE)
    assert (best.n_agree, before[0].field, before[0].n_agree) == (2, RuleField.TITLE, 3)

    store_known_article(paper, 3)
    assert recall(paper) is None
