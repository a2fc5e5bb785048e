"""What the admin pages of our tables share: rows to look at, lists that count no million rows.

A table of the program's own is shown whole and changed nowhere. What may be changed or taken out
all the same is named by the page of its table, which hands it to the service that writes it.
"""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from propcache.api import cached_property

# Rows that a list is cut into pages of; further ones are found by searching and filtering. Counting
# a million rows takes PostgreSQL 0.1 s with an index, and each search of them seconds.
MOST_LISTED = 10_000


class BoundedPaginator(Paginator):  # type: ignore[type-arg] # generic in its stubs only
    """Pages of the first rows of a list, of which no more are counted."""

    @cached_property
    def count(self) -> int:
        rows = self.object_list
        if isinstance(rows, QuerySet):
            return rows.order_by()[:MOST_LISTED].count()
        return len(rows)


class WrittenByProgram(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    """Rows that only the program makes: they may be looked at, not invented, changed or deleted.

    A subclass that names fields in `editable` writes them in its own `save_model`, through the
    service of their table: saving a row as it was shown would undo what workers did meanwhile.
    """

    show_full_result_count = False
    paginator = BoundedPaginator
    editable: ClassVar[tuple[str, ...]] = ()

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        del request, obj
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Permit changes of the table, for its actions, and of a row if it has open fields."""
        may = super().has_change_permission(request, obj)
        return may and (obj is None or bool(self.editable))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        del request, obj
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        shut = super().get_readonly_fields(request, obj)
        left_out = {*(self.exclude or ()), *self.editable, *shut}
        names = (field.name for field in self.model._meta.fields if field.editable)
        own = (name for name in names if name != self.model._meta.pk.name)
        return (*(name for name in own if name not in left_out), *shut)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Refuse to write: no row of this table is changed here."""
        raise NotImplementedError(f"{type(self).__name__} names no service that writes")


class RemovalRefusedError(Exception):
    """Raised by `RemovedByService.remove`; the page shows the sentence, and nothing is removed."""


class RemovedByService(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    """Rows that go by the service of their table: one, or all that were chosen, or none."""

    def remove(self, request: HttpRequest, obj: Any) -> None:
        """Take one row out; RemovalRefusedError with a sentence where it must stay."""
        raise NotImplementedError(f"{type(self).__name__} names no service that removes")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self.remove(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for obj in queryset:
            self.remove(request, obj)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, extra_context)
        except RemovalRefusedError as refusal:
            self.message_user(request, str(refusal), messages.ERROR)
            return HttpResponseRedirect(reverse(self._list_address()))

    def response_action(
        self, request: HttpRequest, queryset: QuerySet[Any], *where: Any
    ) -> HttpResponse | None:
        try:
            with transaction.atomic():
                return super().response_action(request, queryset, *where)
        except RemovalRefusedError as refusal:
            self.message_user(request, str(refusal), messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())

    def _list_address(self) -> str:
        names = self.model._meta
        return f"admin:{names.app_label}_{names.model_name}_changelist"


def values_filter(field: str, values: Iterable[tuple[str, str]]) -> type[admin.SimpleListFilter]:
    """Make a filter by the known values of a column: to look them up every row would be read."""
    choices = list(values)

    class ValuesFilter(admin.SimpleListFilter):
        title = field.replace("_", " ")
        parameter_name = field

        def lookups(
            self, request: HttpRequest, model_admin: "admin.ModelAdmin[Any]"
        ) -> list[tuple[str, str]]:
            del request, model_admin
            return choices

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            del request
            value = self.value()
            return queryset if value is None else queryset.filter(**{field: value})

    return ValuesFilter
