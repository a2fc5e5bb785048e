"""Pairs and verdicts of the sentence method come over; every article is detected again."""

from datetime import timedelta

import pytest
from detected_articles import NOW, add_article, detect_all, prose, terms
from django.db import connection
from django.utils import timezone
from migration_steps import steps

from dedup import detect
from dedup.judging.judgements import Editor, undo
from dedup.models import Decision, Detection, Duplicate, Fingerprint

pytestmark = pytest.mark.sql

LONG = prose("long", 12)
FORMER = [("dedup", "0001_initial")]


@pytest.mark.django_db(transaction=True)
def test_existing_pairs_are_taken_over_and_all_are_due():
    first, copy, other = (add_article(LONG, hours=n) for n in range(3))
    leaves = steps().loader.graph.leaf_nodes()
    executor = steps()
    executor.migrate(FORMER)
    former = executor.loader.project_state(FORMER).apps
    for article in (first, copy, other):
        former.get_model("dedup", "Detection").objects.create(
            article_id=article.pk, original_id=first.pk, detected_at=NOW, n_sentences=12,
            done_digest=article.text_digest,
        )  # fmt: skip
    for later, relation, verdict in ((copy, "exact", "different"), (other, "duplicate", "open")):
        former.get_model("dedup", "Duplicate").objects.create(
            article_id=later.pk, other_id=first.pk, relation=relation, similarity=1.0, n_shared=12,
            verdict=verdict, detected_at=NOW,
        )  # fmt: skip

    steps().migrate(leaves)

    pairs = Duplicate.objects.order_by("pk").values_list("article", "relation", "verdict")
    assert list(pairs) == [(copy.pk, "repost", "different"), (other.pk, "near", "open")]
    assert Detection.objects.waiting().count() == 3
    while detect.run(100, claim()).n_claimed:
        pass
    found = dict(Detection.objects.values_list("article", "original"))
    assert found == {first.pk: first.pk, copy.pk: copy.pk, other.pk: first.pk}
    [decision] = Decision.objects.all()
    undo(decision.pk, Editor(None, NOW))
    while detect.run(100, claim()).n_claimed:
        pass
    assert set(Detection.objects.values_list("original", flat=True)) == {first.pk}


@pytest.mark.django_db(transaction=True)
def test_the_way_back_from_entered_texts_and_forth_again_loses_no_cluster():
    first, copy, other = add_article(LONG), add_article(LONG, hours=1), add_article(prose("b"))
    detect_all()
    leaves = steps().loader.graph.leaf_nodes()

    steps().migrate([("dedup", "0005_story_passes")])

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM dedup_fingerprint")
        assert cursor.fetchone() == (0,)
        cursor.execute("INSERT INTO dedup_fingerprint (hash, article) VALUES (1, 2)")
        assert "dedup_enteredtext" not in connection.introspection.table_names(cursor)
        assert "fingerprint_article" in connection.introspection.get_constraints(
            cursor, "dedup_fingerprint"
        )
    steps().migrate(leaves)
    assert Detection.objects.waiting().count() == 3
    while detect.run(100, claim()).n_claimed:
        pass
    found = dict(Detection.objects.values_list("article", "original"))
    assert found == {first.pk: first.pk, copy.pk: first.pk, other.pk: other.pk}
    assert set(Fingerprint.objects.values_list("article", flat=True)) == {first.pk, other.pk}


@pytest.mark.django_db(transaction=True)
def test_pairs_that_may_be_parts_are_detected_again_and_no_others():
    report = prose("report", 8)
    first, copy = add_article(report), add_article(report, hours=1)
    round_up, other = add_article(f"{prose('sport', 12)} {report}", hours=2), add_article(LONG)
    detect_all()
    leaves = steps().loader.graph.leaf_nodes()
    steps().migrate([("dedup", "0011_claims_of_an_attempt")])
    ids = [first.pk, copy.pk, round_up.pk]
    Detection.objects.filter(article__in=ids).update(original=first, representative=first)
    pair = Duplicate.objects.filter(article=round_up, other=first)
    pair.update(relation="update", joins=True, closeness=1.3)

    steps().migrate(leaves)

    assert not Detection.objects.waiting().filter(article=other).exists()
    while detect.run(100, claim()).n_claimed:
        pass
    found = dict(Detection.objects.values_list("article", "original"))
    assert found == {
        first.pk: first.pk, copy.pk: first.pk, round_up.pk: round_up.pk, other.pk: other.pk,
    }  # fmt: skip
    assert pair.get().relation == "part"


def claim():
    """Terms at a moment after the migration, which makes rows due by the clock."""
    return terms(now=timezone.now() + timedelta(seconds=1))
