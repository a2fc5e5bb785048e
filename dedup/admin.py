"""Like texts in Django's admin: pairs with their verdicts, stories, hashes, the stage's rows."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from dedup.detect import judge
from dedup.models import Detection, Duplicate, SentenceHash, StoryCluster, Verdict
from feeds.admin import WrittenByProgram
from feeds.work_admin import WORK_FIELDS, WorkStateFilter, make_due, try_again


@admin.register(Detection)
class DetectionAdmin(WrittenByProgram):
    list_display = ("article", "original", "story", "n_sentences", "detected_at", "due_at")
    list_filter = (WorkStateFilter, ("original", admin.EmptyFieldListFilter))
    search_fields = ("article__title", "article__url")
    list_select_related = ("article", "original", "story")
    raw_id_fields = ("article", "original", "story")
    readonly_fields = WORK_FIELDS[1:]
    actions = (try_again, make_due)


@admin.register(Duplicate)
class DuplicateAdmin(WrittenByProgram):
    list_display = (
        "article",
        "other",
        "relation",
        "similarity",
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
        n = judge(list(pairs.values_list("pk", flat=True)), verdict, timezone.now())
        self.message_user(request, f"{n} pairs: {verdict.label.lower()}.", messages.SUCCESS)


@admin.register(StoryCluster)
class StoryClusterAdmin(WrittenByProgram):
    list_display = ("pk", "first", "created_at")
    list_select_related = ("first",)
    search_fields = ("first__title",)
    raw_id_fields = ("first",)


@admin.register(SentenceHash)
class SentenceHashAdmin(WrittenByProgram):
    list_display = ("hash", "article", "position")
    list_select_related = ("article",)
    raw_id_fields = ("article",)
    search_fields = ("=hash",)
