"""Rules, articles, comments and the extract stage's rows in Django's admin."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from extraction import (  # tables of subjects of their own are registered there
    evaluation_admin,  # noqa: F401
    site_admin,  # noqa: F401
)
from extraction.models import (
    Article,
    Comment,
    CommentThread,
    DryRun,
    Extraction,
    RereadPage,
    RuleVersion,
    SiteRule,
)
from feeds.admin import WrittenByProgram
from feeds.work_admin import WORK_FIELDS, WorkStateFilter, make_due, try_again
from presentation.wording.figures import counted


def _extract_again(rows: QuerySet[Extraction]) -> int:
    """Forget the digest of what was done, so that the stage does it anew."""
    resting = rows.filter(lease_until=None)
    return resting.update(
        done_digest="", due_at=timezone.now(), attempts=0, quarantined_at=None, last_error=""
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
        n = _extract_again(queryset)
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
