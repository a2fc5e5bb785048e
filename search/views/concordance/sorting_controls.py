"""What of the concordance page sorts and chooses lines: heads of columns, panels, their words."""

from dataclasses import dataclass

from django.urls import reverse

from search.answers.searching import SearchPage
from search.asking.address import Address
from search.asking.form import QueryForm
from search.asking.parameters import SORTS
from search.asking.sort_fields import SortRow, column_of, sort_rows, sort_words, with_second_key
from search.engine.concordance.sort_keys import SortKey, SortPlace, parse_keys


@dataclass(frozen=True, slots=True)
class Head:
    """A column head that sorts; `then` is the address that sorts by it after the present keys."""

    label: str
    address: str
    column: str = ""
    aria: str = ""
    arrow: str = ""
    then: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """A small form that changes some parameters of an address and keeps the others."""

    kept: tuple[tuple[str, str], ...]
    reset: str


@dataclass(frozen=True, slots=True)
class SampleWords:
    """What is said of a sample: its size and seed, and where to draw another or see all."""

    n_lines: int
    share: str
    seed: int
    another: str
    all_hits: str


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of the table, its style, and the order that its head asks for."""

    name: str
    label: str
    style: str
    sort: str


_COLUMNS = (
    _Column("source", "Source", "", "new"),
    _Column("left", "Left context", "k-l", "l1,l2,l3"),
    _Column("node", "Node", "k-c", "node,r1"),
    _Column("right", "Right context", "", "r1,r2,r3"),
)
_DOWN, _UP = "↓", "↑"
_RAISED = "¹²³"  # which key a column is, where several are sorted by


def heads(form: QueryForm) -> list[Head]:
    """Column heads as links that sort; the source head turns the order of time."""
    return [_head(form, column) for column in _COLUMNS]


def _head(form: QueryForm, column: _Column) -> Head:
    sort, path = form.value("sort"), reverse("search")
    columns = [column_of(key) for key in parse_keys(sort)]
    own = "old" if column.name == "source" and sort == "new" else column.sort
    more = with_second_key(sort, column.sort.partition(",")[0])
    aria, arrow = "", ""
    if column.name in columns:
        number = columns.index(column.name)
        aria, arrow = _direction(column, parse_keys(sort)[number])
        used = list(dict.fromkeys(name for name in columns if name))
        arrow += _RAISED[used.index(column.name)] if len(used) > 1 else ""
        aria = aria if number == 0 else ""
    return Head(
        column.label,
        form.address.change(sort=own).at(path),
        column.style,
        aria,
        arrow,
        form.address.change(sort=more).at(path) if more else "",
    )


def _direction(column: _Column, key: SortKey) -> tuple[str, str]:
    """Say which way a column is sorted: words from A down, texts from the newest down."""
    if column.name == "source":
        return ("descending", _DOWN) if key.place is SortPlace.NEW else ("ascending", _UP)
    return ("descending", _UP) if key.is_descending else ("ascending", _DOWN)


def sort_panel(form: QueryForm) -> tuple[Panel, list[SortRow]]:
    """Make the panel of three keys."""
    return _panel(form.address, ("sort",)), sort_rows(form.value("sort"))


def sample_panel(form: QueryForm) -> Panel:
    """Make the panel of size and seed."""
    return _panel(form.address, ("sample", "seed"))


def _panel(address: Address, names: tuple[str, ...]) -> Panel:
    without = address.change(**dict.fromkeys(names, ()))
    return Panel(without.pairs, without.at(reverse("search")))


def sample_words(form: QueryForm, page: SearchPage) -> SampleWords | None:
    """Describe the sample of a page, None where all hits are lines."""
    sample, seed = form.value("sample"), form.value("seed")
    if not sample:
        return None
    path = reverse("search")
    return SampleWords(
        page.n_lines,
        f"{sample:g} %" if isinstance(sample, float) else "",
        seed,
        form.address.change(seed=str(seed + 1)).at(path),
        form.address.change(sample="", seed="").at(path),
    )


def order_words(form: QueryForm) -> str:
    """Say the order of the lines."""
    sort = form.value("sort")
    return dict(SORTS).get(sort) or sort_words(sort)
