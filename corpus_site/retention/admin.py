"""Retention in Django's admin: decided on its own page, and only read here."""

from django.contrib import admin

from corpus_site.retention.models import DiskDay, RetentionChange, RetentionPass
from feeds.table_admin import WrittenByProgram


@admin.register(RetentionChange)
class RetentionChangeAdmin(WrittenByProgram):
    list_display = ("kind", "days", "made_at", "made_by")
    list_filter = ("kind",)


@admin.register(RetentionPass)
class RetentionPassAdmin(WrittenByProgram):
    list_display = ("kind", "days", "is_dry", "asked_at", "n_looked", "n_found", "finished_at")
    list_filter = ("kind", "is_dry")


@admin.register(DiskDay)
class DiskDayAdmin(WrittenByProgram):
    list_display = ("machine", "day", "used_bytes", "free_bytes")
    list_filter = ("machine",)
    date_hierarchy = "day"
