"""The index stage's rows, the lexicon and what users keep, in Django's admin."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from feeds.table_admin import RemovalRefusedError, RemovedByService, WrittenByProgram, values_filter
from feeds.work_admin import WORK_FIELDS, StageRows, WorkStateFilter, make_due, try_again
from search.answers.ignoring import take_back
from search.asking.subcorpora import SubcorpusInUseError, remove_subcorpus
from search.asking.word_lists import ListInUseError, keep_list, remove_list
from search.forms import LexiconForm, MacroForm, WordListForm
from search.lexicon.changes import remove_entry, save_entries
from search.marking.markings import remove_marking
from search.models import (
    IgnoredWord,
    IndexedArticle,
    IndexedComment,
    IndexFollower,
    LeavingText,
    LexiconChange,
    LexiconEntry,
    LexiconUse,
    LineMark,
    Macro,
    MarkedLine,
    Marker,
    Marking,
    PastQuery,
    ReferenceList,
    Retagging,
    SavedQuery,
    SketchGrammar,
    Subcorpus,
    TagCorrection,
    TextImport,
    TextSet,
    UseCount,
    WordList,
)
from search.stage.followers import forget
from search.stage.tagged_texts import EMPTY, INDEXED, LEFT_OUT

OUTCOMES = [(outcome, outcome) for outcome in (INDEXED, LEFT_OUT, EMPTY)]


@admin.register(IndexFollower)
class IndexFollowerAdmin(RemovedByService, WrittenByProgram):
    """A machine that is no more is deleted here; one that follows is there again in a moment."""

    list_display = ("machine", "source", "generation", "newest", "checked_at", "problem")

    def remove(self, request: HttpRequest, obj: IndexFollower) -> None:
        del request
        forget(obj.machine)


@admin.register(ReferenceList)
class ReferenceListAdmin(WrittenByProgram):
    list_display = ("name", "n_words", "n_tokens", "owner", "created_at")
    fields = ("name", "source", "n_words", "n_tokens", "owner", "created_at")
    readonly_fields = fields


@admin.register(TextImport)
class TextImportAdmin(WrittenByProgram):
    list_display = ("file_name", "collection", "n_bytes", "created_at", "finished_at", "asked_by")
    list_filter = (WorkStateFilter,)
    list_select_related = ("collection", "asked_by")
    readonly_fields = WORK_FIELDS
    search_fields = ("file_name", "path")
    actions = (make_due, try_again)


@admin.register(IndexedArticle)
class IndexedArticleAdmin(StageRows):
    list_display = ("article", "outcome", "n_tokens", "generation", "indexed_at", "due_at")
    list_filter = (WorkStateFilter, values_filter("outcome", OUTCOMES), "article__publication")
    search_fields = ("article__title", "article__url")
    list_select_related = ("article",)
    actions = (try_again, make_due)


@admin.register(IndexedComment)
class IndexedCommentAdmin(StageRows):
    list_display = ("comment", "outcome", "n_tokens", "generation", "indexed_at", "due_at")
    list_filter = (WorkStateFilter, values_filter("outcome", OUTCOMES))
    search_fields = ("comment__author_name",)
    list_select_related = ("comment",)
    actions = (try_again, make_due)


class EntryForm(LexiconForm):
    """An entry, checked as on the lexicon's page; of a known one all but the word."""

    def clean(self) -> dict[str, Any]:
        if self.instance.pk is not None:
            self.cleaned_data["word"] = self.instance.word
        return super().clean()


@admin.register(LexiconEntry)
class LexiconEntryAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    """Writes as the lexicon page does: with history, and a job that tags old texts again."""

    list_display = ("word", "tag", "lemma", "language_of_origin", "updated_at")
    list_filter = ("tag", "language_of_origin")
    search_fields = ("word", "lemma", "note")
    list_select_related = ("created_by",)
    form = EntryForm

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
        form: Any,
        change: bool,  # noqa: ARG002 (as above)
    ) -> None:
        save_entries([form.to_values()], request.user, timezone.now())
        obj.pk = LexiconEntry.objects.get(word__iexact=form.cleaned_data["word"]).pk

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


@admin.register(SketchGrammar)
class SketchGrammarAdmin(WrittenByProgram):
    list_display = ("language", "version", "note", "made_by", "made_at")
    list_select_related = ("made_by",)


@admin.register(Retagging)
class RetaggingAdmin(StageRows):
    list_display = ("title", "n_done", "n_texts", "n_failed", "created_at", "finished_at")
    list_filter = (WorkStateFilter,)
    actions = (try_again, make_due)


@admin.register(UseCount)
class UseCountAdmin(StageRows):
    list_display = ("__str__", "due_at", "attempts")
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


