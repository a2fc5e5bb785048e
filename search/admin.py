"""The index stage's rows, the lexicon and what users keep, in Django's admin."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from feeds.admin import OnlyShown, WrittenByProgram
from feeds.work_admin import WORK_FIELDS, WorkStateFilter, make_due, try_again
from search.lexicon.changes import remove_entry, save_entries, values_of
from search.models import (
    IgnoredWord,
    IndexedArticle,
    IndexedComment,
    LeavingText,
    LexiconChange,
    LexiconEntry,
    LexiconUse,
    Macro,
    Retagging,
    SavedQuery,
    Subcorpus,
    TagCorrection,
    UseCount,
    WordList,
)


@admin.register(IndexedArticle)
class IndexedArticleAdmin(WrittenByProgram):
    list_display = ("article", "outcome", "n_tokens", "generation", "indexed_at", "due_at")
    list_filter = (WorkStateFilter, "outcome", "article__publication")
    search_fields = ("article__title", "article__url")
    list_select_related = ("article",)
    raw_id_fields = ("article",)
    readonly_fields = WORK_FIELDS[1:]
    actions = (try_again, make_due)


@admin.register(IndexedComment)
class IndexedCommentAdmin(WrittenByProgram):
    list_display = ("comment", "outcome", "n_tokens", "generation", "indexed_at", "due_at")
    list_filter = (WorkStateFilter, "outcome")
    search_fields = ("comment__author_name",)
    list_select_related = ("comment",)
    raw_id_fields = ("comment",)
    readonly_fields = WORK_FIELDS[1:]
    actions = (try_again, make_due)


@admin.register(LexiconEntry)
class LexiconEntryAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    """Writes as the lexicon page does: with history, and a job that tags old texts again."""

    list_display = ("word", "tag", "lemma", "language_of_origin", "updated_at")
    list_filter = ("tag", "language_of_origin")
    search_fields = ("word", "lemma", "note")
    list_select_related = ("created_by",)
    exclude = ("created_by", "is_active")

    def get_readonly_fields(
        self,
        request: HttpRequest,  # noqa: ARG002 (Django's signature)
        obj: LexiconEntry | None = None,
    ) -> tuple[str, ...]:
        return () if obj is None else ("word",)

    def save_model(
        self,
        request: HttpRequest,
        obj: LexiconEntry,
        form: Any,  # noqa: ARG002 (as above)
        change: bool,  # noqa: ARG002 (as above)
    ) -> None:
        save_entries([values_of(obj)], request.user, timezone.now())
        obj.pk = LexiconEntry.objects.get(word__iexact=obj.word.strip()).pk

    def delete_model(self, request: HttpRequest, obj: LexiconEntry) -> None:
        remove_entry(obj, request.user, timezone.now())

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[LexiconEntry]) -> None:
        for entry in queryset:
            remove_entry(entry, request.user, timezone.now())


@admin.register(LexiconChange)
class LexiconChangeAdmin(WrittenByProgram):
    list_display = ("word", "kind", "tag", "lemma", "made_by", "made_at")
    list_filter = ("kind",)
    search_fields = ("word",)
    list_select_related = ("made_by",)


@admin.register(Retagging)
class RetaggingAdmin(WrittenByProgram):
    list_display = ("title", "n_done", "n_texts", "n_failed", "created_at", "finished_at")
    list_filter = (WorkStateFilter,)
    readonly_fields = WORK_FIELDS[1:]
    actions = (try_again, make_due)


@admin.register(UseCount)
class UseCountAdmin(WrittenByProgram):
    list_display = ("__str__", "due_at", "attempts")
    readonly_fields = WORK_FIELDS[1:]
    actions = (try_again, make_due)


@admin.register(LexiconUse)
class LexiconUseAdmin(WrittenByProgram):
    list_display = ("word", "n_hits", "n_checked", "n_decided", "n_overrode", "counted_at")
    search_fields = ("word",)


@admin.register(TagCorrection)
class TagCorrectionAdmin(WrittenByProgram):
    list_display = ("word", "tag_was", "tag", "scope", "state", "asked_by", "asked_at")
    list_filter = ("state", "scope")
    search_fields = ("word",)
    list_select_related = ("asked_by",)
    raw_id_fields = ("article",)


@admin.register(IgnoredWord)
class IgnoredWordAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    list_display = ("word", "ignored_by", "ignored_at")
    search_fields = ("word",)
    list_select_related = ("ignored_by",)
    raw_id_fields = ("ignored_by",)


@admin.register(Subcorpus)
class SubcorpusAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    list_display = ("name", "owner", "filters", "is_shared", "created_at")
    list_filter = ("is_shared",)
    search_fields = ("name", "slug", "filters")
    list_select_related = ("owner",)
    raw_id_fields = ("owner",)
    prepopulated_fields = {"slug": ("name",)}


@admin.register(WordList)
class WordListAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    list_display = ("name", "owner", "created_at")
    search_fields = ("name", "words")
    list_select_related = ("owner",)
    raw_id_fields = ("owner",)


@admin.register(Macro)
class MacroAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    list_display = ("name", "text", "owner", "created_at")
    search_fields = ("name", "text")
    list_select_related = ("owner",)
    raw_id_fields = ("owner",)


@admin.register(SavedQuery)
class SavedQueryAdmin(WrittenByProgram):
    list_display = ("__str__", "owner", "parameters", "n_hits", "generation", "created_at")
    search_fields = ("name", "short", "parameters")
    list_select_related = ("owner",)
    raw_id_fields = ("owner",)


@admin.register(LeavingText)
class LeavingTextAdmin(OnlyShown):
    list_display = ("kind", "key")
