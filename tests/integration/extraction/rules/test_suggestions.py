"""Proposals are remembered for the very pages that they rest on."""

import pytest
from django.core.cache import cache
from factories import make_publication
from studio_articles import store_known_article

from extraction.html.site_rules.rules import RuleField
from extraction.models import Article
from extraction.rules.suggestions import are_remembered, suggest
from extraction.rules.trials import sample_articles, stored_pages

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


def test_proposals_are_remembered_by_field(paper):
    fields = (None, RuleField.TITLE)
    assert [are_remembered(pages_of(paper), field) for field in fields] == [False, False]

    every = suggest(pages_of(paper))
    assert [are_remembered(pages_of(paper), field) for field in fields] == [True, False]

    titles = suggest(pages_of(paper), RuleField.TITLE)
    assert [are_remembered(pages_of(paper), field) for field in fields] == [True, True]
    assert {found.field for found in every} > {found.field for found in titles}
    assert [suggest(pages_of(paper), field) for field in fields] == [every, titles]


def test_another_page_or_another_value_is_looked_at_anew(paper):
    before = suggest(pages_of(paper))

    Article.objects.filter(title=pages_of(paper)[0].article.title).update(title="Not on the page")
    assert not are_remembered(pages_of(paper), None)
    best = next(found for found in suggest(pages_of(paper)) if found.field is RuleField.TITLE)
    assert (best.n_agree, before[0].field, before[0].n_agree) == (2, RuleField.TITLE, 3)

    store_known_article(paper, 3)
    assert not are_remembered(pages_of(paper), None)


def test_what_is_wrong_on_most_pages_is_shown_but_not_the_best_of_its_field(paper):
    """The known texts are the pages' and as much again: the container's F1 is two thirds."""
    for article in Article.objects.all():
        words = " ".join(f"other{number}" for number in range(len(article.text.split())))
        Article.objects.filter(pk=article.pk).update(text=f"{article.text}\n{words}")

    bodies = [found for found in suggest(pages_of(paper)) if found.field is RuleField.BODY]

    assert {found.n_agree for found in bodies} == {0}
    assert {found.is_best for found in bodies} == {False}
