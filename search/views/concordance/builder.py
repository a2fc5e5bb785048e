"""`/search/builder/`: a query drawn as cards, the CQL it makes, its hits; and CQL drawn as cards.

Everything is in the address: either a query (``q``), or the fields of the drawing in the order of
the form. Each button sends the form with a change it asks for. Nothing is kept and nothing needs
script; with it, the same page is asked for as one types.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from search.answers.answering import selection_of
from search.answers.builder_lists import class_rows, pattern_rows, tag_sets
from search.answers.searching import SearchPage, search
from search.asking.address import Address
from search.asking.controls import Controls, chips, control_errors, mark_error
from search.asking.form import QueryForm, form_of
from search.asking.parameters import DEFAULTS, FILTERS, OF_HITS
from search.asking.request import request_of, texts_of
from search.asking.written_query import WrittenQuery
from search.engine.drawing.changes import Changed, change, use
from search.engine.drawing.drawing import Drawing, asks_nothing, values_with_spaces
from search.engine.drawing.fields import PREFIX, Mistake, read_fields
from search.engine.drawing.reading import read
from search.engine.drawing.writing import write
from search.engine.query.errors import QueryError
from search.engine.query.language.parser import Language
from search.views.concordance.drawn_parts import (
    BLANK_DRAWING,
    DrawingView,
    key_of,
    mistake_name,
    options,
)
from search.views.concordance.going_on import PAGE_SECONDS
from search.views.concordance.query_tabs import tab_links

_FEW_LINES = {"n": "3", "sort": "", "sample": "", "ctx": ""}  # shown below the hits
_QUERY = frozenset({"q", "ql", "case"})
# Of the search that one came from, without a control here.
_CARRIED = frozenset(DEFAULTS) - _QUERY - {*FILTERS, *OF_HITS, "after", "hit"}
_SEARCH = "search"
_OWN = frozenset({"do", "use", "at", "only_answer"})  # fields of the page that are not its state


@dataclass(frozen=True, slots=True)
class _Given:
    """What an address draws: a drawing, what is wrong with its fields, or with its query."""

    drawing: Drawing
    mistakes: tuple[Mistake, ...] = ()
    focus: str = ""
    error: QueryError | None = None


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a drawing makes: CQL, its hits, or sentences on why there are none yet."""

    cql: str = ""
    page: SearchPage | None = None
    mistakes: tuple[Mistake, ...] = ()
    hint: str = ""


@require_safe
def builder(request: HttpRequest) -> HttpResponse:
    form = form_of(request)
    form.unknown = [name for name in form.unknown if not _is_ours(name)]
    given = _given(request, form)
    answer = _answer(form, given)
    address = form.address.change(q=answer.cql, ql="cql", case="")
    if request.GET.get("do") == _SEARCH and answer.cql and not answer.mistakes:
        return redirect(address.at(reverse("search")))
    context = _context(form, given, answer, address)
    if "only_answer" not in request.GET:
        context |= _lists(form)
    return render(request, "search/builder.html", context)


def _is_ours(name: str) -> bool:
    return name in _OWN or name.startswith(PREFIX)


def _given(request: HttpRequest, form: QueryForm) -> _Given:
    """Read the drawing that the address gives, and change it as a button asks."""
    pairs = parse_qsl(request.META["QUERY_STRING"], keep_blank_values=True)
    if not any(name.startswith(PREFIX) for name, _ in pairs):
        return _drawn_from_query(form)
    drawing, mistakes = read_fields(pairs)
    asked = request.GET
    if "use" in asked:
        changed = use(drawing, asked["use"], asked.get("at", ""))
    elif "do" in asked:
        changed = change(drawing, asked["do"])
    else:
        changed = Changed(drawing)
    if changed.drawing != drawing:  # paths of mistakes may have moved; what was wrong is left out
        mistakes = ()
    return _Given(changed.drawing, mistakes, changed.path)


def _drawn_from_query(form: QueryForm) -> _Given:
    if not form.has_query:
        return _Given(BLANK_DRAWING, focus="m.0")
    try:
        return _Given(read(form.written.parse()))
    except QueryError as error:
        return _Given(BLANK_DRAWING, error=error)


def _answer(form: QueryForm, given: _Given) -> _Answer:
    """Write the CQL and run it, as far as nothing is wrong."""
    if given.error is not None:
        return _Answer()
    if given.mistakes:
        return _Answer(mistakes=given.mistakes)
    drawn = write(given.drawing)
    if not drawn.cql or asks_nothing(given.drawing.parts):
        return _Answer(hint="Say in a card what to look for; the CQL and its hits will stand here.")
    try:
        WrittenQuery(drawn.cql, Language.CQL).parse()
        page = None
        if form.can_run:
            found = form.address.change(q=drawn.cql, ql="cql", case="", **_FEW_LINES)
            asked = request_of(form.like(found))
            page = search(asked, with_facets=False, patience=PAGE_SECONDS)
    except QueryError as error:
        mistake = Mistake(drawn.path_at(error.position), _sentence(error))
        return _Answer(drawn.cql, mistakes=(mistake,))
    spaced = values_with_spaces(given.drawing.parts) if page and not page.total else ()
    hint = f"A token has no spaces: make a card of each word of “{spaced[0]}”." if spaced else ""
    return _Answer(drawn.cql, page, hint=hint)


def _sentence(error: QueryError) -> str:
    expected = f" Expected: {', '.join(error.expected)}." if error.expected else ""
    return f"{error.message}{expected}"


def _context(form: QueryForm, given: _Given, answer: _Answer, address: Address) -> dict[str, Any]:
    view = DrawingView(given.drawing, answer.mistakes, given.focus)
    error = given.error
    return {
        "form": form,
        "controls": Controls(form),
        "chips": chips(form),
        "errors": control_errors(form),
        "view": view,
        "drawing": given.drawing,
        "options": options(),
        "answer": answer,
        "mistakes": [(mistake_name(m.path), key_of(m.path), m.words) for m in answer.mistakes],
        "undrawn": given.drawing.undrawn,
        "base_words": form.base_words,
        "hits_address": address.at(reverse("search")),
        "kept_pairs": [pair for pair in form.address.pairs if pair[0] not in _QUERY],
        "carried_pairs": [pair for pair in form.address.pairs if pair[0] in _CARRIED],
        "query_error": mark_error(form.address.get("q"), error) if error else None,
        "suggestion": _suggestion(form, error),
        "tabs": tab_links(address if answer.cql else form.address, ""),
    }


def _suggestion(form: QueryForm, error: QueryError | None) -> tuple[str, str] | None:
    if error is None or not error.suggestion:
        return None
    return error.suggestion, form.address.change(q=error.suggestion).at(reverse("builder"))


def _lists(form: QueryForm) -> dict[str, Any]:
    """Return tags, classes and regular expressions with their hits in the texts of the form."""
    if not form.can_run:
        return {}
    asked = form.like(form.address.without("q"))
    try:
        selection = selection_of(texts_of(asked))
    except QueryError:  # a subcorpus that cannot be worked out; the form says so
        return {}
    return {
        "tag_sets": tag_sets(selection),
        "class_rows": class_rows(selection),
        "pattern_rows": tuple(pattern_rows(selection)),
    }
