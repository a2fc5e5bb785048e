"""The two stretches of a keyness page: the one of the filters, and the one it is compared with.

The second stands in the address as `ref`, the filters of a search within one parameter; the form
sends its fields as `ref_in`, `ref_pub` and so on, which are put together.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise, product

from django.http import HttpRequest, QueryDict
from propcache.api import cached_property

from presentation.wording.times import day
from search.answers.answering import selection_of
from search.answers.today import RECENT_DAYS, USUAL_DAYS
from search.asking.address import Address
from search.asking.controls import Chip, ControlError, Controls, chips, control_errors
from search.asking.form import QueryForm
from search.asking.indexed_values import texts_by_value
from search.asking.parameters import FILTERS
from search.asking.reference_lists import MARK
from search.asking.request import Texts, texts_of
from search.asking.values import Reader, WrongValueError
from search.engine.index.selection import Selection
from search.engine.statistics.slices import OF_TOKENS, Slice
from search.views.statistics.statistic_page import StatisticPage

PREFIX = "ref_"
# A reference that is all texts still has to be written somehow.
EVERYTHING = "in=articles"
_PARTS_AGAINST_BODY = (("headline", "headlines"), ("quote", "quotes"), ("caption", "captions"))
MOST_PUBLICATIONS = 4  # that are offered one by one
MOST_TAGS = 3  # likewise


@dataclass(frozen=True, slots=True)
class Preset:
    """Two stretches that are often compared."""

    label: str
    address: str


@dataclass(frozen=True)
class OtherTexts:
    """The second stretch: its form, and what of it pages show."""

    form: QueryForm

    @property
    def address(self) -> Address:
        """Its filters, with the generation of the first."""
        return self.form.address

    @cached_property
    def texts(self) -> Texts:
        """What its filters ask for."""
        return texts_of(self.form)

    @cached_property
    def selection(self) -> Selection:
        """Its documents.

        Raises
        ------
        WrongValueError
            If it is narrowed to parts of texts, which are no set of documents.
        """
        if any(one.column in OF_TOKENS for one in self.texts.slices):
            raise WrongValueError("ref", "Parts of texts are no base for this view.")
        return selection_of(self.texts)

    @property
    def words(self) -> str:
        """Which texts it has."""
        return self.form.base_words

    @property
    def controls(self) -> Controls:
        """Controls with its values."""
        return Controls(self.form)

    @property
    def errors(self) -> list[ControlError]:
        """What is wrong with its filters."""
        return control_errors(self.form)


def chips_of_stretch(page: StatisticPage, stretch: OtherTexts) -> list[Chip]:
    """Return the filters of the second stretch; taking one away stays on the page."""
    return [
        Chip(chip.name, chip.value, page.at(ref=_written(chip.without.partition("?")[2])))
        for chip in chips(stretch.form)
    ]


def reference_of(parameters: QueryDict) -> str | None:
    """Put the fields of the form together: the value of `ref`, None if there are none."""
    fields = [name for name in parameters if name.startswith(PREFIX)]
    if not fields:
        return None
    if listed := parameters.get(f"{PREFIX}list"):
        return f"{MARK}{listed}"
    values = {name.removeprefix(PREFIX): parameters.getlist(name) for name in fields}
    return _written(str(Address.of(values).filters()))


def _written(filters: str) -> str:
    return filters or EVERYTHING


def stretch_of(page: StatisticPage, text: str) -> OtherTexts:
    """Read the second stretch; it is of the same generation as the first."""
    given = Address.parse(text).filters().change(asof=page.kept.values("asof"))
    return OtherTexts(page.form.like(given))


def reference_words(page: StatisticPage, text: str) -> str:
    """Say what a page compares with, for the list of past queries."""
    if text.startswith(MARK):
        return f"the list {text.removeprefix(MARK)}"
    return stretch_of(page, text).words


def words_of_reference(text: str, reader: Reader) -> str:
    """Say which texts a written reference has, for a reader; as it is written if they are gone."""
    form = QueryForm(QueryDict(str(Address.parse(text).filters())), reader)
    return text if form.errors else form.base_words


def presets(page: StatisticPage) -> list[Preset]:
    """Offer the comparisons that fit the filters of the page."""
    return list(_presets(page))


def _presets(page: StatisticPage) -> Iterator[Preset]:
    kept = page.kept.filters()
    days = kept.without("from").without("to")
    recent = days.change(from_=f"{RECENT_DAYS}d")
    usual = days.change(from_=f"{RECENT_DAYS + USUAL_DAYS}d", to=f"{RECENT_DAYS + 1}d")
    yield Preset("since yesterday / the 30 days before", _compare(page, recent, usual))
    publications = page.kept.values("pub")
    if len(publications) == 1 and not publications[0].startswith("-"):
        yield _with_others(page, publications[0])
    else:
        names = page.form.publications
        largest = [slug for slug in texts_by_value(page.snapshot, "publication") if slug in names]
        for slug in largest[:MOST_PUBLICATIONS]:
            yield _with_others(page, slug)
    yield from _of_tags(page, kept)
    comments, articles = kept.change(in_="comments"), kept.change(in_="articles")
    yield Preset("comments / articles", _compare(page, comments, articles))
    for part, words in _PARTS_AGAINST_BODY:
        bodies = articles.change(part=())
        yield Preset(f"{words} / body", _compare(page, bodies.change(part=part), bodies))
    start = page.form.filters["from"]
    if start and kept.get("from"):
        before = kept.without("from").change(to=(start - timedelta(days=1)).isoformat())
        yield Preset(f"since {day(start)} / before", _compare(page, kept, before))


def _with_others(page: StatisticPage, slug: str) -> Preset:
    """Set a publication against all others, as slices: of a text and its copies one side has it."""
    whole = page.kept.filters().without("pub")
    only = whole.values("only")
    here = whole.change(only=[*only, str(Slice("pub", slug))])
    there = whole.change(only=[*only, str(Slice("pub", slug, left_out=True))])
    name = page.form.publications.get(slug, slug)
    return Preset(f"{name} / all others", _compare(page, here, there))


def _of_tags(page: StatisticPage, kept: Address) -> Iterator[Preset]:
    """Set the publications of a tag against those without it, and two tags against each other."""
    chosen = [name for name in page.kept.values("tag") if not name.startswith("-")]
    tags = chosen or list(page.form.reader.tags)[:MOST_TAGS]
    for name in tags:
        one, others = kept.change(tag=name), kept.change(tag=f"-{name}")
        yield Preset(f"{name} / all without it", _compare(page, one, others))
    others_of = [name for name in page.form.reader.tags if name not in chosen][:MOST_TAGS]
    for first, second in product(chosen, others_of) if chosen else pairwise(tags):
        sides = kept.change(tag=first), kept.change(tag=second)
        yield Preset(f"{first} / {second}", _compare(page, *sides))


def _compare(page: StatisticPage, here: Address, there: Address) -> str:
    changes = {name: here.values(name) for name in FILTERS}
    return page.at(**changes, ref=_written(str(there)))


def with_reference(request: HttpRequest, reference: str) -> str:
    """Query string of the page with the fields of the form put into `ref`."""
    parameters = request.GET.copy()
    for name in list(parameters):
        if name.startswith(PREFIX):
            del parameters[name]
    parameters["ref"] = reference
    return str(parameters.urlencode(safe='[]="@,:*?/'))
