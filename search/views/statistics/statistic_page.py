"""What all statistic pages share: query form, tabs, own parameters, base, errors, export.

A page is a `StatisticSpec` and a function from `StatisticPage` to `Shown`; `respond` does the
rest:

    SPEC = StatisticSpec("frequency", "Frequency", (OneOf("by", "By", BY),))

    @require_safe
    def frequency(request: HttpRequest) -> HttpResponse:
        return respond(request, SPEC, _answer)

Wrong values anywhere stop the page with status 400 and the sentence; `?export=csv|xlsx|json`
answers the page's own tables as a file.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote_plus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from propcache.api import cached_property

from search.answers.answering import hits_of, selection_of
from search.asking.address import UNQUOTED, Address
from search.asking.controls import Chip, ControlError, Controls, chips, control_errors, mark_error
from search.asking.form import QueryForm, form_of, whole_from
from search.asking.history import Asked, remember
from search.asking.parameters import DEFAULTS
from search.asking.request import SearchRequest, Texts, request_of, texts_of
from search.asking.values import Given, Parameter, Switch, WrongValueError, read_parameter
from search.engine.index.hits import Hits
from search.engine.index.reader import Snapshot
from search.engine.index.selection import Selection
from search.engine.query.errors import QueryError
from search.engine.statistics.slices import OF_TOKENS
from search.engine.tables.result_table import ResultTable
from search.engine.tables.table_exports import TableFile, TableFormat, write_tables
from search.opened_index import current_snapshot, is_missing
from search.views.concordance.going_on import WHOLE, GoingOn, hits_going_on
from search.views.concordance.query_tabs import QUERY_TABS, WORD_TABS, kept_part, tab_links

LICENCE = "Counts may be quoted freely with the address above."
FILE_ROWS = 100_000  # of a list in a file; a workbook of so many takes about ten seconds
_EXPORT = "export"
_TABLE = "table"  # which one, of data alone
_MARK = "only-this-slice"
_LAST = "asof"  # stands behind a page's own parameters


@dataclass(frozen=True, slots=True)
class StatisticSpec:
    """What a page is.

    Parameters
    ----------
    name : str
        Its name in ``search/urls.py``, which is also its tab.
    title : str
        Its heading and the title of its window.
    parameters : tuple of Parameter
        Its own ones, in the order of their controls.
    template : str
        Extends ``search/statistic.html``.
    needs_query : bool
        Whether there is nothing to show without ``q``.
    shows_zero : bool
        Whether the page itself answers a query without hits.
    is_about_words : bool
        Whether it stands among the pages about words instead of the views of a query.
    args : tuple of str
        What its path holds, for pages about one thing each.
    rows : str
        Name of the parameter that says how many rows a list shows; a file holds all of them, up
        to `FILE_ROWS`. Empty where a file holds what the page shows.
    placed : tuple of str
        Names of parameters whose controls the template puts elsewhere.
    says : mapping
        Names of parameters that a list of past queries says in words of the page: from the page
        and the text in its address.
    always : function or None
        From the page to what its template needs in every state, that of an error included.
    """

    name: str
    title: str
    parameters: tuple[Parameter, ...] = ()
    template: str = "search/statistic.html"
    needs_query: bool = True
    shows_zero: bool = False
    is_about_words: bool = False
    args: tuple[str, ...] = ()
    rows: str = ""
    placed: tuple[str, ...] = ()
    says: "Mapping[str, Callable[[StatisticPage, str], str]]" = field(default_factory=dict)
    always: "Callable[[StatisticPage], Mapping[str, Any]] | None" = None


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows: tables, figures above them, and what its own template needs.

    ``about`` are further pairs of name and value for the first rows of an export.
    """

    tables: tuple[ResultTable, ...] = ()
    context: Mapping[str, Any] = field(default_factory=dict)
    about: tuple[tuple[str, str], ...] = ()


