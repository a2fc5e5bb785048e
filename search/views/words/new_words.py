"""`/words/new/`: words first attested on a day or in a span, and what became of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from presentation.wording.figures import counted
from presentation.wording.times import day
from search.answers.ignoring import ignored_forms
from search.asking.value_queries import value_query
from search.asking.values import FreeText, OneOf, Switch, WholeNumber
from search.engine.index.documents import UNIX_EPOCH
from search.engine.statistics.vocabulary.new_words import (
    Clock,
    Doubt,
    NewWord,
    NewWords,
    NewWordsRequest,
    new_words,
)
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.views.statistics.statistic_page import (
    Shown,
    StatisticPage,
    StatisticSpec,
    respond,
)
from search.views.words.first_places import FirstPlace, first_places
from search.views.words.word_links import day_of, profile_address, value_hits, with_query
from search.wording.periods import first_day, last_day

LEXICON_PERMISSION = "search.add_lexiconentry"
SPARK_DAYS = 28


@dataclass(frozen=True, slots=True)
class Span:
    """Days, both inclusive."""

    first: date
    last: date

    @property
    def words(self) -> str:
        """`on 20 Nov 2026`, or `from … to …`."""
        first, last = day(self.first), day(self.last)
        return f"on {first}" if first == last else f"from {first} to {last}"


def read_span(text: str) -> Span:
    """Read a day, a month, a year, or so many days back from today: `1d` is today.

    Raises
    ------
    ValueError
        With a sentence for the reader.
    """
    today = timezone.localdate()
    last = today if text.endswith("d") else last_day(text, today)
    return Span(first_day(text, today), last)


SPEC = StatisticSpec(
    "new-words",
    "New words",
    (
        FreeText("day", "Day or span", "1d", 20, read_span, "2026-11-20, 2026-11, 7d",
                 help="1d is today, 7d the last seven days"),
        OneOf("clock", "First", ((Clock.PUBLICATION.value, "published then"),
                                  (Clock.ARRIVAL.value, "collected then (UTC)"))),
        WholeNumber("pubs", "Publications at least", 2, 1, 100),
        WholeNumber("min", "Hits at least", 1, 1),
        Switch("names", "Show names", help="words tagged as names"),
        Switch("typos", "Show probable typos",
               help="one slip away from a word 20 times as frequent"),
        Switch("numbers", "Show numbers and addresses", help="forms with digits or signs"),
        Switch("ignored", "Show ignored words", help="words that editors said to ignore for ever"),
        WholeNumber("rows", "Rows", 100, 10, 1000),
    ),
    template="search/new_words.html",
    needs_query=False,
    is_about_words=True,
)  # fmt: skip
_SHOWN_BY = {"names": Doubt.NAME, "typos": Doubt.TYPO, "numbers": Doubt.NOT_LETTERS,
             "ignored": Doubt.IGNORED}  # fmt: skip
_HIDDEN_WORDS = {
    Doubt.NAME: "name,names",
    Doubt.TYPO: "probable typo,probable typos",
    Doubt.NOT_LETTERS: "number or address,numbers and addresses",
    Doubt.IGNORED: "ignored word,ignored words",
}


@require_safe
def new_words_page(request: HttpRequest) -> HttpResponse:
    return respond(request, SPEC, answer)


def request_of_span(span: Span, clock: Clock = Clock.PUBLICATION) -> NewWordsRequest:
    """Ask for what the page shows by itself."""
    first, last = ((day - UNIX_EPOCH).days for day in (span.first, span.last))
    return NewWordsRequest(first, last, clock)


def answer(page: StatisticPage) -> Shown:
    values = page.values
    shown = {doubt for name, doubt in _SHOWN_BY.items() if values[name]}
    usual = request_of_span(values["day"], Clock(values["clock"]))
    wanted = NewWordsRequest(
        usual.first_day,
        usual.last_day,
        usual.clock,
        min_publications=values["pubs"],
        min_hits=values["min"],
        hidden=frozenset(Doubt) - shown,
        ignored=ignored_forms(),
        limit=values["rows"],
    )
    found = new_words(page.selection, wanted)
    return Shown(
        (_table(page, found),),
        {
            "found": found,
            "span": values["day"],
            "is_by_arrival": wanted.clock is Clock.ARRIVAL,
            "hidden": [(_HIDDEN_WORDS[doubt], n) for doubt, n in found.n_hidden.items() if n],
            "wider": "" if page.values["pubs"] == 1 else page.at(pubs=1),
            "week": page.at(day="7d"),
        },
        (("new words", str(found.n_words)),),
    )


def _table(page: StatisticPage, found: NewWords) -> ResultTable:
    is_editor = page.request.user.has_perm(LEXICON_PERMISSION)
    columns = [
        Column("form", "Word"),
        Column("publications", "Publications", ColumnKind.COUNT),
        Column("texts", "Texts", ColumnKind.COUNT),
        Column("hits", "Hits", ColumnKind.COUNT),
        Column("day", "First seen", ColumnKind.DATE),
        Column("where", "In"),
        Column("sentence", "First sentence"),
        Column("since", "By day since", ColumnKind.COUNT,
               f"hits a day, at most the last {SPARK_DAYS} days; the number is the last day's"),
    ]  # fmt: skip
    if any(word.doubt for word in found.words):
        columns.append(Column("doubt", "Doubt"))
    if is_editor:
        columns += [Column("lexicon", "Lexicon"), Column("ignore", "For ever")]
    rows = []
    for word, place in zip(found.words, places_of(page, found), strict=True):
        cells = dict(_cells(page, word, place))
        rows.append(tuple(cells[column.key] for column in columns))
    caption = f"Words first seen {page.values['day'].words}."
    return ResultTable("new-words", caption, tuple(columns), tuple(rows), found.n_words)


def places_of(page: StatisticPage, found: NewWords) -> list[FirstPlace]:
    """Return where the words first stand."""
    sights = (
        (word.first, with_query(page.kept, value_query("lower", word.value)))
        for word in found.words
    )
    return first_places(page.selection.snapshot, sights, page.form.publications)


def _cells(page: StatisticPage, word: NewWord, place: FirstPlace) -> Iterator[tuple[str, Cell]]:
    yield "form", Cell(word.value, profile_address(page, "lower", word.value))
    yield "publications", Cell(word.publications)
    yield "texts", Cell(word.texts)
    yield "hits", Cell(word.hits, value_hits(page, "lower", word.value))
    yield "day", Cell(None if word.first.day is None else day_of(word.first.day))
    where = f"{place.publication}, a comment" if place.is_comment else place.publication
    yield "where", Cell(where, title=place.title)
    sentence = f"{place.left} {place.node}{place.right}".strip()
    yield "sentence", Cell(sentence, place.address, title=place.title)
    days = word.by_day[-SPARK_DAYS:]
    words = f"hits a day over {counted(len(days), 'day')}: {', '.join(map(str, days))}"
    yield (
        "since",
        Cell(days[-1], title=words, spark=tuple(map(float, days)) if len(days) > 1 else ()),
    )
    yield "doubt", Cell(f"{word.doubt}: {word.meant}?" if word.meant else word.doubt or "")
    yield "lexicon", Cell("Add", f"{reverse('lexicon-add')}?{urlencode({'word': word.value})}")
    yield "ignore", _ignoring(word)


def _ignoring(word: NewWord) -> Cell:
    if word.doubt is Doubt.IGNORED:
        return Cell("Ignored", reverse("ignored-words"))
    return Cell("Ignore", f"{reverse('ignored-words')}?{urlencode({'word': word.value})}#h-add")
