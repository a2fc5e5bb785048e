"""Templates, sketches and structure alarms in Django's admin: to look at, not to change."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from extraction.models import SiteSketch, SiteTemplate, StructureAlarm
from feeds.admin import WrittenByProgram


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
