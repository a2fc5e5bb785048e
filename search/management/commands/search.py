"""`manage.py search QUERY`: concordance lines in a terminal or as JSON."""

import json
from argparse import ArgumentParser
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils import timezone

from search.answers.search_lines import SearchLine
from search.answers.searching import SearchPage, search
from search.asking.address import Address
from search.asking.form import QueryForm
from search.asking.parameters import BY_NAME, FILTERS, OF_HITS
from search.asking.request import SearchRequest, request_of
from search.asking.values import OneOf, Reader, Switch
from search.engine.concordance.kwic import PageRequest
from search.engine.concordance.sort_keys import SortKey, parse_keys
from search.engine.concordance.sorting import Order
from search.engine.query.errors import QueryError
from search.models import Subcorpus

SIDE_CHARACTERS = 50
# Options that are parameters of the pages, by the names that these have in addresses.
ASKED = ("case", *FILTERS, *OF_HITS, "asof")
_ALSO_CALLED = {"sub": ("--subcorpus",)}


class Command(BaseCommand):
    help = "Search the corpus: exact totals and lines of context."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("query", help="Words and phrases, or CQL with --cql")
        parser.add_argument("--cql", action="store_true", help="The query is CQL")
        parser.add_argument("--json", action="store_true", help="Print one JSON object")
        parser.add_argument("--limit", type=int, default=20, help="Lines to print (default 20)")
        parser.add_argument("--sort", default="new", help="Up to three of new old l1 r1 node pub …")
        parser.add_argument("--context", type=int, default=12, help="Words on each side")
        for name in ASKED:
            _add(parser, name)

    def handle(self, *args: Any, **options: Any) -> None:
        form = QueryForm(QueryDict(str(_address(options))), _Operator(timezone.localdate()))
        if not form.can_run:
            self._refuse_value(form, as_json=options["json"])
        try:
            page = search(_request(form, options), with_facets=False)
        except QueryError as error:
            self._refuse(options["query"], error, as_json=options["json"])
        else:
            query = options["query"]
            self.stdout.write(_as_json(query, page) if options["json"] else _as_text(page))

    def _refuse_value(self, form: QueryForm, *, as_json: bool) -> None:
        name, sentence = next(iter(form.errors.items()))
        if as_json:
            record = {"query": form.address.get("q"), "error": sentence, "parameter": name}
            self.stdout.write(json.dumps(record, ensure_ascii=False))
        raise CommandError(f"--{name}: {sentence}", returncode=1)

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


class _Operator(Reader):
    """Who has the machine may use everybody's subcorpora."""

    @property
    def subcorpora(self) -> QuerySet[Subcorpus]:
        return Subcorpus.objects.select_related("owner", "pinned").defer("pinned__body")


def _add(parser: ArgumentParser, name: str) -> None:
    """Offer a parameter of the pages as an option; what is wrong with it, its form says."""
    parameter = BY_NAME[name]
    words = (parameter.help or parameter.label).replace("%", "%%")
    names = (f"--{name}", *_ALSO_CALLED.get(name, ()))
    if isinstance(parameter, Switch):
        parser.add_argument(*names, dest=name, action="store_const", const=["1"], help=words)
    else:
        more = "; may be repeated" if parameter.is_many else ""
        options = parameter.options if isinstance(parameter, OneOf) else (("…", ""),)
        values = "|".join(value for value, _ in options if value)
        parser.add_argument(*names, dest=name, action="append", metavar=values, help=words + more)


def _address(options: dict[str, Any]) -> Address:
    given = {name: options[name] or [] for name in ASKED}
    language = ["cql"] if options["cql"] else []
    return Address.of(
        dict.fromkeys(BY_NAME, ()) | given | {"q": [options["query"]], "ql": language}
    )


def _request(form: QueryForm, options: dict[str, Any]) -> SearchRequest:
    order = Order(parse_keys(options["sort"]) or (SortKey.NEW,))
    page = PageRequest(0, max(0, options["limit"]), order, options["context"])
    return replace(request_of(form), page=page)


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
        "published": None if line.is_undated else line.dated_at.isoformat(),
        "title": line.title,
        "url": line.url,
    }


def _day(line: SearchLine) -> str:
    return "no date   " if line.is_undated else f"{line.dated_at:%Y-%m-%d}"


def _as_text(page: SearchPage) -> str:
    lines = [
        f"{_day(line)}  {line.publication_slug:<16.16}  "
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
