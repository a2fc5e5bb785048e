"""The tables of extraction in Django's admin: rules, articles, comments, sites, evaluation."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from extraction.extractors import choose_extractor
from extraction.html.algorithms.registry import ALGORITHMS
from extraction.models import (
    Article,
    Comment,
    CommentThread,
    DryRun,
    Erasure,
    EvaluatedPage,
    EvaluationRun,
    Extraction,
    ExtractorSetting,
    ReferenceText,
    RereadPage,
    RuleVersion,
    SiteRule,
    SiteSketch,
    SiteTemplate,
    StructureAlarm,
    Withdrawal,
)
from feeds.admin import OnlyShown, WrittenByProgram
from feeds.models import WorkQuerySet
from feeds.work_admin import WORK_FIELDS, WorkStateFilter, make_due, try_again
from presentation.wording.figures import counted


def _extract_again(rows: WorkQuerySet[Extraction]) -> int:
    """Forget the digest of what was done, so that the stage does it anew."""
    return rows.reschedule(
        timezone.now(), done_digest="", attempts=0, quarantined_at=None, last_error=""
    )


class RulesOfVersion(admin.TabularInline):  # type: ignore[type-arg] # generic in its stubs only
    model = SiteRule
    extra = 0
    can_delete = False

    def has_add_permission(self, *_: object) -> bool:
        return False

    def has_change_permission(self, *_: object) -> bool:
        return False


@admin.register(RuleVersion)
class RuleVersionAdmin(WrittenByProgram):
    """Versions to look at; they are made in the rule studio, which tries them first."""

    list_display = ("publication", "number", "valid_from", "published_at", "published_by", "note")
    list_filter = ("publication",)
    search_fields = ("note", "reason", "publication__name", "rules__selector")
    list_select_related = ("publication", "published_by")
    inlines = (RulesOfVersion,)


@admin.register(SiteRule)
class SiteRuleAdmin(WrittenByProgram):
    list_display = ("version", "field", "kind", "selector", "tag_type", "attribute_value")
    list_filter = ("field", "kind", "version__publication")
    search_fields = ("selector", "attribute_value", "note", "version__publication__name")
    list_select_related = ("version",)


@admin.register(RereadPage)
class RereadPageAdmin(WrittenByProgram):
    list_display = ("page", "version", "n_words")
    list_filter = ("version__publication",)
    search_fields = ("page__url",)
    list_select_related = ("page", "version")
    raw_id_fields = ("page", "version")


@admin.register(DryRun)
class DryRunAdmin(WrittenByProgram):
    list_display = ("version", "n_articles", "counts", "finished_at", "due_at", "last_error")
    list_filter = (WorkStateFilter,)
    search_fields = ("version__publication__name",)
    list_select_related = ("version",)
    readonly_fields = WORK_FIELDS[1:]
    actions = (try_again, make_due)


@admin.register(Extraction)
class ExtractionAdmin(WrittenByProgram):
    list_display = ("page", "outcome", "outcome_detail", "extracted_at", "elapsed_ms", "due_at")
    list_filter = (WorkStateFilter, "outcome", "page__publication")
    search_fields = ("page__url", "outcome_detail")
    list_select_related = ("page",)
    raw_id_fields = ("page",)
    readonly_fields = WORK_FIELDS[1:]
    actions = (try_again, make_due, "extract_again")

    @admin.action(description="Extract again", permissions=["change"])
    def extract_again(self, request: HttpRequest, queryset: QuerySet[Extraction]) -> None:
        n = _extract_again(Extraction.objects.filter(pk__in=queryset))
        self.message_user(
            request, f"{counted(n, 'page is', 'pages are')} extracted again.", messages.SUCCESS
        )


@admin.register(Article)
class ArticleAdmin(WrittenByProgram):
    list_display = (
        "title",
        "publication",
        "dated_at",
        "n_words",
        "kind",
        "language",
        "in_corpus",
        "extractor",
        "confidence",
    )
    list_filter = ("in_corpus", "kind", "language", "extractor", "publication")
    search_fields = ("title", "url", "slug")
    list_select_related = ("publication",)
    raw_id_fields = ("page", "publication", "slug_twin", "fetch")
    readonly_fields = ("text_digest", "n_words", "created_at", "updated_at")
    actions = ("extract_again",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Article]:
        rows: QuerySet[Article] = super().get_queryset(request)
        match = request.resolver_match
        is_list = match is not None and (match.url_name or "").endswith("_changelist")
        return rows.defer("text", "blocks", "sources", "standfirst") if is_list else rows

    @admin.action(description="Extract again from the archived page", permissions=["change"])
    def extract_again(self, request: HttpRequest, queryset: QuerySet[Article]) -> None:
        n = _extract_again(Extraction.objects.filter(page__article__in=queryset))
        self.message_user(
            request, f"{counted(n, 'page is', 'pages are')} extracted again.", messages.SUCCESS
        )


@admin.register(CommentThread)
class CommentThreadAdmin(WrittenByProgram):
    list_display = ("article", "system", "forum", "is_closed", "n_posts", "checked_at")
    list_filter = ("system", "is_closed", "forum")
    search_fields = ("identifier", "article__title", "remote_id")
    list_select_related = ("article",)
    raw_id_fields = ("article", "page")


@admin.register(Comment)
class CommentAdmin(WrittenByProgram):
    list_display = ("author_name", "beginning", "posted_at", "likes", "dislikes", "is_deleted")
    list_filter = ("system", "is_deleted", "is_flagged", "is_spam", "is_edited", "language")
    search_fields = ("author_name", "author_username", "remote_id")
    raw_id_fields = ("article", "parent")

    @admin.display(description="text")
    def beginning(self, comment: Any) -> str:
        return str(comment.text[:100])


@admin.register(SiteTemplate)
class SiteTemplateAdmin(WrittenByProgram):
    list_display = ("publication", "number", "valid_from", "n_articles", "n_pages", "updated_at")
    list_filter = ("publication",)
    list_select_related = ("publication",)
    exclude = ("knowledge",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[SiteTemplate]:
        rows: QuerySet[SiteTemplate] = super().get_queryset(request)
        return rows.defer("knowledge")


@admin.register(SiteSketch)
class SiteSketchAdmin(WrittenByProgram):
    list_display = ("page", "fetched_at", "n_characters", "familiarity", "n_known", "is_learnt")
    list_filter = ("is_learnt", "publication")
    list_select_related = ("page",)
    raw_id_fields = ("page", "publication")
    exclude = ("data",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[SiteSketch]:
        rows: QuerySet[SiteSketch] = super().get_queryset(request)
        return rows.defer("data")


@admin.register(StructureAlarm)
class StructureAlarmAdmin(WrittenByProgram):
    list_display = ("publication", "since", "signals", "opened_at", "closed_at")
    list_filter = ("publication", "closed_at")
    list_select_related = ("publication",)
    raw_id_fields = ("page_before", "page_after")


@admin.register(ExtractorSetting)
class ExtractorSettingAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    """A change reads the publication's stored pages anew, as on the evaluation page."""

    list_display = ("publication", "extractor", "parameters", "changed_at", "changed_by")
    list_filter = ("extractor",)
    list_select_related = ("publication", "changed_by")
    search_fields = ("publication__name", "publication__slug")
    fields = ("publication", "extractor", "parameters")

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Say at the field which parameters there are."""
        known = "; ".join(
            f"{algorithm.label}: {', '.join(algorithm.parameter_names) or 'none'}"
            for algorithm in ALGORITHMS.values()
        )
        kwargs["help_texts"] = {
            "parameters": f'Only what differs from the source, such as {{"phi": 3}}. {known}.'
        }
        return super().get_form(request, obj, change, **kwargs)

    def save_model(
        self,
        request: HttpRequest,
        obj: ExtractorSetting,
        form: Any,
        change: bool,
    ) -> None:
        del form, change
        obj.changed_at = timezone.now()
        obj.changed_by_id = request.user.pk
        n_pages = choose_extractor(obj)
        obj.pk = ExtractorSetting.objects.get(publication=obj.publication).pk
        self.message_user(
            request,
            f"{counted(n_pages, 'page is', 'pages are')} extracted again.",
            messages.SUCCESS,
        )

    def delete_model(self, request: HttpRequest, obj: ExtractorSetting) -> None:
        """Back to the default: the pages are read anew with it."""
        obj.extractor, obj.parameters, obj.changed_at = "auto", {}, timezone.now()
        choose_extractor(obj)
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: Any) -> None:
        for setting in queryset:
            self.delete_model(request, setting)


@admin.register(EvaluatedPage)
class EvaluatedPageAdmin(WrittenByProgram):
    list_display = ("article", "run", "position", "problem", "done_at")
    list_filter = ("run__publication",)
    list_select_related = ("article", "run__publication")
    raw_id_fields = ("article", "run")


@admin.register(ReferenceText)
class ReferenceTextAdmin(WrittenByProgram):
    list_display = ("article", "confirmed_at", "confirmed_by")
    list_select_related = ("article", "confirmed_by")
    search_fields = ("article__title", "article__url")
    raw_id_fields = ("article",)


@admin.register(EvaluationRun)
class EvaluationRunAdmin(WrittenByProgram):
    list_display = ("publication", "asked_at", "asked_by", "n_done", "n_pages", "finished_at")
    list_filter = (WorkStateFilter, "publication")
    list_select_related = ("publication", "asked_by")
    readonly_fields = (*WORK_FIELDS[1:], "extractors", "figures", "asked_at")
    actions = (try_again,)


@admin.register(Withdrawal)
class WithdrawalAdmin(OnlyShown):
    list_display = ("at", "measure", "what", "address", "reason", "by", "ended_at", "done_at")
    list_filter = ("measure", "what")
    search_fields = ("address", "reason")
    list_select_related = ("by",)


@admin.register(Erasure)
class ErasureAdmin(OnlyShown):
    list_display = ("entry", "n_done", "n_all", "due_at", "attempts", "finished_at")
    list_filter = (WorkStateFilter,)
    list_select_related = ("entry",)
