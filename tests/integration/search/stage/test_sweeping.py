"""Sweeps of the index stage read a bounded number of rows, and find everything in a round."""

from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from dedup.models import Detection
from extraction.models import Article, Comment
from feeds.models import Host, Page, PageKind, Publication
from feeds.work import rounds
from search import indexing
from search.models import IndexedArticle, IndexedComment
from search.status import latency_since

NOW = datetime(2026, 11, 20, 22, 30, tzinfo=UTC)
NUMBERS = count(1)

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture(autouse=True)
def short_stretches(monkeypatch):
    monkeypatch.setattr(rounds, "RANGE_ROWS", 3)
    monkeypatch.setattr(rounds, "NEWEST_ROWS", 1)
    monkeypatch.setattr(rounds, "_round", {})


def add_articles(n):
    publication = Publication.objects.create(
        slug="karoo", name="Karoo", home_url="http://karoo/", created_at=NOW
    )
    host = Host.objects.create(name="karoo", next_at=NOW)
    articles = []
    for _ in range(n):
        key = f"karoo/{next(NUMBERS)}"
        page = Page.objects.create(
            url=f"http://{key}", key=key, kind=PageKind.ARTICLE, host=host,
            publication=publication, found_at=NOW,
        )  # fmt: skip
        article = Article.objects.create(
            page=page, publication=publication, url=page.url, text="Rain.", text_digest="d",
            dated_at=NOW, language="en", created_at=NOW, updated_at=NOW,
        )  # fmt: skip
        Detection.objects.create(article=article, detected_at=NOW, original=article)
        Comment.objects.create(
            article=article, system="disqus", remote_id=key, text="Eish!", text_digest="d",
            posted_at=NOW, created_at=NOW, updated_at=NOW,
        )  # fmt: skip
        articles.append(article)
    return articles


def settle():
    """Let every row look as if it had been indexed."""
    while indexing.pending(1000, NOW):
        pass
    indexing.run(1000, indexing.Claim("one", NOW, timedelta(seconds=60)))


def sweep_round(n):
    return [indexing.pending(1000, NOW) for _ in range(n)]


def test_a_round_of_sweeps_finds_every_new_text_once():
    add_articles(10)

    found = sweep_round(5)

    assert sum(found) == 20
    assert found[0] == 8  # a range of three and the newest one, of articles and of comments
    assert IndexedArticle.objects.count() == IndexedComment.objects.count() == 10


def test_a_round_of_sweeps_finds_a_stale_text_wherever_it_stands():
    articles = add_articles(10)
    settle()
    for article in articles:
        Article.objects.filter(pk=article.pk).update(text_digest="other")

        assert sum(sweep_round(4)) == 1
        IndexedArticle.objects.update(due_at=None)
        Article.objects.filter(pk=article.pk).update(text_digest="d")


def test_newest_texts_are_found_by_the_next_sweep():
    articles = add_articles(10)
    settle()
    IndexedArticle.objects.filter(article=articles[-1]).delete()

    assert indexing.pending(1000, NOW) == 1


def test_a_stretch_with_more_than_the_limit_is_gone_through_again():
    add_articles(7)

    found = [indexing.pending(2, NOW) for _ in range(12)]

    assert IndexedArticle.objects.count() == IndexedComment.objects.count() == 7
    assert sum(found) == 14


def queries_of_a_sweep():
    with CaptureQueriesContext(
        connection,
    ) as context:
        indexing.pending(1000, NOW)
    return [query["sql"] for query in context if query["sql"].lstrip().startswith("SELECT")]


def test_number_of_queries_does_not_grow_with_the_corpus():
    add_articles(8)
    settle()
    few = len(queries_of_a_sweep())
    rounds._round.clear()
    Publication.objects.update(slug="old")
    Host.objects.update(name="old")
    add_articles(16)
    settle()
    rounds._round.clear()

    assert len(queries_of_a_sweep()) == few


def test_no_query_of_a_sweep_reads_a_whole_table():
    """Each starts at a primary key; the plan says which index it searches."""
    add_articles(12)
    settle()
    rounds._round.clear()

    for sql in queries_of_a_sweep():
        if "search_lexiconentry" in sql:
            continue
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SET LOCAL enable_seqscan = off")
                cursor.execute(f"EXPLAIN {sql}")
            else:
                cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
            plan = " ".join(str(row) for row in cursor.fetchall())
        assert "Seq Scan" not in plan, plan
        assert "'SCAN" not in plan or "ORDER BY" in sql, plan


def test_an_index_built_within_the_hour_is_not_read_whole_for_the_wait():
    """Status shows how long texts waited; a new index has all its rows within the hour."""
    [old, new] = add_articles(2)
    Article.objects.filter(pk=old.pk).update(updated_at=NOW - timedelta(days=9))
    for article in (old, new):
        IndexedArticle.objects.create(article=article, indexed_at=NOW + timedelta(seconds=20))

    found = latency_since(NOW - timedelta(hours=1))

    assert (found.median, found.n) == (20.0, 1)
