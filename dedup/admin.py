"""Like texts in Django's admin: pairs with their verdicts, stories, hashes, the stage's rows."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from dedup.judging.judgements import ContradictionError, Editor, judge
from dedup.models import (
    Decision,
    Detection,
    DetectionMethod,
    Duplicate,
    EnteredText,
    Judgement,
    SentenceHash,
    StoryCluster,
    StoryPass,
    StoryReport,
    ThresholdTrial,
    Verdict,
)
from dedup.similarity.sentences import sentence_of
from feeds.table_admin import WrittenByProgram
from feeds.work_admin import StageRows, WorkStateFilter, make_due, try_again
from presentation.wording.figures import counted


@admin.register(Detection)
class DetectionAdmin(StageRows):
    list_display = (
        "article",
        "original",
        "representative",
        "story",
        "n_sentences",
        "detected_at",
        "due_at",
    )
    list_filter = (WorkStateFilter, ("original", admin.EmptyFieldListFilter))
    search_fields = ("article__title", "article__url")
    list_select_related = ("article", "original", "representative", "story")
    actions = (try_again, make_due)


@admin.register(Duplicate)
class DuplicateAdmin(WrittenByProgram):
    list_display = (
        "article",
        "other",
        "relation",
        "joins",
        "containment",
        "jaccard",
        "n_shared",
        "verdict",
        "detected_at",
    )
    list_filter = ("relation", "verdict", "article__publication")
    ordering = ("-pk",)
    search_fields = ("article__title", "other__title")
    list_select_related = ("article", "other")
    actions = ("mark_same", "mark_event", "mark_different", "mark_open")

    @admin.action(description="Mark as the same text", permissions=["change"])
    def mark_same(self, request: HttpRequest, queryset: QuerySet[Duplicate]) -> None:
        self._mark(request, queryset, Verdict.SAME)

    @admin.action(description="Mark as the same event", permissions=["change"])
    def mark_event(self, request: HttpRequest, queryset: QuerySet[Duplicate]) -> None:
        self._mark(request, queryset, Verdict.EVENT)

    @admin.action(description="Mark as different", permissions=["change"])
    def mark_different(self, request: HttpRequest, queryset: QuerySet[Duplicate]) -> None:
        self._mark(request, queryset, Verdict.DIFFERENT)

    @admin.action(description="Take the verdict back", permissions=["change"])
    def mark_open(self, request: HttpRequest, queryset: QuerySet[Duplicate]) -> None:
        self._mark(request, queryset, Verdict.OPEN)

    def _mark(self, request: HttpRequest, pairs: QuerySet[Duplicate], verdict: Verdict) -> None:
        ids = list(pairs.values_list("pk", flat=True))
        try:
            judge(ids, verdict, Editor(request.user.pk, timezone.now()))
        except ContradictionError as error:
            self.message_user(request, str(error), messages.ERROR)
        else:
            text = f"{counted(len(ids), 'pair')}: {verdict.label.lower()}."
            self.message_user(request, text, messages.SUCCESS)


@admin.register(Decision)
class DecisionAdmin(WrittenByProgram):
    list_display = ("decided_at", "kind", "verdict", "article", "by", "undone_at", "undone_by")
    list_filter = ("kind", "verdict", ("undone_at", admin.EmptyFieldListFilter))
    list_select_related = ("article", "by", "undone_by")


@admin.register(Judgement)
class JudgementAdmin(WrittenByProgram):
    list_display = ("decision", "article", "other", "verdict")
    list_filter = ("verdict",)
    list_select_related = ("decision", "article", "other")


@admin.register(DetectionMethod)
class DetectionMethodAdmin(WrittenByProgram):
    list_display = ("since", "method", "limit", "by")
    list_select_related = ("by",)


@admin.register(ThresholdTrial)
class ThresholdTrialAdmin(StageRows):
    list_display = ("asked_at", "limit", "limit_before", "n_done", "finished_at", "used_at")
    list_filter = (WorkStateFilter,)
    list_select_related = ("asked_by",)
    actions = (try_again, make_due)


@admin.register(StoryCluster)
class StoryClusterAdmin(WrittenByProgram):
    list_display = ("pk", "first", "created_at")
    list_select_related = ("first",)
    search_fields = ("first__title",)


@admin.register(StoryReport)
class StoryReportAdmin(WrittenByProgram):
    list_display = ("article", "digest", "asked_at", "placed_at")
    list_filter = (("placed_at", admin.EmptyFieldListFilter),)
    list_select_related = ("article",)
    search_fields = ("article__title",)


@admin.register(StoryPass)
class StoryPassAdmin(StageRows):
    list_display = ("last_run_at", "due_at", "n_reports", "n_placed", "elapsed_ms")
    list_filter = (WorkStateFilter,)
    actions = (try_again, make_due)


@admin.register(SentenceHash)
class SentenceHashAdmin(WrittenByProgram):
    list_display = ("hash", "sentence", "article", "position")
    list_select_related = ("article",)
    search_fields = ("=hash", "=article__pk")
    readonly_fields = ("sentence",)

    @admin.display(description="sentence")
    def sentence(self, row: SentenceHash) -> str:
        """Cut the sentence out of the text as it is now; empty where that has changed."""
        return sentence_of(row.hash, row.article.text)


@admin.register(EnteredText)
class EnteredTextAdmin(WrittenByProgram):
    list_display = ("article",)
    search_fields = ("=article",)
