"""`/words/lexicon/export/`: the lexicon as a file that the paste form reads again."""

import csv
import io

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from search.engine.annotation.tagset import TAG_SEPARATOR
from search.engine.tables.exports import harmless
from search.lexicon.paste import COLUMNS
from search.lexicon.rows import LexiconRow, lexicon_rows

# What stands behind the columns that can be pasted.
# The numbers of a word's uses; empty for a word that was not counted.
_NUMBERS = ("hits", "checked", "decided", "overrode")
_KINDS = {"tsv": "text/tab-separated-values", "csv": "text/csv"}


@require_safe
def export_lexicon(request: HttpRequest) -> HttpResponse:
    """Write editors' entries, or with `all` the shipped words as well.

    A TSV has the columns of the paste form; a CSV also says how the entries were used.
    """
    kind = request.GET.get("format", "tsv")
    if kind not in _KINDS:
        kinds = ", ".join(_KINDS)
        return HttpResponse(f"format is one of {kinds}\n", status=400, content_type="text/plain")
    rows = [row for row in lexicon_rows() if row.entry or "all" in request.GET]
    text = _tsv(rows) if kind == "tsv" else _csv(rows)
    response = HttpResponse(text, content_type=f"{_KINDS[kind]}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="lexicon.{kind}"'
    return response


def _cells(row: LexiconRow) -> list[str]:
    tags = TAG_SEPARATOR.join(row.tags)
    cells = [row.word, tags, row.lemma, row.origin, row.meaning, row.source]
    return [harmless(cell) for cell in cells]


def _tsv(rows: list[LexiconRow]) -> str:
    lines = [list(COLUMNS), *map(_cells, rows)]
    return "".join("\t".join(cells) + "\n" for cells in lines)


def _csv(rows: list[LexiconRow]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow([*COLUMNS, *_NUMBERS])
    for row in rows:
        use = row.use
        numbers = [getattr(use, f"n_{name}") if use else "" for name in _NUMBERS]
        writer.writerow([*_cells(row), *numbers])
    return buffer.getvalue()
