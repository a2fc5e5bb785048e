"""Home: the first run, the facts, what just came in, articles by day."""

from datetime import timedelta

import pytest
from django.utils import timezone
from factories import index_all, make_article, make_comment, make_page, make_publication
from pages import links, markup, texts, values

from corpus_site.pages.home import per_day_chart
from dedup.models import Duplicate
from search.models import IndexedArticle

pytestmark = pytest.mark.django_db


def test_an_empty_corpus_offers_an_editor_the_first_step(editor):
    page = markup(editor.get("/"))

    assert "No articles yet" in page
    assert 'href="/sources/add/">Add a publication' in page
    assert "make demo" in page


def test_an_empty_corpus_sends_a_linguist_to_an_editor(linguist):
    page = markup(linguist.get("/"))

    assert "Ask an editor" in page
    assert "Add a publication" not in page


def test_a_corpus_whose_first_visit_is_to_come_says_so(editor):
    make_publication()

    assert "1 publication is known" in markup(editor.get("/"))


def test_facts_have_unit_base_and_link(linguist):
    article = make_article()
    make_comment(article)
    make_article(in_corpus=False, reason="gallery page")
    IndexedArticle.objects.create(article=article, n_tokens=6, generation=1)

    page = linguist.get("/")

    units = texts(page, ".fact .u")
    assert {"articles", "reader comment", "publication"} <= set(units)
    assert "under 1 article" in texts(page, ".fact .b")
    assert "6 in articles, 0 in comments" in markup(page)
    assert ("2", "/articles/") in links(page)
    assert ("1", "/sources/") in links(page)


def test_an_editor_can_always_add_a_publication(editor, linguist):
    make_article()

    assert '<a href="/sources/add/">Add a publication</a>' in markup(editor.get("/"))
    assert "Add a publication" not in markup(linguist.get("/"))


def test_just_in_has_the_newest_first_with_one_note_each(linguist):
    now = timezone.now()
    first = make_article(title="First", created_at=now - timedelta(hours=3))
    second = make_article(title="Second", created_at=now - timedelta(hours=2))
    make_comment(second)
    third = make_article(title="Third", created_at=now - timedelta(minutes=1))
    for other, verdict in ((first, "open"), (second, "different")):
        Duplicate.objects.create(
            article=third,
            other=other,
            relation="similar",
            similarity=0.4,
            n_shared=4,
            verdict=verdict,
            detected_at=now,
        )

    page = markup(linguist.get("/"))

    assert page.index("Third") < page.index("Second") < page.index("First")
    assert "similar to 1 earlier text" in page
    assert "near-duplicate" not in page
    assert "1 comment so far" in page
    assert "1 article stored in the last hour" in page


def test_just_in_part_is_for_its_page_only(linguist):
    alone = linguist.get("/part/just-in/")
    polled = linguist.get("/part/just-in/", headers={"HX-Request": "true"})

    assert (alone.status_code, polled.status_code) == (400, 200)
    assert '<a href="/">Open the page</a>' in markup(alone)
    assert "<html" not in polled.content.decode()


def test_home_asks_the_same_number_of_queries_for_1_and_3_articles(
    linguist, django_assert_max_num_queries
):
    make_article()
    linguist.get("/")
    with django_assert_max_num_queries(20) as first:
        linguist.get("/")

    for number in range(2):
        make_comment(make_article(page=make_page(make_publication(f"paper-{number}"))))
    with django_assert_max_num_queries(20) as third:
        linguist.get("/")

    assert len(third) == len(first)


def test_the_chart_of_days_links_to_the_articles_of_a_day():
    today = timezone.localdate()

    chart = per_day_chart([(today - timedelta(days=1), 0), (today, 3)], "/articles/")

    assert f'href="/articles/?day={today}"' in chart
    assert chart.count("<a ") == 1
    assert ">today<" in chart


def test_home_offers_queries_that_the_corpus_answers(linguist):
    make_article("The people of the town said that the water ran out, wearing it thin.")
    index_all()

    page = linguist.get("/")
    offered = [(q, at) for q, at in links(page) if at.startswith("/search/?q=")]

    assert [q for q, _ in offered] == ["said that", "*ing", "lemma:water", "NOUN of the NOUN"]
    for _, address in offered:
        assert linguist.get(address).context["page"].total > 0
    assert "braai" not in markup(page)
    assert values(page, "#q", "placeholder") == ['water    ·    [lemma="go"] []{0,3} "water"']


def test_home_of_an_empty_corpus_offers_nothing_to_try(linguist):
    page = linguist.get("/")

    assert not [at for _, at in links(page) if at.startswith("/search/?q=")]
    assert "placeholder=braai" in markup(page).replace('"', "")
