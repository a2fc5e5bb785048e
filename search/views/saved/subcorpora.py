"""`/subcorpora/`: those a reader may use, one of them, and the forms to make them."""

from dataclasses import dataclass
from time import perf_counter

from django.contrib import messages
from django.contrib.auth.decorators import login_required, permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from presentation.wording.figures import counted, grouped
from search.answers.listed_addresses import FoundArticles, articles_listed
from search.asking.address import Address
from search.asking.controls import chips_of
from search.asking.definitions import Definition, Found, Joined, Listed, Operation, made_as
from search.asking.form import reader_of
from search.asking.subcorpora import (
    Named,
    SubcorpusInUseError,
    pin,
    remove_subcorpus,
    save_filters,
    save_found,
    save_joined,
    save_listed,
    share,
    size_of,
)
from search.asking.values import PublicationNames
from search.engine.index.selection import Base
from search.engine.query.errors import QueryError
from search.forms import (
    JoinSubcorporaForm,
    ListSubcorpusForm,
    PinSubcorpusForm,
    SaveQueryForm,
    SaveSubcorpusForm,
)
from search.models import Subcorpus
from search.views.saved.kept_queries import saved_page

PATIENCE_SECONDS = 0.5  # for the sizes of all that are listed
SHOWN_ADDRESSES = 20  # of those that are not known
_WORDS = {
    Operation.UNION: " or ",
    Operation.INTERSECTION: " and ",
    Operation.DIFFERENCE: " without ",
}


@dataclass(frozen=True, slots=True)
class SubcorpusRow:
    """A subcorpus as the list shows it; no size where counting would keep the reader waiting."""

    subcorpus: Subcorpus
    words: str
    is_own: bool
    size: Base | None
    problem: str = ""


@require_safe
def subcorpora(request: HttpRequest) -> HttpResponse:
    return _list_page(request, ListSubcorpusForm(), _join_form(request))


@require_safe
def subcorpus(request: HttpRequest, subcorpus_id: int) -> HttpResponse:
    return _one_page(request, subcorpus_id, PinSubcorpusForm())


@require_POST
@permission_required("search.add_subcorpus", raise_exception=True)
def add_subcorpus(request: HttpRequest) -> HttpResponse:
    """Keep what a search finds, or its filters alone."""
    form = SaveSubcorpusForm(request.POST)
    origin = Address.parse(request.POST.get("query", ""))
    if form.is_valid():
        values = form.cleaned_data
        named = _named(request, values)
        try:
            if values["what"] == form.TEXTS:
                row = save_found(named, origin, takes_comments=values["takes_comments"])
            else:
                row = save_filters(named, origin)
        except ValueError as error:
            form.add_error("name", str(error))
        else:
            return _saved(request, row)
    return saved_page(request, origin, SaveQueryForm(), form)


@require_POST
@permission_required("search.add_subcorpus", raise_exception=True)
def add_listed(request: HttpRequest) -> HttpResponse:
    """Keep the articles of a pasted list; addresses that are not known are named."""
    form = ListSubcorpusForm(request.POST)
    if form.is_valid():
        values = form.cleaned_data
        try:
            found = articles_listed(values["addresses"], request.build_absolute_uri("/")[:-1])
            row = save_listed(
                _named(request, values), found.keys, takes_comments=values["takes_comments"]
            )
        except ValueError as error:
            form.add_error(None, str(error))
        else:
            _say_missing(request, found)
            return _saved(request, row)
    return _list_page(request, form, _join_form(request))


@require_POST
@permission_required("search.add_subcorpus", raise_exception=True)
def join_subcorpora(request: HttpRequest) -> HttpResponse:
    """Keep the union, intersection or difference of others."""
    form = JoinSubcorporaForm(reader_of(request).subcorpora, request.POST)
    if form.is_valid():
        values = form.cleaned_data
        first = values["first"]
        others = [row for row in values["others"] if row.pk != first.pk]
        try:
            operation = Operation(values["operation"])
            row = save_joined(_named(request, values), operation, [first, *others])
        except ValueError as error:
            form.add_error(None, str(error))
        else:
            return _saved(request, row)
    return _list_page(request, ListSubcorpusForm(), form)


@require_POST
@permission_required("search.add_subcorpus", raise_exception=True)
def pin_subcorpus(request: HttpRequest, subcorpus_id: int) -> HttpResponse:
    """Keep the texts that a subcorpus has now under another name."""
    row = get_object_or_404(reader_of(request).subcorpora, pk=subcorpus_id)
    form = PinSubcorpusForm(request.POST)
    if form.is_valid():
        try:
            pinned = pin(row, Named(form.cleaned_data["name"], request.user))
        except ValueError as error:
            form.add_error("name", str(error))
        else:
            return _saved(request, pinned)
    return _one_page(request, subcorpus_id, form)


