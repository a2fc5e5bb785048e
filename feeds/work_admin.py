"""What the admin pages of all stages' rows share: filter by state, second chance, the next turn."""

from typing import Any, TypeVar, cast

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from feeds.models import Work, WorkQuerySet
from feeds.table_admin import WrittenByProgram
from feeds.work.leases import release_quarantine
from presentation.wording.figures import counted

W = TypeVar("W", bound=Work)

WORK_FIELDS = (
    "due_at",
    "attempts",
    "n_claims",
    "lease_owner",
    "lease_until",
    "quarantined_at",
    "last_error",
)


class StageRows(WrittenByProgram):
    """Rows of a stage: when they are due may be said, by the one way that reaches a held row."""

    editable = ("due_at",)
    readonly_fields = WORK_FIELDS[1:]

    def save_model(self, request: HttpRequest, obj: Model, form: Any, change: bool) -> None:
        del request, change
        if "due_at" in form.changed_data:
            row = cast("WorkQuerySet[Work]", type(obj)._default_manager.filter(pk=obj.pk))
            row.reschedule(form.cleaned_data["due_at"])


class WorkStateFilter(admin.SimpleListFilter):
    """Due, planned, in work, done, put aside."""

    title = "state of the work"
    parameter_name = "work"

    def lookups(
        self, request: HttpRequest, model_admin: "admin.ModelAdmin[Work]"
    ) -> list[tuple[str, str]]:
        del request, model_admin
        return [
            ("due", "Due now"),
            ("planned", "Planned"),
            ("running", "In work"),
            ("done", "Done"),
            ("quarantined", "Put aside"),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[W]) -> QuerySet[W]:
        del request
        now = timezone.now()
        chosen = {
            "due": queryset.filter(due_at__lte=now, quarantined_at=None),
            "planned": queryset.filter(due_at__gt=now, quarantined_at=None),
            "running": queryset.filter(lease_until__gt=now),
            "done": queryset.filter(due_at=None, quarantined_at=None),
            "quarantined": queryset.filter(quarantined_at__isnull=False),
        }
        return chosen.get(self.value() or "", queryset)


@admin.action(description="Try again (release from quarantine)")
def try_again(
    model_admin: "admin.ModelAdmin[Work]", request: HttpRequest, queryset: QuerySet[Work]
) -> None:
    n = release_quarantine(_rows(queryset), timezone.now())
    model_admin.message_user(
        request, f"{counted(n, 'row is', 'rows are')} due again.", messages.SUCCESS
    )


@admin.action(description="Make due now")
def make_due(
    model_admin: "admin.ModelAdmin[Work]", request: HttpRequest, queryset: QuerySet[Work]
) -> None:
    """Make rows due; one in somebody's hands is due again when it is given back."""
    n = _rows(queryset).filter(quarantined_at=None).reschedule(timezone.now(), attempts=0)
    model_admin.message_user(
        request, f"{counted(n, 'row is', 'rows are')} due now.", messages.SUCCESS
    )


def _rows(chosen: QuerySet[Work]) -> WorkQuerySet[Work]:
    """Say what the admin's rows are: it takes them from their model's own manager."""
    return cast("WorkQuerySet[Work]", chosen)
