"""`/search/texts/`: one row a text with its hits and what is known of it, texts without hits too.

This is the table that models with random effects of texts and authors are made of: counts by text,
not by token (Gries 2015, *The most under-used statistical method in corpus linguistics*).
"""

from collections.abc import Iterator, Mapping, Sequence

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from extraction.models import Article
from extraction.own_fields import columns_of
from extraction.text.language_names import language_name
from search.asking.values import OneOf, Switch, WholeNumber
from search.engine.index.documents import DocumentInfo, DocumentKind
from search.engine.index.text_names import text_name
from search.engine.statistics.counting.intervals import MILLION
from search.engine.statistics.text_counts import TextCount, TextCounts, TextOrder
from search.engine.tables.result_table import Cell, Column, ColumnKind, ResultTable
from search.views.statistics.statistic_page import Shown, StatisticPage, StatisticSpec, respond

ARTICLES_AT_ONCE = 1_000  # looked up in one statement
SPEC = StatisticSpec(
    "texts",
    "Texts",
    (
        OneOf(
            "order",
            "Sort",
            (
                (TextOrder.HITS, "most hits first"),
                (TextOrder.RATE, "highest rate first"),
                (TextOrder.NEW, "newest first"),
                (TextOrder.OLD, "oldest first"),
                (TextOrder.LONG, "longest first"),
            ),
            make=TextOrder,
        ),
        Switch("zeros", "Texts without hits", help="Rows for texts that have none, too."),
        WholeNumber("n", "Rows", 50, 1, 1_000),
    ),
    template="search/texts.html",
    shows_zero=True,
    rows="n",
)
_NAME_HELP = "12 is an article, c12 a comment, other letters are parts of articles: only=text:c12."
_FILE_COLUMNS = (
    Column("text", "Text", help=_NAME_HELP),
    Column("slug", "Short name"),
    Column("changed", "Changed"),
    Column("rights", "Rights"),
    Column("original", "Original"),
)


@require_safe
def text_table_page(request: HttpRequest) -> HttpResponse:
    return respond(request, SPEC, answer)


def answer(page: StatisticPage) -> Shown:
    with_zeros = page.values["zeros"]
    counts = TextCounts(page.hits, page.selection, with_zeros=with_zeros)
    if not len(counts):
        return Shown(context={"no_hits": True})
    rows = tuple(counts.rows(page.values["order"], page.values["n"]))
    own = columns_of({row.info.key for row in rows if not row.info.parent_key})
    names = sorted({name for values in own.values() for name in values})
    columns = (
        Column("title", "Title"),
        Column("hits", "Hits", ColumnKind.COUNT),
        Column("rate", "Per million", ColumnKind.RATE),
        Column("tokens", "Tokens", ColumnKind.COUNT),
        Column("publication", "Publication"),
        Column("published", "Published", ColumnKind.DATE),
        Column("author", "Author"),
        Column("section", "Section"),
        Column("language", "Language"),
        Column("kind", "Kind"),
        *(Column(name, name) for name in names),
        *(_FILE_COLUMNS if page.is_file else ()),
    )
    caption = "Hits of each text, those without hits too." if with_zeros else "Hits of each text."
    cells = tuple(_rows(page, rows, own, names))
    table = ResultTable("texts", caption, columns, cells, len(counts))
    return Shown((table,), {"with_zeros": page.at(zeros="1") if not with_zeros else ""})


def _rows(
    page: StatisticPage,
    rows: Sequence[TextCount],
    own: Mapping[int, Mapping[str, str]],
    names: Sequence[str],
) -> Iterator[tuple[Cell, ...]]:
    address_of = page.slice_addresses()
    for first in range(0, len(rows), ARTICLES_AT_ONCE):
        some = rows[first : first + ARTICLES_AT_ONCE]
        ids = {row.info.parent_key or row.info.key for row in some}
        found = Article.objects.filter(pk__in=ids).values_list("pk", "title", "url")
        known = {pk: (title, url) for pk, title, url in found}
        for row in some:
            title, url = known.get(row.info.parent_key or row.info.key, ("", ""))
            name = text_name(row.info.kind, row.info.key)
            address = address_of(f"text:{name}") if row.n_hits else ""
            yield (
                Cell(title or name, _article_address(row.info), lang=row.info.language),
                Cell(row.n_hits, address),
                Cell(MILLION * row.n_hits / row.info.n_tokens if row.info.n_tokens else None),
                Cell(row.info.n_tokens),
                *_known_cells(page, row.info),
                *(Cell(own.get(row.info.key, {}).get(name, "")) for name in names),
                *(_file_cells(row.info, name, url) if page.is_file else ()),
            )


def _article_address(info: DocumentInfo) -> str:
    if info.kind is DocumentKind.COMMENT:
        return reverse("article-comments", args=[info.parent_key])
    return reverse("article", args=[info.key])


def _known_cells(page: StatisticPage, info: DocumentInfo) -> Iterator[Cell]:
    yield Cell(page.form.publications.get(info.publication, info.publication))
    yield Cell(None if info.is_undated else info.day)
    yield Cell(info.author)
    yield Cell(info.section)
    yield Cell(language_name(info.language) if info.language else "")
    yield Cell(info.kind.label.replace("_", " "))


def _file_cells(info: DocumentInfo, name: str, url: str) -> Iterator[Cell]:
    yield Cell(name)
    yield Cell(info.publication)
    yield Cell("yes" if info.is_changed else "no")
    yield Cell(info.rights.label)
    yield Cell(url)
