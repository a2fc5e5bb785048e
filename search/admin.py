"""The index stage's rows, the lexicon and what users keep, in Django's admin."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from feeds.admin import WrittenByProgram
from feeds.work_admin import WORK_FIELDS, WorkStateFilter, make_due, try_again
from search.models import (
    IgnoredWord,
    IndexedArticle,
    IndexedComment,
    LexiconEntry,
    SavedQuery,
    Subcorpus,
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
    list_display = ("word", "tag", "lemma", "language_of_origin", "is_active", "updated_at")
    list_editable = ("is_active",)
    list_filter = ("tag", "language_of_origin", "is_active")
    search_fields = ("word", "lemma", "note")
    list_select_related = ("created_by",)
    exclude = ("created_by",)

    def save_model(self, request: HttpRequest, obj: LexiconEntry, form: Any, change: bool) -> None:
        if not change:
            obj.created_by_id = request.user.pk
        super().save_model(request, obj, form, change)


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


@admin.register(SavedQuery)
class SavedQueryAdmin(WrittenByProgram):
    list_display = ("__str__", "owner", "parameters", "n_hits", "generation", "created_at")
    search_fields = ("name", "short", "parameters")
    list_select_related = ("owner",)
    raw_id_fields = ("owner",)
