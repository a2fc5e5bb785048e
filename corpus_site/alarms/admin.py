"""Alarms in Django's admin: they are put to sleep, and notes written, on their own page."""

from django.contrib import admin

from corpus_site.alarms.models import Alarm, AlarmNote
from feeds.table_admin import WrittenByProgram


class NoteInline(admin.TabularInline):  # type: ignore[type-arg] # generic in its stubs only
    model = AlarmNote
    extra = 0
    can_delete = False

    def has_add_permission(self, *_: object) -> bool:
        return False

    def has_change_permission(self, *_: object) -> bool:
        return False


@admin.register(Alarm)
class AlarmAdmin(WrittenByProgram):
    list_display = ("subject", "kind", "opened_at", "closed_at", "snoozed_until", "taken_by")
    list_filter = ("kind",)
    search_fields = ("subject", "sentence")
    date_hierarchy = "opened_at"
    inlines = (NoteInline,)
