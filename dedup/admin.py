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
from feeds.admin import WrittenByProgram
from feeds.work_admin import WORK_FIELDS, WorkStateFilter, make_due, try_again
from presentation.wording.figures import counted


@admin.register(Detection)
class DetectionAdmin(WrittenByProgram):
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
    raw_id_fields = ("article", "original", "representative", "story")
    readonly_fields = WORK_FIELDS[1:]
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
    search_fields = ("article__title", "other__title")
    list_select_related = ("article", "other")
    raw_id_fields = ("article", "other")
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
    raw_id_fields = ("article", "by", "undone_by")


@admin.register(Judgement)
class JudgementAdmin(WrittenByProgram):
    list_display = ("decision", "article", "other", "verdict")
    list_filter = ("verdict",)
    list_select_related = ("decision", "article", "other")
    raw_id_fields = ("decision", "article", "other")


@admin.register(DetectionMethod)
class DetectionMethodAdmin(WrittenByProgram):
    list_display = ("since", "method", "limit", "by")
    list_select_related = ("by",)
    raw_id_fields = ("by",)


@admin.register(ThresholdTrial)
class ThresholdTrialAdmin(WrittenByProgram):
    list_display = ("asked_at", "limit", "limit_before", "n_done", "finished_at", "used_at")
    list_filter = (WorkStateFilter,)
    list_select_related = ("asked_by",)
    readonly_fields = WORK_FIELDS[1:]
    actions = (try_again, make_due)


@admin.register(StoryCluster)
class StoryClusterAdmin(WrittenByProgram):
    list_display = ("pk", "first", "created_at")
    list_select_related = ("first",)
    search_fields = ("first__title",)
    raw_id_fields = ("first",)


@admin.register(StoryReport)
class StoryReportAdmin(WrittenByProgram):
    list_display = ("article", "digest", "asked_at", "placed_at")
    list_filter = (("placed_at", admin.EmptyFieldListFilter),)
    list_select_related = ("article",)
    search_fields = ("article__title",)
    raw_id_fields = ("article",)


@admin.register(StoryPass)
class StoryPassAdmin(WrittenByProgram):
    list_display = ("last_run_at", "due_at", "n_reports", "n_placed", "elapsed_ms")
    list_filter = (WorkStateFilter,)
    readonly_fields = WORK_FIELDS[1:]
    actions = (try_again, make_due)


@admin.register(SentenceHash)
class SentenceHashAdmin(WrittenByProgram):
    list_display = ("hash", "article", "position")
    list_select_related = ("article",)
    raw_id_fields = ("article",)
    search_fields = ("=hash",)


@admin.register(EnteredText)
class EnteredTextAdmin(WrittenByProgram):
    list_display = ("article",)
    search_fields = ("=article",)
