"""`/words/lists/`: word lists that queries name as `$name`, macros, and the forms to make them."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from presentation.wording.figures import counted
from search.asking.address import Address
from search.asking.word_lists import ListInUseError, keep_list, remove_list
from search.engine.query.language.macros import n_arguments
from search.engine.query.language.word_lists import is_phrase
from search.forms import MacroForm, WordListForm
from search.models import Macro, WordList
from search.views.concordance.query_tabs import WORD_TABS, tab_links

WORDS_SHOWN = 12
_LIST_FIELDS, _MACRO_FIELDS = "id_%s", "macro_%s"


@require_safe
def word_lists(request: HttpRequest) -> HttpResponse:
    form = WordListForm(initial={"words": request.GET.get("words", "")}, auto_id=_LIST_FIELDS)
    return _page(request, form, MacroForm(auto_id=_MACRO_FIELDS))


@require_http_methods(["GET", "POST"])
@permission_required("search.add_wordlist", raise_exception=True)
def add_list(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        # A refused list leaves this address in the browser.
        return redirect("word-lists")
    form = WordListForm(request.POST, auto_id=_LIST_FIELDS)
    if not form.is_valid():
        return _page(request, form, MacroForm(auto_id=_MACRO_FIELDS))
    row = form.save(commit=False)
    keep_list(row, request.user)
    messages.success(request, _found_by(row))
    return redirect("word-lists")


def _found_by(row: WordList) -> str:
    n_phrases = sum(map(is_phrase, row.members))
    words = counted(len(row.members) - n_phrases, "word")
    if n_phrases:
        found = f"{words} and {counted(n_phrases, 'phrase')}"
        return f"In CQL ${row.name}, or [lemma = ${row.name}] alone, finds any of {found}."
    return f"In CQL [lemma = ${row.name}] finds any of {words}."


@require_POST
@permission_required("search.delete_wordlist", raise_exception=True)
def remove(request: HttpRequest, list_id: int) -> HttpResponse:
    lists = WordList.objects.all()
    if not _may_remove_all(request):
        lists = lists.filter(owner=request.user.pk)
    return _removed(request, get_object_or_404(lists, pk=list_id))


@require_http_methods(["GET", "POST"])
@permission_required("search.add_macro", raise_exception=True)
def add_macro(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return redirect("word-lists")
    form = MacroForm(request.POST, auto_id=_MACRO_FIELDS)
    if not form.is_valid():
        return _page(request, WordListForm(auto_id=_LIST_FIELDS), form)
    row = form.save(commit=False)
    keep_list(row, request.user)
    messages.success(request, f"In CQL {_call(row)} stands for {row.text}")
    return redirect("word-lists")


@require_POST
@permission_required("search.delete_macro", raise_exception=True)
def remove_macro(request: HttpRequest, macro_id: int) -> HttpResponse:
    macros = Macro.objects.all()
    if not _may_remove_all(request):
        macros = macros.filter(owner=request.user.pk)
    return _removed(request, get_object_or_404(macros, pk=macro_id))


def _removed(request: HttpRequest, row: WordList | Macro) -> HttpResponse:
    kind = "list" if isinstance(row, WordList) else "macro"
    try:
        remove_list(row)
        messages.success(request, f"The {kind} “{row.name}” is gone.")
    except ListInUseError as error:
        names = ", ".join(f"“{query}”" for query in error.queries)
        messages.error(request, f"The {kind} “{row.name}” stays: {names} rests on it.")
    return redirect("word-lists")


def _call(row: Macro) -> str:
    """Return how a macro is written in a query."""
    arguments = ", ".join(f'"{chr(ord("a") + i)}"' for i in range(n_arguments(row.text)))
    return f"/{row.name}[{arguments}]"


def _may_remove_all(request: HttpRequest) -> bool:
    return bool(request.user.is_authenticated and request.user.is_admin)


def _row(request: HttpRequest, row: WordList) -> dict[str, Any]:
    return {
        "list": row,
        "n": len(row.members),
        "first": row.members[:WORDS_SHOWN],
        "address": _search_for(f"${row.name} %c"),
        "is_own": row.owner_id == request.user.pk or _may_remove_all(request),
    }


def _search_for(query: str) -> str:
    return Address.of({"q": [query], "ql": ["cql"]}).at(reverse("search"))


def _page(request: HttpRequest, form: WordListForm, macro_form: MacroForm) -> HttpResponse:
    context = {
        "form": form,
        "macro_form": macro_form,
        "macros": [
            {
                "macro": row,
                "call": _call(row),
                "address": _search_for(_call(row)),
                "is_own": row.owner_id == request.user.pk or _may_remove_all(request),
            }
            for row in Macro.objects.select_related("owner")
        ],
        "rows": [_row(request, row) for row in WordList.objects.select_related("owner")],
        "tabs": tab_links(Address(), "word-lists", WORD_TABS),
        "tabs_label": "Words",
    }
    status = 400 if form.errors or macro_form.errors else 200
    return render(request, "search/word_lists.html", context, status=status)
