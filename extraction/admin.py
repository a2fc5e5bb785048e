"""The tables of extraction in Django's admin: rules, articles, comments, sites, evaluation."""

from operator import itemgetter
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from extraction.extractors import choose_extractor
from extraction.forms import DraftRuleForm
from extraction.html.algorithms.registry import ALGORITHMS
from extraction.html.page import Extractor
from extraction.models import (
    Article,
    ArticleCorrection,
    ArticleVersion,
    Capture,
    CollectedField,
    CollectedText,
    Comment,
    CommentMonth,
    CommentThread,
    CorrectionChange,
    DryRun,
    Erasure,
    EvaluatedPage,
    EvaluationRun,
    Extraction,
    ExtractorSetting,
    Placing,
    PostReply,
    ReferenceText,
    RereadPage,
    RightsReview,
    RuleVersion,
    SiteRule,
    SiteSketch,
    SiteTemplate,
    SourceImport,
    StructureAlarm,
    VersionOutcome,
    Withdrawal,
)
from extraction.rules.versions import keep_rule
from extraction.stage.page_reads import ExtractOutcome
from extraction.text.language_names import LANGUAGES
from feeds.crawler.comment_systems.systems import BY_KEY
from feeds.models import WorkQuerySet
from feeds.table_admin import RemovedByService, WrittenByProgram, values_filter
from feeds.work_admin import StageRows, WorkStateFilter, make_due, try_again
from presentation.wording.figures import counted

_LANGUAGES = sorted(LANGUAGES.items(), key=itemgetter(1))
# Where comments come from: those read from a system, and those that stand in the page.
_SYSTEMS = [*((key, system.name) for key, system in BY_KEY.items()), ("page", "The page itself")]


