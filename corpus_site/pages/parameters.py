"""`/settings/parameters/`: limits and intervals, with what the sources say and who changed them."""

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from dedup.stories.parameters import STORIES
from feeds.acts import Act
from feeds.models import ParameterChange
from feeds.parameters import values
from feeds.parameters.crawling import CRAWLING
from feeds.parameters.parameter import Parameter, ParameterRefusedError

GROUPS = (("Crawling", CRAWLING), ("Stories", STORIES))
_BY_NAME = {parameter.name: parameter for _, group in GROUPS for parameter in group}
CHANGES_SHOWN = 50
REASON_CHARS = 300
_WRITTEN_DIGITS = 12  # more than any bound of a parameter has
_EDITORS = permission_required("feeds.view_publication", raise_exception=True)
_ADMINS = permission_required("feeds.add_parameterchange", raise_exception=True)


@dataclass(frozen=True, slots=True)
class Refused:
    """What an admin has typed and why it was not taken: each empty where nothing is wrong."""

    name: str
    typed: str
    reason: str
    wrong_value: str
    wrong_reason: str


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """A parameter with what holds now; `last` is the change that holds, if there is one."""

    parameter: Parameter
    value: float
    last: ParameterChange | None
    refused: Refused | None

    @property
    def decimals(self) -> int:
        return _decimals(self.parameter)

    @property
    def written(self) -> str:
        """The value as it is typed: all of its digits, no power of ten."""
        return f"{self.value:.{_WRITTEN_DIGITS}g}"

    @property
    def is_changed(self) -> bool:
        return self.last is not None and self.last.value is not None


@dataclass(frozen=True, slots=True)
class NamedChange:
    """A change with the name that people know its parameter by."""

    label: str
    decimals: int
    row: ParameterChange


@_EDITORS
@require_safe
def parameters(request: HttpRequest) -> HttpResponse:
    return _page(request)


@_ADMINS
@require_POST
def change(request: HttpRequest, name: str) -> HttpResponse:
    """Give a parameter another value, or that of the settings again; a reason is kept with it."""
    parameter = _BY_NAME.get(name)
    if parameter is None:
        raise Http404
    typed = request.POST.get("value", "")
    reason = request.POST.get("reason", "").strip()[:REASON_CHARS]
    wanted, wrong_value = None, ""
    try:
        wanted = None if "reset" in request.POST else parameter.read(typed)
    except ParameterRefusedError as refusal:
        wrong_value = str(refusal)
    wrong_reason = "" if reason else "Say why: it is kept with the change."
    if wrong_value or wrong_reason:
        return _page(request, Refused(name, typed, reason, wrong_value, wrong_reason))
    act = Act(request.user.pk, timezone.now(), reason)
    if values.change(parameter, wanted, act):
        messages.success(request, f"{parameter.label}: changed. It holds within some seconds.")
    else:
        messages.info(request, f"{parameter.label}: it is that already.")
    return redirect("parameters")


def _page(request: HttpRequest, refused: Refused | None = None) -> HttpResponse:
    values.read()
    changes = ParameterChange.objects.select_related("made_by")
    latest = {row.name: row for row in changes.filter(is_latest=True)}

    def row_of(one: Parameter) -> ParameterRow:
        own = refused if refused and refused.name == one.name else None
        return ParameterRow(one, values.value(one.name), latest.get(one.name), own)

    context = {
        "groups": [(title, [row_of(one) for one in group]) for title, group in GROUPS],
        "changes": [_named(row) for row in changes[:CHANGES_SHOWN]],
    }
    return render(request, "corpus_site/parameters.html", context, status=400 if refused else 200)


def _named(row: ParameterChange) -> NamedChange:
    known = _BY_NAME.get(row.name)
    return NamedChange(known.label if known else row.name, _decimals(known), row)


def _decimals(parameter: Parameter | None) -> int:
    return 0 if parameter is None or parameter.is_whole else 1