@admin.register(IgnoredWord)
class IgnoredWordAdmin(RemovedByService, WrittenByProgram):
    list_display = ("word", "ignored_by", "ignored_at")
    search_fields = ("word",)
    list_select_related = ("ignored_by",)

    def remove(self, request: HttpRequest, obj: Any) -> None:
        del request
        take_back(obj)


@admin.register(Subcorpus)
class SubcorpusAdmin(RemovedByService, WrittenByProgram):
    """What it is made of never changes: whether others see it may be changed here."""

    exclude = ("sets",)
    list_display = ("name", "owner", "filters", "is_shared", "created_at")
    list_filter = ("is_shared",)
    search_fields = ("name", "slug", "filters")
    list_select_related = ("owner",)
    editable = ("is_shared",)

    def save_model(self, request: HttpRequest, obj: Subcorpus, form: Any, change: bool) -> None:
        del request, form, change
        obj.save(update_fields=["is_shared"])

    def remove(self, request: HttpRequest, obj: Any) -> None:
        del request
        try:
            remove_subcorpus(obj)
        except SubcorpusInUseError as problem:
            raise RemovalRefusedError(f"“{obj}” stays: {problem}.") from problem


@admin.register(TextSet)
class TextSetAdmin(WrittenByProgram):
    """The texts of pinned and listed subcorpora; each goes with the last that names it."""

    list_display = ("digest", "n_texts")
    fields = ("digest", "n_texts")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[TextSet]:
        return super().get_queryset(request).defer("body")  # a megabyte each


class NeverChanged(RemovedByService, WrittenByProgram):
    """Word lists and macros: added as on their page, never changed, gone when nothing uses them."""

    new_form: type[WordListForm | MacroForm]

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        del obj
        return admin.ModelAdmin.has_add_permission(self, request)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return () if obj is None else super().get_readonly_fields(request, obj)

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        if obj is None:
            kwargs |= {"form": self.new_form, "fields": self.new_form.Meta.fields}
        return super().get_form(request, obj, change, **kwargs)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.new_form.Meta.fields if obj is None else super().get_fields(request, obj)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        del form, change
        keep_list(obj, request.user)

    def remove(self, request: HttpRequest, obj: Any) -> None:
        del request
        try:
            remove_list(obj)
        except ListInUseError as problem:
            raise RemovalRefusedError(f"“{obj}” stays: {problem}.") from problem


@admin.register(WordList)
class WordListAdmin(NeverChanged):
    list_display = ("name", "owner", "created_at")
    search_fields = ("name", "words")
    list_select_related = ("owner",)
    new_form = WordListForm


@admin.register(Macro)
class MacroAdmin(NeverChanged):
    list_display = ("name", "text", "owner", "created_at")
    search_fields = ("name", "text")
    list_select_related = ("owner",)
    new_form = MacroForm


@admin.register(SavedQuery)
class SavedQueryAdmin(RemovedByService, WrittenByProgram):
    list_display = ("__str__", "owner", "parameters", "n_hits", "generation", "created_at")
    search_fields = ("name", "short", "parameters")
    list_select_related = ("owner",)

    def remove(self, request: HttpRequest, obj: Any) -> None:
        del request
        obj.delete()


@admin.register(PastQuery)
class PastQueryAdmin(WrittenByProgram):
    list_display = ("owner", "view", "n_hits", "generation", "asked_at")
    list_select_related = ("owner",)
    # What somebody looks for and writes of it is for nobody else to read.
    exclude = ("digest", "parameters", "text", "choices", "name", "folder", "note")


@admin.register(LeavingText)
class LeavingTextAdmin(WrittenByProgram):
    list_display = ("kind", "key")


@admin.register(Marking)
class MarkingAdmin(RemovedByService, WrittenByProgram):
    list_display = ("name", "owner", "n_lines", "generation", "is_shared", "opened_at")
    search_fields = ("name", "parameters")
    list_select_related = ("owner",)

    def remove(self, request: HttpRequest, obj: Any) -> None:
        del request
        remove_marking(obj)


@admin.register(MarkedLine)
class MarkedLineAdmin(WrittenByProgram):
    list_display = ("marking", "number", "words", "kind", "key", "position")
    list_select_related = ("marking",)


@admin.register(Marker)
class MarkerAdmin(WrittenByProgram):
    list_display = ("name", "marking", "person")
    list_select_related = ("marking", "person")


@admin.register(LineMark)
class LineMarkAdmin(WrittenByProgram):
    list_display = ("line", "marker", "value", "note", "marked_at")
    list_select_related = ("line", "marker")
