"""Extractor settings, reference texts and evaluation runs in Django's admin."""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest
from django.utils import timezone

from extraction.extractors import choose_extractor
from extraction.html.algorithms.registry import ALGORITHMS
from extraction.models import (
    EvaluatedPage,
    EvaluationRun,
    ExtractorSetting,
    ReferenceText,
)
from feeds.admin import WrittenByProgram
from feeds.work_admin import WORK_FIELDS, WorkStateFilter, try_again
from presentation.wording.figures import counted


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