@require_POST
@login_required
def share_subcorpus(request: HttpRequest, subcorpus_id: int) -> HttpResponse:
    """Let everybody here use it, or nobody else any more."""
    row = get_object_or_404(Subcorpus, pk=subcorpus_id, owner=request.user)
    share(row, is_shared=bool(request.POST.get("is_shared")))
    who = "Everybody here may use" if row.is_shared else "Nobody else may use"
    messages.success(request, f"{who} “{row.name}”.")
    return redirect("subcorpus", row.pk)


@require_POST
@login_required
def remove_sub(request: HttpRequest, subcorpus_id: int) -> HttpResponse:
    row = get_object_or_404(Subcorpus, pk=subcorpus_id, owner=request.user)
    try:
        remove_subcorpus(row)
    except SubcorpusInUseError as error:
        names = ", ".join(f"“{query}”" for query in error.queries)
        messages.error(request, f"“{row.name}” stays: these saved queries use it: {names}.")
    else:
        messages.success(request, f"The subcorpus “{row.name}” is removed.")
    return redirect("subcorpora")


def words_of(definition: Definition, publications: PublicationNames) -> str:
    """Say what a subcorpus is made of: `texts with “rain” (Publication Karoo Courier)`."""
    match definition:
        case Found(address, takes_comments, within):
            query = address.get("q")
            chips = ", ".join(
                f"{chip.name} {chip.value}" for chip in chips_of(address, publications)
            )
            quoted = query if '"' in query else f"“{query}”"
            words = f"texts with {quoted}" if query else "texts by filters"
            if address.get("in") != "articles":
                words = f"{words}, {address.get('in').replace('both', 'all texts')}"
            words += f" ({chips})" if chips else ""
            words += f", in “{within.name}”" if within else ""
        case Listed(_, takes_comments):
            words = "articles of a list of addresses"
        case Joined(operation, members):
            return _WORDS[operation].join(f"“{member.name}”" for member in members)
    return f"{words}, with the comments on them" if takes_comments else words


def _join_form(request: HttpRequest) -> JoinSubcorporaForm:
    return JoinSubcorporaForm(reader_of(request).subcorpora)


def _named(request: HttpRequest, values: dict[str, object]) -> Named:
    return Named(
        str(values["name"]),
        request.user,
        is_shared=bool(values["is_shared"]),
        is_pinned=bool(values["is_pinned"]),
    )


def _saved(request: HttpRequest, row: Subcorpus) -> HttpResponse:
    messages.success(request, f"The subcorpus “{row.name}” is saved.")
    return redirect("subcorpus", row.pk)


def _say_missing(request: HttpRequest, found: FoundArticles) -> None:
    for addresses, what in (
        (found.unknown, "not known here"),
        (found.left_out, "not in the corpus"),
    ):
        if addresses:
            names = ", ".join(addresses[:SHOWN_ADDRESSES])
            more = len(addresses) - SHOWN_ADDRESSES
            names += f" and {grouped(more)} more" if more > 0 else ""
            number = counted(len(addresses), "address", "addresses")
            messages.warning(request, f"Left out, {what}: {number}. {names}")


def _list_page(
    request: HttpRequest, list_form: ListSubcorpusForm, join_form: JoinSubcorporaForm
) -> HttpResponse:
    reader = reader_of(request)
    deadline = perf_counter() + PATIENCE_SECONDS
    rows = [
        _row(request, row, reader.publications, is_counted=perf_counter() < deadline)
        for row in reader.subcorpora
    ]
    context = {"rows": rows, "list_form": list_form, "join_form": join_form}
    status = 400 if list_form.errors or join_form.errors else 200
    return render(request, "search/subcorpora.html", context, status=status)


def _one_page(request: HttpRequest, subcorpus_id: int, form: PinSubcorpusForm) -> HttpResponse:
    reader = reader_of(request)
    row = get_object_or_404(reader.subcorpora, pk=subcorpus_id)
    context = {"row": _row(request, row, reader.publications), "pin_form": form}
    return render(request, "search/subcorpus.html", context, status=400 if form.errors else 200)


def _row(
    request: HttpRequest, row: Subcorpus, publications: PublicationNames, *, is_counted: bool = True
) -> SubcorpusRow:
    words, is_own = words_of(made_as(row), publications), row.owner_id == request.user.pk
    if not is_counted:
        return SubcorpusRow(row, words, is_own, None)
    try:
        return SubcorpusRow(row, words, is_own, size_of(row))
    except QueryError as error:
        return SubcorpusRow(row, words, is_own, None, error.message)
