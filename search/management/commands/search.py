"""`manage.py search QUERY`: concordance lines in a terminal or as JSON."""

import datetime as dt
import json
from argparse import ArgumentParser
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from search.answers.search_lines import SearchLine
from search.answers.searching import SearchPage, search
from search.asking.base_words import COLLECTIONS, KINDS, NEWSPAPERS
from search.asking.definitions import in_force
from search.asking.parameters import BY_NAME
from search.asking.parts import PARTS, kinds_in, parse_part
from search.asking.request import SearchRequest, Texts, asked, texts_in
from search.asking.values import Reader
from search.asking.written_query import WrittenQuery
from search.engine.concordance.kwic import PageRequest
from search.engine.concordance.sort_keys import SortKey, parse_keys
from search.engine.concordance.sorting import Order
from search.engine.query.errors import QueryError
from search.engine.query.filters import Copies, DocumentFilter
from search.engine.query.language.parser import Language
from search.models import Subcorpus
from search.opened_index import current_snapshot

SIDE_CHARACTERS = 50
ORIGINS = (NEWSPAPERS, COLLECTIONS)


class Command(BaseCommand):
    help = "Search the corpus: exact totals and lines of context."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("query", help="Words and phrases, or CQL with --cql")
        parser.add_argument("--cql", action="store_true", help="The query is CQL")
        parser.add_argument("--json", action="store_true", help="Print one JSON object")
        parser.add_argument("--limit", type=int, default=20, help="Lines to print (default 20)")
        parser.add_argument(
            "--in",
            dest="scope",
            choices=("articles", "comments", "posts", "both"),
            default="articles",
        )
        parser.add_argument("--case", action="store_true", help="Match case (not with --cql)")
        parser.add_argument(
            "--pub", action="append", default=[], help="Publication's slug, -slug to leave it out"
        )
        parser.add_argument(
            "--part", action="append", default=[], choices=PARTS, help="Part of articles; body"
        )
        parser.add_argument(
            "--origin", choices=ORIGINS, help="Texts of newspapers or of collections alone"
        )
        parser.add_argument("--subcorpus", default="", help="Short name of a subcorpus")
        parser.add_argument("--lang", action="append", default=[], help="Language code")
        parser.add_argument("--from", dest="first_day", type=dt.date.fromisoformat)
        parser.add_argument("--to", dest="last_day", type=dt.date.fromisoformat)
        parser.add_argument("--copies", choices=("once", "all", "originals"), default="once")
        parser.add_argument("--sort", default="new", help="Up to three of new old l1 r1 node pub …")
        parser.add_argument("--context", type=int, default=12, help="Words on each side")
        parser.add_argument("--asof", type=int, help="Generation to search")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            page = search(_request(options), with_facets=False)
        except QueryError as error:
            self._refuse(options["query"], error, as_json=options["json"])
        else:
            query = options["query"]
            self.stdout.write(_as_json(query, page) if options["json"] else _as_text(page))

    def _refuse(self, query: str, error: QueryError, *, as_json: bool) -> None:
        if as_json:
            record = {
                "query": query,
                "error": error.message,
                "position": error.position,
                "expected": list(error.expected),
                "suggestion": error.suggestion,
            }
            self.stdout.write(json.dumps(record, ensure_ascii=False))
            raise CommandError(error.message, returncode=1)
        expected = f" Expected: {', '.join(error.expected)}." if error.expected else ""
        mark = f"{query}\n{' ' * error.position}^\n"
        message = f"{mark}Character {error.position + 1}: {error.message}{expected}"
        raise CommandError(message, returncode=1)


def _request(options: dict[str, Any]) -> SearchRequest:
    written = WrittenQuery(
        options["query"], Language.CQL if options["cql"] else Language.SIMPLE, options["case"]
    )
    wanted = DocumentFilter(
        kinds=kinds_in(KINDS[options["scope"]], map(parse_part, options["part"])),
        **BY_NAME["pub"].fields_of(options["pub"]),
        **_origin(options["origin"]),
        **BY_NAME["lang"].fields_of(options["lang"]),
        first_day=options["first_day"],
        last_day=options["last_day"],
        copies=Copies(options["copies"]),
        generation=options["asof"],
    )
    if options["subcorpus"]:
        wanted = _within(options["subcorpus"], wanted)
    order = Order(parse_keys(options["sort"]) or (SortKey.NEW,))
    page = PageRequest(0, max(0, options["limit"]), order, options["context"])
    return replace(asked(written, Texts(wanted)), page=page)


def _origin(name: str | None) -> dict[str, Any]:
    origin = BY_NAME["origin"]
    return origin.fields_of(origin.value_of([name or ""], Reader(timezone.localdate())))


def _within(slug: str, wanted: DocumentFilter) -> DocumentFilter:
    """Keep the texts of a subcorpus, as of the generation that is searched."""
    row = Subcorpus.objects.select_related("pinned").filter(slug=slug).first()
    if row is None:
        raise CommandError(f"There is no subcorpus “{slug}”.")
    newest = current_snapshot().generation
    generation = newest if wanted.generation is None else wanted.generation
    return replace(wanted, generation=generation, texts=texts_in(in_force(row), generation))


def _as_json(query: str, page: SearchPage) -> str:
    record = {
        "query": query,
        "cql": page.cql,
        "total": page.total,
        "texts": page.n_texts,
        "base_tokens": page.base_tokens,
        "base_texts": page.base_texts,
        "per_million": round(page.per_million, 3),
        "generation": page.generation,
        "ms": round(page.elapsed_ms, 2),
        "lines": [_line_record(line) for line in page.lines],
        "remarks": [str(remark) for remark in page.remarks],
        "damaged": list(page.damaged),
    }
    return json.dumps(record, ensure_ascii=False)


def _line_record(line: SearchLine) -> dict[str, object]:
    return {
        "kind": line.kind.label,
        "article": line.article_id,
        "comment": line.comment_id,
        "position": line.position,
        "length": line.length,
        "left": line.left,
        "node": line.node,
        "right": line.right,
        "publication": line.publication_slug,
        "published": line.dated_at.isoformat(),
        "title": line.title,
        "url": line.url,
    }


def _as_text(page: SearchPage) -> str:
    lines = [
        f"{line.dated_at:%Y-%m-%d}  {line.publication_slug:<16.16}  "
        f"{line.left[-SIDE_CHARACTERS:]:>{SIDE_CHARACTERS}}[{line.node}]"
        f"{line.right[:SIDE_CHARACTERS]}"
        for line in page.lines
    ]
    totals = (
        f"{page.total} hits in {page.n_texts} texts, {page.per_million:.1f} per million of "
        f"{page.base_tokens} tokens, generation {page.generation}, {page.elapsed_ms:.0f} ms"
    )
    damaged = [f"Part of the index cannot be read: {name}" for name in page.damaged]
    return "\n".join([*lines, *map(str, page.remarks), *damaged, totals])
