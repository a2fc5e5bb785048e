"""Alarms in Django's admin."""

from django.contrib import admin

from corpus_site.alarms.models import Alarm, AlarmNote


class NoteInline(admin.TabularInline):  # type: ignore[type-arg] # generic in its stubs only
    model = AlarmNote
    extra = 0


@admin.register(Alarm)
class AlarmAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # as above
    list_display = ("subject", "kind", "opened_at", "closed_at", "snoozed_until", "taken_by")
    list_filter = ("kind",)
    search_fields = ("subject", "sentence")
    date_hierarchy = "opened_at"
    inlines = (NoteInline,)
