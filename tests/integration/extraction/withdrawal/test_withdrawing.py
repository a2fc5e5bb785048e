"""Withdrawing and putting back: rows, reasons, the register."""

import pytest
from factories import NOW, make_article, make_comment, make_publication, make_user, make_version

from extraction.models import Article, Comment, Measure, Subject, Withdrawal
from extraction.stage.withdrawn_rows import keep_withdrawn
from extraction.versions import versions_of
from extraction.withdrawal import register, withdrawing
from extraction.withdrawal.register import Order
from extraction.withdrawal.withdrawing import Changed

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture(autouse=True)
def _takes_short_texts():
    make_publication(min_characters=0)


@pytest.fixture
def order():
    return Order("A court says so.", make_user("editor"), NOW)


def place(article):
    row = Article.objects.get(pk=article.pk)
    return row.in_corpus, row.reason, row.withdrawn_at


def test_a_withdrawn_article_is_out_with_its_reason_and_an_entry(order):
    article = make_article()
    comment = make_comment(article)

    changed = withdrawing.withdraw_articles([article.pk], order)

    assert changed == Changed(1, (article.pk,), (comment.pk,))
    assert place(article) == (False, "Withdrawn: A court says so.", NOW)
    entry = Withdrawal.objects.get()
    assert (entry.what, entry.measure, entry.article, entry.by, entry.at, entry.reason) == (
        Subject.ARTICLE, Measure.WITHDRAWN, article, order.by, NOW, "A court says so.",
    )  # fmt: skip
    assert register.entry_of_article(article) == entry


def test_withdrawing_twice_is_one_entry(order):
    article = make_article()
    withdrawing.withdraw_articles([article.pk], order)

    again = withdrawing.withdraw_articles([article.pk], order)

    assert again == Changed()
    assert Withdrawal.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "stands"),
    [
        ({}, (True, "", None)),
        ({"url": "https://karoo.example/gallery/the-show"}, (False, "It is a gallery.", None)),
    ],
)
def test_put_back_stands_as_the_page_makes_it_stand(order, changes, stands):
    article = make_article(**changes)
    withdrawing.withdraw_articles([article.pk], order)

    changed = withdrawing.put_back_articles([article.pk], order.by, NOW)

    assert changed.n == 1
    assert place(article) == stands
    assert register.entry_of_article(article) is None
    entry = Withdrawal.objects.get()
    assert (entry.ended_by, entry.ended_at) == (order.by, NOW)


def test_a_slug_twin_is_put_back_as_a_slug_twin(order):
    first = make_article()
    article = make_article(slug_twin=first)
    withdrawing.withdraw_articles([article.pk], order)

    withdrawing.put_back_articles([article.pk], order.by, NOW)

    assert place(article)[1] == "The publication has an article under the same name already."


def test_a_withdrawn_publication_takes_all_and_gives_all_back_but_what_is_out_itself(order):
    publication = make_publication()
    one, two = make_article(publication=publication), make_article(publication=publication)
    elsewhere = make_article(publication=make_publication("bay-herald"))
    withdrawing.withdraw_articles([two.pk], order)

    out = withdrawing.withdraw_publication(publication, order)
    told = [place(row)[0] for row in (one, two, elsewhere)]
    back = withdrawing.put_back_publication(publication, order.by, NOW)

    assert out.articles == back.articles == (one.pk,)
    assert told == [False, False, True]
    assert [place(row)[0] for row in (one, two, elsewhere)] == [True, False, True]


def test_an_article_of_a_withdrawn_publication_stays_out_when_its_own_entry_ends(order):
    article = make_article()
    withdrawing.withdraw_articles([article.pk], order)
    withdrawing.withdraw_publication(article.publication, Order("The owner.", None, NOW))

    withdrawing.put_back_articles([article.pk], None, NOW)

    assert place(article) == (False, "Withdrawn: The owner.", NOW)


def test_rows_that_are_written_anew_stay_withdrawn(order):
    article, other = make_article(), make_article(publication=make_publication("bay-herald"))
    withdrawing.withdraw_articles([article.pk], order)
    read = Article.objects.get(pk=article.pk)
    read.in_corpus, read.reason = True, ""
    new = Article(publication=article.publication)

    keep_withdrawn([read, other, new], NOW)

    assert (read.in_corpus, read.reason) == (False, "Withdrawn: A court says so.")
    assert (other.in_corpus, new.in_corpus) == (True, True)


def test_what_a_withdrawn_publication_brings_later_is_withdrawn(order):
    publication = make_publication()
    withdrawing.withdraw_publication(publication, order)
    new = Article(publication=publication)

    keep_withdrawn([new], NOW)

    assert (new.in_corpus, new.withdrawn_at) == (False, NOW)


def test_a_comment_is_withdrawn_and_put_back(order):
    comment = make_comment(make_article())

    out = withdrawing.withdraw_comments([comment.pk], order)
    withdrawn_at = Comment.objects.get().withdrawn_at
    back = withdrawing.put_back_comments([comment.pk], order.by, NOW)

    assert out == back == Changed(1, comments=(comment.pk,))
    assert (withdrawn_at, Comment.objects.get().withdrawn_at) == (NOW, None)


def test_an_earlier_text_is_withdrawn_by_its_number(order):
    article = make_article("Rain, at last, in Kareedorp.")
    make_version(article, "Rain?")
    former = make_version(article, "Rain!")

    assert withdrawing.withdraw_version(article, 2, order).n == 1
    assert withdrawing.withdraw_version(article, 2, order).n == 0

    texts = versions_of(article)
    assert [one.is_withdrawn for one in texts] == [False, True, False]
    assert [one.as_article.text for one in texts] == ["Rain?", "", article.text]
    assert withdrawing.put_back_version(article, 2, None, NOW).n == 1
    former.refresh_from_db()
    assert former.withdrawn_at is None
    with pytest.raises(ValueError, match="no earlier text"):
        withdrawing.withdraw_version(article, 3, order)


def test_many_articles_cost_few_statements(order, django_assert_max_num_queries):
    ids = [make_article().pk for _ in range(40)]

    with django_assert_max_num_queries(8):
        withdrawing.withdraw_articles(ids, order)
    with django_assert_max_num_queries(8):
        withdrawing.put_back_articles(ids, None, NOW)


def test_a_hold_covers_an_article_or_a_publication(order):
    one, two = make_article(), make_article(publication=make_publication("bay-herald"))

    register.hold(register.of_article(one), order)
    register.hold(register.of_publication(two.publication), order)

    assert register.held_articles([one.pk, two.pk]) == {one.pk, two.pk}
    assert register.is_held(two.publication_id)
    assert not register.is_held(one.publication_id)