class StatisticPage:
    """A request to a statistic page: checked parameters, the hits and their base, addresses."""

    def __init__(self, request: HttpRequest, spec: StatisticSpec) -> None:
        self.request = request
        self.spec = spec
        self.form = form_of(request)
        own = {parameter.name for parameter in spec.parameters}
        self.given = tuple(
            read_parameter(p, request.GET.get(p.name), self.form.reader) for p in spec.parameters
        )
        self.values = {given.parameter.name: given.value for given in self.given}
        self.is_file = _EXPORT in request.GET  # or an answer of the API: values without links
        if spec.rows and self.is_file:
            self.values[spec.rows] = FILE_ROWS
        self.kept = Address(tuple(p for p in kept_part(self.form.address).pairs if p[0] not in own))
        not_own = {_EXPORT, _TABLE, WHOLE}
        self.form.unknown = sorted(set(request.GET) - set(DEFAULTS) - own - not_own)

    @cached_property
    def kept_form(self) -> QueryForm:
        """The form without what only a concordance reads."""
        return self.form.like(self.kept)

    @cached_property
    def wanted(self) -> SearchRequest:
        """The query and its filters; raises QueryError, which `respond` shows."""
        return request_of(self.kept_form)

    @cached_property
    def texts(self) -> Texts:
        """The filters alone."""
        return texts_of(self.kept_form)

    @cached_property
    def snapshot(self) -> Snapshot:
        """What hits and selection are both of, whatever comes in meanwhile."""
        return current_snapshot()

    @cached_property
    def hits(self) -> Hits:
        """The hits of the query; raises QueryError, which `respond` shows."""
        return hits_of(self.wanted, self.snapshot)

    @cached_property
    def selection(self) -> Selection:
        """The documents that the filters let through, without the query.

        Raises
        ------
        WrongValueError
            If the hits are narrowed to parts of texts, which are no set of documents.
        """
        if any(one.column in OF_TOKENS for one in self.texts.slices):
            raise WrongValueError("only", "Parts of texts are no base for this view.")
        return selection_of(self.texts, self.snapshot)

    @property
    def base_words(self) -> str:
        """Which texts the numbers rest on."""
        return self.form.base_words

    @property
    def errors(self) -> list[ControlError]:
        """What is wrong with the values of the address that this page reads."""
        return control_errors(self.kept_form, self.given)

    @property
    def choices(self) -> str:
        """What its own parameters are set to, in words; defaults are left out."""
        chosen = [one for one in self.given if one.text and not one.is_default]
        return ", ".join(
            one.parameter.label
            if isinstance(one.parameter, Switch)
            else f"{one.parameter.label} {self._words_of(one)}"
            for one in chosen
        )

    def _words_of(self, given: Given) -> str:
        says = self.spec.says.get(given.parameter.name)
        if says is not None:
            return says(self, given.text)
        return given.parameter.chip_words(given.text, self.form.reader.publications)

    @property
    def with_fewer(self) -> tuple[int, str] | None:
        """Give half of the least hits of a row, and the page with these; None where one is enough.

        For a list without a row: what a small corpus has stands below a least that suits a large.
        """
        least: int = self.values.get("min") or 1
        return (least // 2, self.at(min=least // 2)) if least > 1 else None

    def at(self, **changes: str | int | Sequence[str]) -> str:
        """Address of this page with some parameters changed, its own or the query's."""
        own = {given.parameter.name: given.text for given in self.given}
        of_query = {k: _texts(v) for k, v in changes.items() if k.rstrip("_") in self._of_query}
        own |= {k: str(v) for k, v in changes.items() if k not in of_query}
        kept = kept_part(self.kept.change(**of_query)).pairs
        pairs = [pair for pair in kept if pair[0] != _LAST]
        pairs += [(name, text) for name, text in own.items() if not self._is_default(name, text)]
        pairs += [pair for pair in kept if pair[0] == _LAST]
        return Address(tuple(pairs)).at(reverse(self.spec.name, args=self.spec.args))

    def hits_at(self, **changes: str | int | Sequence[str]) -> str:
        """Address of the concordance of this query with some parameters changed."""
        return self.kept.change(**{k: _texts(v) for k, v in changes.items()}).at(reverse("search"))

    def hits_in(self, *slices: str, **changes: str | int | Sequence[str]) -> str:
        """Address of the concordance of the hits in some slices of the corpus (`only`)."""
        return self.hits_at(only=[*self.kept.values("only"), *slices], **changes)

    def slice_addresses(
        self, *slices: str, **changes: str | int | Sequence[str]
    ) -> Callable[[str], str]:
        """Make addresses as `hits_in` with one more slice, for tables of many rows."""
        address = self.hits_in(*slices, _MARK, **changes)
        before, _, after = address.partition(_MARK)
        return lambda text: f"{before}{quote_plus(text, safe=UNQUOTED)}{after}"

    @property
    def _of_query(self) -> set[str]:
        return set(DEFAULTS) - {given.parameter.name for given in self.given}

    def _is_default(self, name: str, text: str) -> bool:
        return any(g.parameter.name == name and g.parameter.default == text for g in self.given)

    @property
    def chips(self) -> list[Chip]:
        """Filters in force; taking one away stays on this page."""
        return [
            Chip(chip.name, chip.value, self._here(Address.parse(chip.without.partition("?")[2])))
            for chip in chips(self.form)
        ]

    def _here(self, address: Address) -> str:
        return self.at(**{name: address.values(name) for name in self._of_query})


def respond(
    request: HttpRequest, spec: StatisticSpec, answer: Callable[[StatisticPage], Shown]
) -> HttpResponse:
    """Answer a request to a statistic page."""
    page = StatisticPage(request, spec)
    errors = page.errors + _export_errors(request)
    if errors:
        return _render(page, {"errors": errors}, 400)
    if spec.needs_query and not page.form.has_query:
        return _render(page, {})
    try:
        return _answered(page, answer)
    except QueryError as error:
        return _render(page, _query_error(page, error), 400)
    except WrongValueError as error:
        return _render(page, {"errors": [_parameter_error(page, error)]}, 400)


def _answered(page: StatisticPage, answer: Callable[[StatisticPage], Shown]) -> HttpResponse:
    going_on = _going_on(page)
    if going_on is not None:
        return _render(page, {"going_on": going_on})
    shown = _shown(page, answer)
    if page.is_file:
        return _file(page, shown, TableFormat(page.request.GET[_EXPORT]))
    context = _context_of(page, shown)
    if page.request.user.is_authenticated and not context["is_missing"]:
        _remember(page, context["generation"])
    return _render(page, context)


def _remember(page: StatisticPage, generation: int) -> None:
    """Keep what was asked for whoever asked; a page as it begins is no question."""
    parameters = page.at().partition("?")[2]
    if parameters and not page.spec.args:
        n_hits = page.hits.total if page.spec.needs_query else None
        query = page.kept.get("q")
        asked = Asked(
            page.spec.name, parameters, parameters, query, page.choices, n_hits, generation
        )
        remember(page.request.user, asked, timezone.now())


def _going_on(page: StatisticPage) -> GoingOn | None:
    """Search for the hits no longer than a page may; a file waits for all of them."""
    if not page.spec.needs_query or {_EXPORT, WHOLE} & set(page.request.GET):
        return None
    return hits_going_on(page.request, page.wanted, page.spec.name)


def _export_errors(request: HttpRequest) -> list[ControlError]:
    text = request.GET.get(_EXPORT)
    if text is None or text in list(TableFormat):
        return []
    kinds = ", ".join(TableFormat)
    return [ControlError("Export", f"“{text[:40]}” is no kind of file: {kinds}.", "")]


def _parameter_error(page: StatisticPage, error: WrongValueError) -> ControlError:
    labels = {given.parameter.name: given.parameter.label for given in page.given}
    return ControlError(labels.get(error.name, error.name), error.message, "")


def _shown(page: StatisticPage, answer: Callable[[StatisticPage], Shown]) -> Shown:
    spec = page.spec
    is_empty = spec.needs_query and not spec.shows_zero and not page.hits.total
    return Shown() if is_empty else answer(page)


def _render(page: StatisticPage, context: Mapping[str, Any], status: int = 200) -> HttpResponse:
    tabs = WORD_TABS if page.spec.is_about_words else QUERY_TABS
    shared = {
        "page": page,
        "spec": page.spec,
        "form": page.form,
        "controls": Controls(page.form),
        "chips": page.chips,
        "errors": [],
        "canonical": page.at(),
        "query_action": reverse(page.spec.name, args=page.spec.args),
        "query_title": page.spec.title,
        "tabs": tab_links(page.kept, page.spec.name, tabs),
    }
    shared |= page.spec.always(page) if page.spec.always else {}
    return render(page.request, page.spec.template, shared | dict(context), status=status)


def _query_error(page: StatisticPage, error: QueryError) -> dict[str, Any]:
    context: dict[str, Any] = {"query_error": mark_error(page.form.address.get("q"), error)}
    if error.suggestion:
        context["suggestion"] = (error.suggestion, page.at(q=error.suggestion))
    return context


def _context_of(page: StatisticPage, shown: Shown) -> dict[str, Any]:
    snapshot = current_snapshot()
    base, generation = _base(page)
    return {
        "has_answer": True,
        "hits": page.hits if page.spec.needs_query else None,
        "is_empty": not snapshot.segments,
        "is_missing": is_missing(snapshot),
        "no_hits": page.spec.needs_query and not page.spec.shows_zero and not page.hits.total,
        "base": base,
        "base_words": page.base_words,
        "generation": generation,
        "newest": snapshot.generation,
        "whole_from": whole_from(generation),
        "is_pinned": bool(page.kept.get(_LAST)),
        "permanent": page.at(asof=generation),
        "of_today": page.at(asof=""),
        "concordance": page.hits_at(),
        "damaged": tuple(error.name for error in snapshot.damaged),
        "tables": shown.tables,
        "exports": _exports(page, shown.tables),
        "file_rows": FILE_ROWS if page.spec.rows else 0,
    } | dict(shown.context)


def _exports(page: StatisticPage, tables: Sequence[ResultTable]) -> list[tuple[str, str]]:
    """Name the files of a page with their addresses; of data alone one for each table."""
    whole = [f for f in TableFormat if not f.is_data]
    found = [(form.name, page.at(export=form.value)) for form in whole]
    for table in tables:
        which = f": {table.key}" if len(tables) > 1 else ""
        for form in (TableFormat.DATA_CSV, TableFormat.DATA_TSV):
            address = page.at(export=form.value, **({_TABLE: table.key} if which else {}))
            found.append((f"{form.ending.upper()}, data only{which}", address))
    return found


def _base(page: StatisticPage) -> tuple[Any, int]:
    counted = page.hits if page.spec.needs_query else page.selection
    return counted.base, counted.generation


def _file(page: StatisticPage, shown: Shown, form: TableFormat) -> HttpResponse:
    about = _about(page) + shown.about + _rows_about(shown.tables)
    tables, name = shown.tables, page.spec.name
    if form.is_data:
        key = page.request.GET.get(_TABLE)
        tables = tuple(table for table in tables if key in (None, table.key))
        # Data alone say nothing of themselves: their name says which of several tables and of what
        # generation they are.
        which = f"-{slugify(key)}" if key and len(tables) < len(shown.tables) else ""
        name = f"{name}{which}-{_base(page)[1]}"
    content = write_tables(TableFile(about, tables), form)
    response = HttpResponse(content, content_type=form.media_type)
    response["Content-Disposition"] = f'attachment; filename="{name}.{form.ending}"'
    return response


def _about(page: StatisticPage) -> tuple[tuple[str, str], ...]:
    base, generation = _base(page)
    site = f"{page.request.scheme}://{page.request.get_host()}"
    about = [
        ("view", page.spec.title),
        ("query", page.form.address.get("q")),
        ("language of the query", str(page.form.value("ql"))),
        ("base", f"{base.n_tokens} tokens in {base.n_documents} texts, {page.base_words}"),
        *(
            (given.parameter.label, given.text)
            for given in page.given
            if given.text and given.parameter.name != page.spec.rows
        ),
        ("generation", str(generation)),
        ("date", timezone.localtime().isoformat(timespec="seconds")),
        ("address", site + page.at(asof=generation)),
        ("licence", LICENCE),
    ]
    if page.spec.needs_query:
        total = (f"{page.hits.total} in {page.hits.n_texts} texts, "
                 f"{page.hits.per_million:.2f} per million")  # fmt: skip
        about.insert(4, ("hits", total))
    return tuple(about)


def _rows_about(tables: Sequence[ResultTable]) -> tuple[tuple[str, str], ...]:
    """Say of each list that may be cut how many of its rows the file holds."""
    return tuple(
        (f"rows of {table.key}", f"{len(table.rows)} of {table.n_all}")
        for table in tables
        if table.n_all is not None
    )


def _texts(value: str | int | Sequence[str]) -> str | Sequence[str]:
    return str(value) if isinstance(value, int) else value
