"""Rows that are written outside of the extract stage reach its followers."""

import pytest
from factories import NOW, index_all, make_article, make_comment

from corpus_site import pipeline
from dedup.models import Detection
from search.models import IndexedArticle, IndexedComment

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def test_a_changed_article_is_detected_and_indexed_again():
    article = make_article()
    index_all()
    type(article).objects.filter(pk=article.pk).update(in_corpus=False, reason="For a test.")

    pipeline.follow("articles", [article.pk], NOW)

    assert Detection.objects.get().due_at == NOW
    assert IndexedArticle.objects.get().due_at == NOW


def test_a_changed_comment_is_indexed_again():
    comment = make_comment(make_article())
    index_all()

    pipeline.follow("comments", [comment.pk], NOW)

    assert IndexedComment.objects.get().due_at == NOW
