"""Whatever happens in whatever order, what must always hold of clusters holds in the end."""

import random
from contextlib import suppress

import pytest
from detected_articles import NOW, add_article, change_text, detect_all, prose, sentence

from dedup.judging.judgements import (
    ContradictionError,
    Editor,
    join,
    judge,
    make_original,
    split,
    undo,
)
from dedup.models import APART, Decision, Detection, Duplicate, Fingerprint, Verdict
from dedup.similarity.near import signature
from extraction.models import Article

pytestmark = pytest.mark.sql

EDITOR = Editor(None, NOW)


def any_text(choice):
    """One of a few stories, whole, trimmed, longer, with another lead; or empty."""
    story = prose(f"story {choice.randrange(4)}", 12)
    kind = choice.randrange(6)
    if kind == 0:
        return story
    if kind == 1:
        return story[: len(story) * choice.randrange(4, 10) // 10]
    if kind == 2:
        return f"{story} {prose('more', choice.randrange(1, 9))}"
    if kind == 3:
        return f"{sentence(f'lead {choice.randrange(3)}')} {story}"
    if kind == 4:
        return f"{story} {prose(f'story {choice.randrange(4)}', 6)}"
    return ""


def anything(choice):
    """Something that may happen to a corpus between two batches."""
    articles = list(Article.objects.order_by("pk"))
    one, other = choice.choice(articles), choice.choice(articles)
    pairs = list(Duplicate.objects.order_by("pk").values_list("pk", flat=True))
    decisions = list(Decision.objects.order_by("pk").values_list("pk", flat=True))
    kind = choice.randrange(10)
    if kind <= 2:
        add_article(any_text(choice), hours=choice.randrange(-50, 50))
    elif kind == 3:
        change_text(one, any_text(choice))
    elif kind == 4:
        one.in_corpus = not one.in_corpus
        one.reason = "" if one.in_corpus else "gallery"
        one.save()
    elif kind == 5 and pairs:
        judge([choice.choice(pairs)], choice.choice(list(Verdict)), EDITOR)
    elif kind == 6 and one != other and one.in_corpus and other.in_corpus:
        join(one.pk, other.pk, choice.choice(list(Verdict)), EDITOR)
    elif kind == 7 and one.in_corpus:
        split(one.pk, EDITOR, choice.choice(APART))
    elif kind == 8:
        make_original(one.pk, EDITOR)
    elif decisions:
        undo(choice.choice(decisions), EDITOR)


def assert_all_is_right():
    rows = {row.article_id: row for row in Detection.objects.select_related("article")}
    assert Detection.objects.waiting().count() == 0
    for row in rows.values():
        if not row.article.in_corpus:
            assert row.original_id == row.article_id
        assert rows[row.representative_id].original_id == row.original_id
        assert rows[row.original_id].original_id == row.original_id
    for pair in Duplicate.objects.select_related("article", "other"):
        is_together = rows[pair.article_id].original_id == rows[pair.other_id].original_id
        if pair.verdict in APART:
            assert not is_together
        if pair.verdict == Verdict.SAME and pair.article.in_corpus and pair.other.in_corpus:
            assert is_together
    assert_right_fingerprints(rows)
    assert_right_originals(rows)


def assert_right_fingerprints(rows):
    entered = {}
    for key, article_id in Fingerprint.objects.values_list("hash", "article"):
        entered.setdefault(article_id, set()).add(key)
    assert entered.keys().isdisjoint({-article_id for article_id in entered})
    for article_id, keys in entered.items():
        article = rows[abs(article_id)].article
        assert article.in_corpus
        assert keys <= set(signature(article.text).fingerprints.tolist())
    representatives = {
        row.article_id
        for row in rows.values()
        if row.representative_id == row.article_id and row.article.in_corpus and row.article.text
    }
    assert representatives <= entered.keys()


def assert_right_originals(rows):
    chosen = set(
        Decision.objects.filter(kind="original", undone_at=None).values_list("article", flat=True)
    )
    clusters = {}
    for row in rows.values():
        clusters.setdefault(row.original_id, []).append(row)
    for original_id, members in clusters.items():
        earliest = min(members, key=lambda row: (row.article.dated_at, row.article_id))
        assert original_id == earliest.article_id or original_id in chosen


@pytest.mark.django_db
@pytest.mark.parametrize("seed", [0, 1, 6, 10, 24, 49])  # the last four found faults
def test_clusters_are_right_whatever_happened(seed):
    choice = random.Random(seed)
    for hours in range(6):
        add_article(any_text(choice), hours=hours)
    detect_all()
    for _ in range(30):
        # Refusals: of what contradicts, and of articles that nobody has registered yet.
        with suppress(ContradictionError, Detection.DoesNotExist):
            anything(choice)
        if choice.random() < 0.6:
            detect_all(limit=choice.choice([1, 3, 100]))
    detect_all(limit=choice.choice([1, 3, 100]))

    assert_all_is_right()
