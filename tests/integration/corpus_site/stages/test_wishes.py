"""A law of every stage: what is asked of a row while it is held is never lost with its lease."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from django.db import connection, transaction
from factories import (
    NOW,
    make_article,
    make_comment,
    make_fetch,
    make_page,
    make_publication,
    make_rules,
    make_user,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_site.messaging.models import Channel, Message
from corpus_site.pipeline import STAGES
from corpus_site.retention.models import RetentionPass
from dedup.models import Detection, StoryPass, ThresholdTrial
from extraction.models import (
    Capture,
    CommentMonth,
    DryRun,
    Erasure,
    EvaluationRun,
    Extraction,
    Measure,
    Placing,
    RightsReview,
    SourceImport,
    Subject,
    Withdrawal,
)
from feeds.models import (
    Crawl,
    CrawlKind,
    HubSubscription,
    Page,
    SourceDraft,
    WarcImport,
    Work,
)
from feeds.work import leases
from feeds.work.leases import Claim
from search.models import IndexedArticle, IndexedComment, Retagging, TextImport, UseCount

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

LEASE = timedelta(seconds=60)
MODELS = [model for stage in STAGES for model in stage.models]
MAKERS: dict[type[Work], Callable[[], Work]] = {
    Page: make_page,
    Extraction: lambda: Extraction.objects.create(page=make_page()),
    Capture: lambda: Capture.objects.create(page=(page := make_page()), fetch=make_fetch(page)),
    RightsReview: lambda: RightsReview.objects.create(publication=make_publication()),
    Detection: lambda: Detection.objects.get(article=make_article()),
    StoryPass: StoryPass.objects.create,
    IndexedArticle: lambda: IndexedArticle.objects.create(article=make_article()),
    IndexedComment: lambda: IndexedComment.objects.create(comment=make_comment(make_article())),
    Retagging: lambda: Retagging.objects.create(title="maas", words=[], created_at=NOW, revision=1),
    UseCount: lambda: UseCount.objects.create(pk=1),
    Placing: lambda: Placing.objects.create(publication=make_publication()),
    Erasure: lambda: Erasure.objects.create(
        entry=Withdrawal.objects.create(
            what=Subject.ARTICLE, measure=Measure.ERASED, article=make_article(), at=NOW
        )
    ),
    CommentMonth: lambda: CommentMonth.objects.create(month=NOW.date(), asked_at=NOW),
    DryRun: lambda: DryRun.objects.create(version=make_rules(make_publication()), n_articles=0),
    SourceImport: lambda: SourceImport.objects.create(file_name="papers.opml", created_at=NOW),
    EvaluationRun: lambda: EvaluationRun.objects.create(
        publication=make_publication(), extractors=[], asked_at=NOW, n_pages=0
    ),
    ThresholdTrial: lambda: ThresholdTrial.objects.create(
        method="shingles", limit=0.5, limit_before=0.6, asked_at=NOW, n_articles=0
    ),
    Crawl: lambda: Crawl.objects.create(
        publication=make_publication(), kind=CrawlKind.SITE, seeds=[], created_at=NOW
    ),
    WarcImport: lambda: WarcImport.objects.create(path="/a.warc", n_bytes=1, created_at=NOW),
    TextImport: lambda: TextImport.objects.create(
        path="/a.csv", file_name="a.csv", collection=make_publication(), created_at=NOW
    ),
    SourceDraft: lambda: SourceDraft.objects.create(
        address="https://karoo.example/", owner=make_user(), created_at=NOW
    ),
    HubSubscription: lambda: HubSubscription.objects.create(
        url="https://hub.example/", topic="https://karoo.example/feed", created_at=NOW
    ),
    RetentionPass: lambda: RetentionPass.objects.create(kind="requests", days=365, asked_at=NOW),
    Message: lambda: Message.objects.create(
        channel=Channel.objects.create(
            owner=make_user(), kind="feed", created_at=NOW, confirmed_at=NOW
        ),
        key="k",
        content={},
        made_at=NOW,
    ),
}
OWNERS = st.sampled_from(["A", "B"])
# What a worker has of a stage in its hands it closes in one of these ways.
ENDS = st.sampled_from(["complete", "complete or undo", "complete many", "go on", "fail", "back"])
# Stamps of several processes are neither in order nor different.
ASK = st.tuples(st.just("ask"), st.integers(-2, 2))
CLAIM = st.tuples(st.just("claim"), OWNERS)
END = st.tuples(st.just("end"), st.tuples(st.sampled_from(["A", "B", "who holds it"]), ENDS))
STEPS = st.one_of(
    # The more often named, the more often taken.
    *(ASK, ASK, ASK, CLAIM, CLAIM, CLAIM, END, END, END),
    st.tuples(st.just("wait"), st.sampled_from([2, 2, 61])),
    st.tuples(st.sampled_from(["drop", "stop", "sweep", "release"]), st.none()),
)


@dataclass
class Told:
    """The row as its stage treats it, beside what was asked of it and what was read since."""

    model: type[Work]
    pk: int
    now: object = NOW
    # Whether something was asked that no claim has come behind; None where nothing was said.
    is_asked: bool | None = None
    is_going_on: bool = False
    readers: set[str] = field(default_factory=set)

    @property
    def rows(self):
        return self.model.objects.filter(pk=self.pk)

    def ask(self, seconds):
        if self.rows.filter(quarantined_at=None).reschedule(self.now + timedelta(seconds=seconds)):
            self.is_asked = True

    def drop(self, _):
        if self.rows.filter(quarantined_at=None).reschedule(None):
            self.is_asked = self.is_going_on = False

    def stop(self, _):
        if leases.stop(self.rows):
            self.is_asked = self.is_going_on = False

    def claim(self, owner):
        if leases.claim(self.rows, 1, Claim(owner, self.now, LEASE)):
            self.is_asked, self.is_going_on = None, True

    def end(self, how):
        owner, way = how
        row = self.rows.get()
        owner = row.lease_owner or "A" if owner == "who holds it" else owner
        is_ours = row.lease_owner == owner
        if way == "complete":
            leases.complete(row, owner)
        elif way == "complete or undo":
            self._complete_or_undo(row, owner)
        elif way == "complete many":
            leases.complete_many(self.model, [row.pk], owner)
        elif way == "go on":
            leases.complete(row, owner, due_at=self.now)
        elif way == "fail":
            leases.fail(row, owner, "broken", self.now)
        else:
            self.rows.filter(lease_owner=owner).update(lease_owner="", lease_until=None)
        if is_ours and way.startswith("complete"):
            self.is_going_on = False

    @staticmethod
    def _complete_or_undo(row, owner):
        try:
            with transaction.atomic():
                leases.complete_or_undo(row, owner)
        except leases.LeaseLostError:
            assert row.lease_owner != owner

    def wait(self, seconds):
        self.now += timedelta(seconds=seconds)

    def sweep(self, _):
        leases.quarantine_exhausted(self.model, self.now)

    def release(self, _):
        if leases.release_quarantine(self.rows, self.now):
            self.is_asked = True

    def check(self):
        # After each of some 25,000 steps: to build a query set takes far longer than to ask.
        meta = self.model._meta
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT due_at FROM {meta.db_table} WHERE {meta.pk.column} = %s",  # noqa: S608
                [self.pk],
            )
            ((due_at,),) = cursor.fetchall()
        if self.is_asked:
            assert due_at is not None
        elif self.is_asked is False or not self.is_going_on:
            assert due_at is None


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
@settings(max_examples=100)
@given(steps=st.lists(STEPS, min_size=4, max_size=20))
def test_what_is_asked_of_a_row_waits_for_a_claim(model, steps):
    with transaction.atomic():
        told = Told(model, MAKERS[model]().pk)
        told.ask(0)
        for name, value in steps:
            getattr(told, name)(value)
            told.check()
        transaction.set_rollback(True)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
@pytest.mark.parametrize("seconds", [-5, 0, 5])
def test_row_that_is_asked_for_while_it_is_held_is_claimed_once_more(model, seconds):
    told = Told(model, MAKERS[model]().pk)
    told.ask(0)
    told.claim("A")
    told.ask(seconds)

    told.end(("A", "complete"))

    told.wait(10)
    assert leases.claim(told.rows, 1, Claim("B", told.now, LEASE)) == [told.pk]
    leases.complete(told.rows.get(), "B")
    assert told.rows.get().due_at is None


def test_every_stage_has_its_law():
    assert set(MAKERS) == set(MODELS)
