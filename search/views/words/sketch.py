"""`/words/sketch/`: the sketch of a word, alone or beside another word or another part of texts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import overload
from urllib.parse import quote_plus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from extraction.text.language_names import language_name
from presentation.wording.figures import counted, grouped, percent
from search.answers.answering import selection_of
from search.answers.sketching import NoSketchError, SketchedWord, class_word, sketched_word
from search.asking.address import UNQUOTED, Address
from search.asking.base_words import KINDS
from search.asking.one_lemma import lemma_asked_for
from search.asking.sketch_grammars import grammar_in_force, grammar_languages
from search.asking.values import (
    MAX_NAME,
    FreeText,
    OneOf,
    OnePublication,
    Reader,
    Switch,
    WholeNumber,
    WrongValueError,
    kept_and_left_out,
    one_publication_words,
)
from search.engine.index.selection import Selection
from search.engine.sketches.differences import (
    ComparedCollocate,
    ComparedRelation,
    SketchSide,
    sketch_difference,
)
from search.engine.sketches.examples import ListKey, example_sentences
from search.engine.sketches.queries import Asked, cql_of, node_query
from search.engine.sketches.similar import similar_words
from search.engine.sketches.sketch import (
    SketchCollocate,
    SketchRelation,
    SketchRequest,
    WordSketch,
    word_sketch,
)
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.views.concordance.query_tabs import sketch_address
from search.views.statistics.statistic_page import Shown, StatisticPage, StatisticSpec, respond
from search.views.words.word_links import with_query
from search.wording.periods import PeriodError, first_day, last_day

MOST_ROWS = 100
_MARK = "the-collocate"
_COLLOCATE = Column("collocate", "Collocate")
_HITS = Column("hits", "Hits", ColumnKind.COUNT)
_SCORE = Column("score", "logDice", ColumnKind.MEASURE, order="descending")
_COMPARED = (
    _COLLOCATE,
    _HITS,
    replace(_SCORE, order=""),
    Column("hits2", "Hits there", ColumnKind.COUNT),
    Column("score2", "logDice there", ColumnKind.MEASURE),
    Column("difference", "Difference", ColumnKind.MEASURE, order="descending"),
)
_SIMILAR = (
    Column("word", "Word"),
    Column("similarity", "Likeness", ColumnKind.MEASURE, decimals=3, order="descending"),
    Column("shared", "Shared", ColumnKind.COUNT),
)


class _Grammars(Sequence[tuple[str, str]]):
    """The grammars to choose from, as they are now: a language may be learnt at any time."""

    def _all(self) -> list[tuple[str, str]]:
        codes = grammar_languages()
        return [("", "of the word"), *((code, language_name(code)) for code in codes)]

    @overload
    def __getitem__(self, at: int) -> tuple[str, str]: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[tuple[str, str]]: ...

    def __getitem__(self, at: int | slice) -> tuple[str, str] | Sequence[tuple[str, str]]:
        return self._all()[at]

    def __len__(self) -> int:
        return len(self._all())


class _GrammarOf(OneOf):
    """A language that has a sketch grammar."""

    def read(self, text: str, _reader: Reader) -> str:
        known = grammar_languages()
        if text and text not in known:
            words = f"“{text}” has no sketch grammar; {' and '.join(known)} have one."
            raise WrongValueError(self.name, words)
        return text


_OTHER_TEXTS = ("in2", "pub2", "from2", "to2")
SPEC = StatisticSpec(
    "sketch",
    "Word sketch",
    (
        FreeText("lemma", "Lemma", most_chars=100, placeholder="a lemma, such as bread"),
        OneOf(
            "pos",
            "Class",
            (("", "the most frequent"), ("NOUN", "noun"), ("VERB", "verb"), ("ADJ", "adjective"),
             ("ADV", "adverb")),
        ),
        _GrammarOf("gram", "Grammar", _Grammars()),
        WholeNumber("min", "At least", 2, 1, help="Fewest hits of a collocate."),
        WholeNumber("n", "Rows", 12, 1, MOST_ROWS, help="Collocates of each relation."),
        Switch("ex", "Examples"),
        Switch("similar", "Similar words"),
        FreeText("vs", "Compare with", most_chars=100, placeholder="another lemma"),
        OneOf(
            "in2",
            "in",
            (("", "the same texts"), ("articles", "articles"), ("comments", "comments"),
             ("posts", "posts"), ("both", "all")),
        ),
        OnePublication("pub2", "of", most_chars=MAX_NAME, help="A publication by its name"),
        FreeText("from2", "from", most_chars=20, placeholder="2026-09"),
        FreeText("to2", "to", most_chars=20, placeholder="2026-09"),
    ),
    template="search/sketch.html",
    needs_query=False,
    is_about_words=True,
    placed=("lemma",),
)  # fmt: skip


@require_safe
def sketch_page(request: HttpRequest) -> HttpResponse:
    return respond(request, SPEC, answer)


@require_safe
def sketch_hits(request: HttpRequest) -> HttpResponse:
    """Open the hits behind a number of a sketch; of a list that is gone, the sketch itself."""
    given = {name: request.GET.get(name, "") for name in ("lemma", "pos", "gram", "list")}
    address = Address.parse(request.META["QUERY_STRING"])
    if given["gram"] in grammar_languages():
        for each in grammar_in_force(given["gram"]).lists_of(given["pos"]):
            if each.name == given["list"]:
                asked = Asked(
                    given["lemma"], request.GET.get("coll", ""), request.GET.get("by", "")
                )
                return redirect(with_query(address, cql_of(each, asked)).at(reverse("search")))
    return redirect(sketch_address(address, given["lemma"]))


def answer(page: StatisticPage) -> Shown:
    lemma = page.values["lemma"].strip() or lemma_asked_for(page.form.address)
    if not lemma:
        return Shown(context={"asks": True})
    try:
        asked, texts_in = page.values, page.texts.filter.languages
        word = sketched_word(page.snapshot, lemma, asked["pos"], asked["gram"], texts_in)
        if is_compared(page):
            return _compared(page, word)
    except NoSketchError as error:
        refused = _refusal(page, lemma, error)
        return Shown(context={"refused": refused}, about=(("no sketch", error.message),))
    request = _request(page, word)
    sketch = word_sketch(page.selection, word.grammar, request)
    sentences = _examples(page, word, sketch) if page.values["ex"] else {}
    shown = [each for each in sketch.relations if each.collocates or page.is_file]
    tables = tuple(_table(page, word, each, sentences) for each in shown)
    if page.values["similar"]:
        tables = (_similar(page, word), *tables)
    context = {
        "word": word,
        "n_hits": sketch.n_hits,
        "hits_address": _node_hits(page, word),
        "class_word": class_word(word.word_class),
        "others": _other_classes(page, word),
        "estimated": _estimated(sketch.share),
    }
    about = (("lemma and class", f"{word.lemma}, {class_word(word.word_class)}"),)
    return Shown(tables, context, (*about, *_about_share(sketch.share)))


def is_compared(page: StatisticPage) -> bool:
    """Say whether the address asks for something to compare with."""
    return any(page.values[name] for name in ("vs", *_OTHER_TEXTS))


def _request(page: StatisticPage, word: SketchedWord) -> SketchRequest:
    values = page.values
    return SketchRequest(word.lemma, word.word_class, values["min"], values["n"], page.is_file)


@dataclass(frozen=True, slots=True)
class _Refusal:
    """Why there is no sketch, and the sketches there are instead: label and address."""

    message: str
    near: tuple[tuple[str, str], ...]


def _refusal(page: StatisticPage, lemma: str, error: NoSketchError) -> _Refusal:
    near = [(each, page.at(lemma=each, pos="")) for each in error.near]
    near += [(f"{lemma}, {class_word(c)}", page.at(pos=c)) for c in error.classes]
    return _Refusal(error.message, tuple(near))


def _other_classes(page: StatisticPage, word: SketchedWord) -> list[tuple[str, int, str]]:
    return [
        (class_word(name), n, page.at(lemma=word.lemma, pos=name))
        for name, n in word.classes
        if name != word.word_class
    ]


def _node_hits(page: StatisticPage, word: SketchedWord) -> str:
    query = node_query(word.grammar.classes[word.word_class], word.lemma)
    return with_query(page.kept, query).at(reverse("search"))


def _estimated(share: float) -> str:
    return "" if share >= 1 else percent(share)


def _about_share(share: float) -> tuple[tuple[str, str], ...]:
    if share >= 1:
        return ()
    return (("scores", f"estimated from {percent(share)} of the texts; hits are exact"),)


def _hits_link(
    page: StatisticPage, word: SketchedWord, name: str, by: str, **changes: str
) -> Callable[[str], str]:
    """Make addresses of the hits of collocates in a list; empty for all of the list."""
    lemma = changes.pop("lemma", word.lemma)
    own = {
        "pos": word.word_class,
        "gram": word.grammar.language,
        "list": name,
        **({"by": by} if by else {}),
        "coll": _MARK,
    }
    address = page.kept.change(q="", ql="", **changes)
    written = sketch_address(address, lemma, **own).replace(
        reverse("sketch"), reverse("sketch-hits"), 1
    )
    before, _, after = written.partition(_MARK)
    return lambda collocate: f"{before}{quote_plus(collocate, safe=UNQUOTED)}{after}"


def _table(
    page: StatisticPage,
    word: SketchedWord,
    relation: SketchRelation,
    sentences: Mapping[ListKey, str],
) -> ResultTable:
    name = word.grammar.lists_of(word.word_class)[relation.number].name
    link = _hits_link(page, word, name, relation.by)
    top = max((row.score for row in relation.collocates), default=0.0)
    columns = [_COLLOCATE, _HITS, _SCORE]
    if page.values["ex"]:
        columns.append(Column("example", "Example"))
    if page.is_file:
        columns.append(Column("query", "CQL"))

    def cells(row: SketchCollocate) -> tuple[Cell, ...]:
        found = [
            Cell(row.lemma, sketch_address(page.kept, row.lemma, gram=word.grammar.language)),
            Cell(row.n_hits, link(row.lemma)),
            Cell(row.score, bar=min(1.0, max(0.0, row.score / top)) if top > 0 else 0.0),
        ]
        if page.values["ex"]:
            found.append(Cell(sentences.get((relation.number, row.key), "")))
        return (*found, Cell(relation.cql(word.lemma, row.lemma))) if page.is_file else tuple(found)

    caption = _caption(relation.name, relation.n_hits)
    rows = tuple(map(cells, relation.collocates))
    return ResultTable(relation.name, caption, tuple(columns), rows, relation.n_collocates)


def _caption(name: str, n_hits: int) -> str:
    return f"{name}: {counted(n_hits, 'hit')}"


def _examples(page: StatisticPage, word: SketchedWord, sketch: WordSketch) -> Mapping[ListKey, str]:
    wanted: dict[int, list[int]] = {}
    for relation in sketch.relations:
        wanted.setdefault(relation.number, []).extend(row.key for row in relation.collocates)
    return example_sentences(page.selection, word.grammar, (word.word_class, word.lemma), wanted)


def _similar(page: StatisticPage, word: SketchedWord) -> ResultTable:
    """List the words that share most relations, each beside its comparison with this one."""
    found = similar_words(
        page.selection, word.grammar, (word.lemma, word.word_class), page.values["n"]
    )
    own = {"pos": word.word_class, "gram": word.grammar.language}
    rows = tuple(
        (
            Cell(row.lemma, sketch_address(page.kept, row.lemma, **own)),
            Cell(row.similarity, bar=row.similarity),
            Cell(row.n_shared, sketch_address(page.kept, word.lemma, **own, vs=row.lemma)),
        )
        for row in found.rows
    )
    about = "" if found.share >= 1 else f", from {percent(found.share)} of the texts"
    none = "" if rows else ": no word shares enough relations with it"
    return ResultTable("similar", f"similar words (Lin 1998){about}{none}", _SIMILAR, rows)


# Two sketches


def _compared(page: StatisticPage, word: SketchedWord) -> Shown:
    """Compare with another word, in the same texts or others.

    Raises
    ------
    NoSketchError
        If the other lemma has no sketch of the same class and grammar.
    WrongValueError
        At the control whose value cannot be used.
    """
    other = page.values["vs"].strip() or word.lemma
    language = word.grammar.language
    sketched_word(page.snapshot, other, word.word_class, language)
    there = _selection_there(page)
    found = sketch_difference(
        SketchSide(page.selection, word.lemma),
        SketchSide(there, other),
        word.grammar,
        _request(page, word),
    )
    shown = [each for each in found.relations if each.collocates or page.is_file]
    tables = tuple(_compared_table(page, word, other, each) for each in shown)
    words = _words_there(page, word, other)
    context = {
        "word": word,
        "n_hits": found.n_hits[0],
        "hits_address": _node_hits(page, word),
        "class_word": class_word(word.word_class),
        "compared": words,
        "n_hits_there": found.n_hits[1],
        "estimated": _estimated(found.share),
    }
    return Shown(tables, context, (("compared with", words), *_about_share(found.share)))


def _selection_there(page: StatisticPage) -> Selection:
    values, wanted = page.values, page.texts.filter
    if values["in2"]:
        wanted = replace(wanted, kinds=KINDS[values["in2"]])
    if values["pub2"]:
        kept, left_out = kept_and_left_out([values["pub2"]])
        wanted = replace(wanted, publications=kept, without_publications=left_out)
    if values["from2"]:
        wanted = replace(wanted, first_day=_day(page, "from2", first_day))
    if values["to2"]:
        wanted = replace(wanted, last_day=_day(page, "to2", last_day))
    if wanted == page.texts.filter:
        return page.selection
    return selection_of(replace(page.texts, filter=wanted), page.snapshot)


def _day(page: StatisticPage, name: str, read: Callable[[str, date], date]) -> date:
    try:
        return read(page.values[name], page.form.reader.today)
    except PeriodError as error:
        raise WrongValueError(name, str(error)) from None


def _words_there(page: StatisticPage, word: SketchedWord, other: str) -> str:
    values = page.values
    parts = [f"“{other}”" if other != word.lemma else f"“{word.lemma}” again"]
    parts += [f"in {values['in2']}"] if values["in2"] else []
    if values["pub2"]:
        parts.append(f"of {one_publication_words(values['pub2'], page.form.publications)}")
    parts += [f"from {values['from2']}"] if values["from2"] else []
    parts += [f"to {values['to2']}"] if values["to2"] else []
    return " ".join(parts)


def _compared_table(
    page: StatisticPage, word: SketchedWord, other: str, relation: ComparedRelation
) -> ResultTable:
    name = word.grammar.lists_of(word.word_class)[relation.number].name
    here = _hits_link(page, word, name, relation.by)
    changes = {
        query_name: page.values[own]
        for query_name, own in (("in_", "in2"), ("pub", "pub2"), ("from_", "from2"), ("to", "to2"))
        if page.values[own]
    }
    there = _hits_link(page, word, name, relation.by, lemma=other, **changes)

    def cells(row: ComparedCollocate) -> tuple[Cell, ...]:
        return (
            Cell(row.lemma),
            Cell(row.n_hits[0], here(row.lemma) if row.n_hits[0] else ""),
            Cell(row.scores[0]),
            Cell(row.n_hits[1], there(row.lemma) if row.n_hits[1] else ""),
            Cell(row.scores[1]),
            Cell(row.difference),
        )

    caption = (
        f"{relation.name}: {grouped(relation.n_hits[0])} and {counted(relation.n_hits[1], 'hit')}"
    )
    rows = tuple(map(cells, relation.collocates))
    return ResultTable(relation.name, caption, _COMPARED, rows, relation.n_collocates)
