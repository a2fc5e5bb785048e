"""The stage killed before any of its statements: nothing half done, and the end is the same."""

import event_texts as texts
import pytest
from detected_articles import NOW, add_article, change_text, detect_all, prose, sentence, terms
from django.db import connection

from dedup import detect
from dedup.judging.judgements import Editor, join, split
from dedup.models import (
    Decision,
    Detection,
    Duplicate,
    Fingerprint,
    SentenceHash,
    StoryCluster,
    StoryPass,
    StoryReport,
    Verdict,
)
from dedup.similarity.relations import Relation
from dedup.stories import passes
from extraction.models import Article

pytestmark = pytest.mark.sql

LONG = prose("long", 12)


class Killed(BaseException):
    """Not an Exception: nobody on the way may catch it."""


class KillBefore:
    """Ends the work before statement number `n`, counted from 0."""

    def __init__(self, n):
        self.left = n

    def __call__(self, execute, sql, params, many, context):
        if self.left == 0:
            raise Killed
        self.left -= 1
        return execute(sql, params, many, context)


def tables():
    found = ("article", "other", "relation", "joins", "closeness", "verdict")
    return (
        sorted(Duplicate.objects.order_by().values_list(*found)),
        sorted(
            Detection.objects.order_by().values_list(
                "article", "original", "representative", "done_digest"
            )
        ),
        sorted(Fingerprint.objects.values_list("article", "hash")),
        sorted(SentenceHash.objects.values_list("article", "hash", "position")),
        Decision.objects.count(),
    )


def prepare():
    """Clusters, judged pairs, one text about to change, new ones about to come."""
    first, copy = add_article(LONG), add_article(LONG, hours=1)
    fuller = add_article(f"{LONG} {prose('more', 4)}", hours=2)
    apart = add_article(f"{LONG} {sentence('end')}", hours=3)
    detect_all()
    split(apart.pk, Editor(None, NOW))
    detect_all()
    change_text(first, prose("quite another"))
    add_article(prose("new"), hours=-1)
    add_article(prose("new"), hours=4)
    detect.pending(100, NOW)
    return first, copy, fuller, apart


def run_killed(n):
    """Run one batch up to its statement `n`; whether it came to its end."""
    try:
        with connection.execute_wrapper(KillBefore(n)):
            detect.run(100, terms("killed"))
    except Killed:
        return False
    return True


@pytest.mark.django_db(transaction=True)
def test_batch_killed_before_any_statement_leaves_nothing_half_done():
    prepare()
    Detection.objects.update(attempts=0)
    before = tables()
    n = 0
    while not run_killed(n):
        assert tables() == before, f"statement {n}"
        # The dead worker's lease runs out; the attempts that its deaths cost are given back.
        Detection.objects.exclude(lease_owner="").update(
            lease_owner="", lease_until=None, attempts=0
        )
        n += 1
    at_the_end = tables()

    assert n > 20
    assert at_the_end != before
    detect_all()
    after_kills = without_numbers(tables())
    assert after_kills == without_numbers(undisturbed())


def without_numbers(found):
    """Clusters by the rank of their articles: the second corpus has other primary keys."""
    ids = {article_id: rank for rank, (article_id, *_) in enumerate(found[1])}
    return [
        (ids[article], ids[original], ids[representative])
        for article, original, representative, _ in found[1]
    ]


def undisturbed():
    """The same once more without a kill."""
    Fingerprint.objects.all().delete()
    Decision.objects.all().delete()
    Detection.objects.all().delete()
    Article.objects.all().delete()
    prepare()
    detect_all()
    return tables()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("verdict", [Verdict.SAME, Verdict.DIFFERENT])
def test_decision_killed_before_any_statement_leaves_nothing_half_done(verdict):
    first, copy, _, _ = prepare()
    detect_all()
    before = tables()
    n, is_done = 0, False
    while not is_done:
        try:
            with connection.execute_wrapper(KillBefore(n)):
                join(first.pk, copy.pk, verdict, Editor(None, NOW))
        except Killed:
            assert tables() == before, f"statement {n}"
            n += 1
        else:
            is_done = True

    assert n > 8
    assert Duplicate.objects.get(article=copy, other=first).verdict == verdict
    same = len(set(Detection.objects.filter(article__in=[first, copy]).values_list("original")))
    assert same == (1 if verdict == Verdict.SAME else 2)


def placed():
    return (
        sorted(Detection.objects.order_by().values_list("article", "story")),
        sorted(StoryCluster.objects.values_list("pk", "first")),
        sorted(StoryReport.objects.values_list("article", "placed_at")),
    )


def prepare_a_bridge():
    """A story of four, of which one held the others together and has become another text."""
    told = [texts.FIRE, texts.FIRE_ELSEWHERE, texts.CRICKET, texts.COURT]
    articles = [add_article(text, hours=hour) for hour, text in enumerate(told)]
    first, _, bridge, court = articles
    detect_all()
    passes.register([article.pk for article in articles], NOW)
    passes.run(1, terms("before"))
    pairs = [
        Duplicate.objects.create(
            article=later, other=earlier, relation=Relation.SIMILAR, similarity=0.1, n_shared=0,
            verdict=Verdict.EVENT, detected_at=NOW,
        )
        for later, earlier in ((bridge, first), (court, bridge))
    ]  # fmt: skip
    passes.register([article.pk for article in articles], NOW)
    passes.run(1, terms("before"))
    assert Detection.objects.exclude(story=None).count() == 4
    Duplicate.objects.filter(pk__in=[pair.pk for pair in pairs]).delete()
    change_text(bridge, texts.OTHER_FIRE)
    detect_all()
    passes.register([bridge.pk], NOW)
    return articles


@pytest.mark.django_db(transaction=True)
def test_pass_over_a_story_without_its_bridge_killed_before_any_statement_does_all_or_nothing():
    first, second, _, _ = prepare_a_bridge()
    before = placed()
    n, is_done = 0, False
    while not is_done:
        try:
            with connection.execute_wrapper(KillBefore(n)):
                passes.run(1, terms("killed"))
        except Killed:
            assert placed() == before, f"statement {n}"
            StoryPass.objects.update(lease_owner="", lease_until=None, attempts=0)
            n += 1
        else:
            is_done = True

    assert n > 20
    together = Detection.objects.exclude(story=None).values_list("article", flat=True)
    assert sorted(together) == [first.pk, second.pk]
