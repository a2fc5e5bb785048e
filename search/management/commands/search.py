"""`manage.py search QUERY`: concordance lines in a terminal or as JSON."""

import datetime as dt
import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from search.engine.query.errors import QueryError
from search.requested import SearchRequest
from search.search_lines import SearchLine
from search.searching import SearchPage, search

SIDE_CHARACTERS = 50


class Command(BaseCommand):
    help = "Search the corpus: exact totals and lines of context."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("query", help="Words and phrases, or CQL with --cql")
        parser.add_argument("--cql", action="store_true", help="The query is CQL")
        parser.add_argument("--json", action="store_true", help="Print one JSON object")
        parser.add_argument("--limit", type=int, default=20, help="Lines to print (default 20)")
        parser.add_argument(
            "--in", dest="scope", choices=("articles", "comments", "both"), default="articles"
        )
        parser.add_argument("--case", action="store_true", help="Match case (not with --cql)")
        parser.add_argument(
            "--pub", action="append", default=[], help="Publication's slug, -slug to leave it out"
        )
        parser.add_argument("--lang", action="append", default=[], help="Language code")
        parser.add_argument("--from", dest="first_day", type=dt.date.fromisoformat)
        parser.add_argument("--to", dest="last_day", type=dt.date.fromisoformat)
        parser.add_argument("--copies", choices=("once", "all", "originals"), default="once")
        parser.add_argument("--sort", default="new", help="Up to three of new old l1 r1 node pub …")
        parser.add_argument("--context", type=int, default=12, help="Words on each side")
        parser.add_argument("--asof", type=int, help="Generation to search")

    def handle(self, *args: Any, **options: Any) -> None:
        request = SearchRequest(
            q=options["query"],
            ql="cql" if options["cql"] else "simple",
            match_case=options["case"],
            scope=options["scope"],
            publications=tuple(options["pub"]),
            languages=tuple(options["lang"]),
            first_day=options["first_day"],
            last_day=options["last_day"],
            copies=options["copies"],
            sort=options["sort"],
            n=max(0, options["limit"]),
            context=options["context"],
            generation=options["asof"],
        )
        try:
            page = search(request, with_facets=False)
        except QueryError as error:
            self._refuse(request, error, as_json=options["json"])
        else:
            self.stdout.write(_as_json(request, page) if options["json"] else _as_text(page))

    def _refuse(self, request: SearchRequest, error: QueryError, *, as_json: bool) -> None:
        if as_json:
            record = {
                "query": request.q,
                "error": error.message,
                "position": error.position,
                "expected": list(error.expected),
                "suggestion": error.suggestion,
            }
            self.stdout.write(json.dumps(record, ensure_ascii=False))
            raise CommandError(error.message, returncode=1)
        expected = f" Expected: {', '.join(error.expected)}." if error.expected else ""
        mark = f"{request.q}\n{' ' * error.position}^\n"
        message = f"{mark}Character {error.position + 1}: {error.message}{expected}"
        raise CommandError(message, returncode=1)


def _as_json(request: SearchRequest, page: SearchPage) -> str:
    record = {
        "query": request.q,
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