def _extract_again(rows: WorkQuerySet[Extraction]) -> int:
    """Forget the digest of what was done, so that the stage does it anew."""
    return rows.reschedule(
        timezone.now(),
        done_digest="",
        tree_digest="",
        attempts=0,
        quarantined_at=None,
        last_error="",
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
    """Rules of drafts may be changed; published versions never."""

    list_display = ("version", "field", "kind", "selector", "tag_type", "attribute_value")
    list_filter = ("field", "kind", "version__publication")
    search_fields = ("selector", "attribute_value", "note", "version__publication__name")
    list_select_related = ("version",)
    form = DraftRuleForm
    editable = tuple(DraftRuleForm.Meta.fields)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        may = super().has_change_permission(request, obj)
        return may and (obj is None or obj.version.published_at is None)

    def save_model(self, request: HttpRequest, obj: SiteRule, form: Any, change: bool) -> None:
        del request, form, change
        keep_rule(obj)


@admin.register(RereadPage)
class RereadPageAdmin(WrittenByProgram):
    list_display = ("page", "version", "n_words")
    list_filter = ("version__publication",)
    search_fields = ("page__url",)
    list_select_related = ("page", "version")


@admin.register(DryRun)
class DryRunAdmin(StageRows):
    list_display = ("version", "n_articles", "counts", "finished_at", "due_at", "last_error")
    list_filter = (WorkStateFilter,)
    search_fields = ("version__publication__name",)
    list_select_related = ("version",)
    actions = (try_again, make_due)


@admin.register(SourceImport)
class SourceImportAdmin(WrittenByProgram):
    list_display = ("file_name", "n_done", "n_all", "asked_by", "created_at", "finished_at")
    list_filter = (WorkStateFilter,)
    search_fields = ("file_name",)
    list_select_related = ("asked_by",)


@admin.register(Capture)
class CaptureAdmin(StageRows):
    list_display = ("fetch", "found", "due_at", "attempts")
    list_filter = ("found", WorkStateFilter)
    raw_id_fields = ("page", "fetch")


@admin.register(Extraction)
class ExtractionAdmin(StageRows):
    list_display = ("page", "outcome", "outcome_detail", "extracted_at", "elapsed_ms", "due_at")
    list_filter = (
        WorkStateFilter,
        values_filter("outcome", [(one.value, one.value) for one in ExtractOutcome]),
        "page__publication",
    )
    search_fields = ("page__url", "outcome_detail")
    list_select_related = ("page",)
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
    list_filter = (
        "in_corpus",
        "kind",
        values_filter("language", _LANGUAGES),
        values_filter("extractor", [(one.value, one.value) for one in Extractor]),
        "publication",
    )
    search_fields = ("title", "url", "slug")
    list_select_related = ()  # joined, SQLite would sort the articles of all publications
    actions = ("extract_again",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Article]:
        rows: QuerySet[Article] = super().get_queryset(request)
        match = request.resolver_match
        is_list = match is not None and (match.url_name or "").endswith("_changelist")
        shown = rows.defer("text", "blocks", "sources", "standfirst")
        return shown.prefetch_related("publication") if is_list else rows

    @admin.action(description="Extract again from the archived page", permissions=["change"])
    def extract_again(self, request: HttpRequest, queryset: QuerySet[Article]) -> None:
        n = _extract_again(Extraction.objects.filter(page__article__in=queryset))
        self.message_user(
            request, f"{counted(n, 'page is', 'pages are')} extracted again.", messages.SUCCESS
        )


@admin.register(CommentThread)
class CommentThreadAdmin(WrittenByProgram):
    list_display = ("article", "system", "forum", "is_closed", "n_posts", "checked_at")
    list_filter = (values_filter("system", _SYSTEMS), "is_closed")
    search_fields = ("identifier", "article__title", "remote_id", "forum")
    list_select_related = ("article",)


@admin.register(CommentMonth)
class CommentMonthAdmin(WrittenByProgram):
    list_display = ("month", "publication", "n_threads", "n_asked", "finished_at", "last_error")
    list_filter = (WorkStateFilter,)
    search_fields = ("publication__name",)
    list_select_related = ("publication",)
    actions = (try_again, make_due)


@admin.register(Comment)
class CommentAdmin(WrittenByProgram):
    list_display = (
        "author_name",
        "beginning",
        "article",
        "posted_at",
        "is_undated",
        "likes",
        "dislikes",
        "is_deleted",
    )
    list_filter = (
        "article__publication",
        values_filter("system", _SYSTEMS),
        "is_deleted",
        "is_flagged",
        "is_spam",
        "is_edited",
        values_filter("language", _LANGUAGES),
    )
    search_fields = ("text", "author_name", "author_username", "=remote_id")
    list_select_related = ("article",)
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Comment]:
        rows: QuerySet[Comment] = super().get_queryset(request)
        return rows.defer("article__text", "article__blocks", "article__captions")

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
    exclude = ("data",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[SiteSketch]:
        rows: QuerySet[SiteSketch] = super().get_queryset(request)
        return rows.defer("data")


@admin.register(StructureAlarm)
class StructureAlarmAdmin(WrittenByProgram):
    list_display = ("publication", "since", "signals", "opened_at", "closed_at")
    list_filter = ("publication", "closed_at")
    list_select_related = ("publication",)


@admin.register(ExtractorSetting)
class ExtractorSettingAdmin(RemovedByService):
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

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Let a setting stay with its publication."""
        del request
        return () if obj is None else ("publication",)

    def remove(self, request: HttpRequest, obj: Any) -> None:
        """Back to the default: the pages are read anew with it."""
        del request
        obj.extractor, obj.parameters, obj.changed_at = "auto", {}, timezone.now()
        choose_extractor(obj)
        obj.delete()


@admin.register(ArticleCorrection)
class ArticleCorrectionAdmin(WrittenByProgram):
    """Written on the articles' own pages, and by changing an article here."""

    list_display = ("article", "corrected", "is_taken_anyway", "changed_by", "changed_at")
    list_filter = ("is_taken_anyway", "article__publication")
    search_fields = ("article__title", "article__url", "title")
    list_select_related = ("article", "changed_by")


@admin.register(CorrectionChange)
class CorrectionChangeAdmin(WrittenByProgram):
    list_display = ("made_at", "article", "kind", "field", "before", "after", "made_by")
    list_filter = ("kind",)
    search_fields = ("article__title", "before", "after")
    list_select_related = ("article", "made_by")


@admin.register(Placing)
class PlacingAdmin(StageRows):
    list_display = ("publication", "due_at", "last_article", "n_changed", "finished_at")
    list_filter = (WorkStateFilter,)
    search_fields = ("publication__name", "publication__slug")
    list_select_related = ("publication",)
    actions = (try_again, make_due)


@admin.register(EvaluatedPage)
class EvaluatedPageAdmin(WrittenByProgram):
    list_display = ("article", "run", "position", "problem", "done_at")
    list_filter = ("run__publication",)
    list_select_related = ("article", "run__publication")


@admin.register(ReferenceText)
class ReferenceTextAdmin(WrittenByProgram):
    list_display = ("article", "confirmed_at", "confirmed_by")
    list_select_related = ("article", "confirmed_by")
    search_fields = ("article__title", "article__url")


@admin.register(EvaluationRun)
class EvaluationRunAdmin(StageRows):
    list_display = ("publication", "asked_at", "asked_by", "n_done", "n_pages", "finished_at")
    list_filter = (WorkStateFilter, "publication")
    list_select_related = ("publication", "asked_by")
    actions = (try_again,)


@admin.register(RightsReview)
class RightsReviewAdmin(WrittenByProgram):
    list_display = (
        "publication",
        "done_policy",
        "n_changed",
        "finished_at",
        "due_at",
        "last_error",
    )
    list_filter = (WorkStateFilter,)
    search_fields = ("publication__name",)
    list_select_related = ("publication",)
    actions = (try_again,)


@admin.register(Withdrawal)
class WithdrawalAdmin(WrittenByProgram):
    list_display = ("at", "measure", "what", "address", "reason", "by", "ended_at", "done_at")
    list_filter = ("measure", "what")
    search_fields = ("address", "reason")
    list_select_related = ("by",)


@admin.register(Erasure)
class ErasureAdmin(WrittenByProgram):
    list_display = ("entry", "n_done", "n_all", "due_at", "attempts", "finished_at")
    list_filter = (WorkStateFilter,)
    list_select_related = ("entry",)


@admin.register(ArticleVersion)
class ArticleVersionAdmin(WrittenByProgram):
    list_display = ("article", "number", "outcome", "seen_at", "replaced_at", "n_words_changed")
    list_filter = (values_filter("outcome", VersionOutcome.choices),)
    search_fields = ("article__title",)
    list_select_related = ("article",)
    exclude = ("body",)


@admin.register(CollectedText)
class CollectedTextAdmin(WrittenByProgram):
    list_display = ("name", "collection", "file_name", "article")
    list_filter = ("collection",)
    list_select_related = ("collection", "article")
    search_fields = ("name", "file_name")


@admin.register(CollectedField)
class CollectedFieldAdmin(WrittenByProgram):
    list_display = ("article", "name", "value")
    list_select_related = ("article",)
    search_fields = ("name", "value")


@admin.register(PostReply)
class PostReplyAdmin(WrittenByProgram):
    list_display = ("article", "answered_key", "thread_key")
    list_select_related = ("article",)
    search_fields = ("answered_key",)
