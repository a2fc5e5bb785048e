"""Evaluation: extractors side by side on a publication's articles, runs kept and compared by date.

`/evaluation/` asks for a run and lists them; a run has a table of extractors and one of pages.
"""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from extraction import evaluating, extractors
from extraction.compared_articles import ReferenceKind, newest_articles
from extraction.evaluating import FIELDS, FieldReader, RunRequest
from extraction.evaluation.field_scores import FieldCounts
from extraction.evaluation.peers import INSTALL, PEERS, missing_labels, parse_compared
from extraction.evaluation.row_json import summary_of_json
from extraction.evaluation.summaries import Figure, ScoreSummary
from extraction.html.algorithms.parameters import AlgorithmParameterError
from extraction.html.algorithms.registry import AUTO
from extraction.models import Article
from extraction.models.evaluation import EXTRACTOR_NAMES, EvaluatedPage, EvaluationRun
from feeds.forms import PublicationField
from feeds.models import Publication
from presentation.fragments import part_of

RUNS_PER_PAGE = 20
PAGES_PER_PAGE = 50
DEFAULT_PAGES = 30  # enough to see a difference, few enough to wait for
MOST_COLUMNS = 3  # texts side by side
SINGLE_ARTICLES = 10  # newest ones to open under all extractors without a run
REFERENCE_WORDS = {
    ReferenceKind.CONFIRMED: "Texts confirmed by editors",
    ReferenceKind.JSON_LD: "The pages’ own JSON-LD",
    ReferenceKind.STORED: "The stored texts",
}
REFERENCE_NOTES = {
    ReferenceKind.CONFIRMED: "The only reference made by people: how good an extractor is.",
    ReferenceKind.JSON_LD: "What the page declares as its text: often all of it, sometimes a part.",
    ReferenceKind.STORED: "Agreement, not quality: the extractor in use agrees with itself.",
}
_READER_WORDS = {
    FieldReader.RULES: "With the published rules",
    FieldReader.GENERAL: "Without rules",
}
_FIELD_HEADS = {"title": "Title", "authors": "Authors", "published_at": "Date"}
# Figures of the table in their order: name, head, whether it is a share.
COLUMNS = (
    ("f1", "F1", "Words in runs of four: harmonic mean of precision and recall"),
    ("precision", "Precision", "Share of the extracted words that belong to the article"),
    ("recall", "Recall", "Share of the article’s words that were extracted"),
    ("accurate", "Accurate", "The article, at most 2 % of its words missing or too many"),
    ("extra", "Extra", "The whole article and more"),
    ("missed", "Missed", "Incomplete, or something else"),
    ("exact", "Exact", "The very same words"),
    ("bag_f1", "Bag F1", "Words in any order, weighed by their bytes"),
    # Most lines of a page are template: what takes all as template does well on that class, so it
    # is the class of the content that is told, with both of its sides.
    ("content_precision", "Content P", "Share of the kept lines of the page that are content"),
    ("content_recall", "Content R", "Share of the lines of content that were kept"),
    ("content_f1", "Content F1", "Lines of the page, taken as content or not: of both the mean"),
)


def compared_names() -> list[tuple[str, str]]:
    """Names and labels of all that can be compared here: ours, and the peers that are installed."""
    peers = [(peer.name, peer.label) for peer in PEERS.values() if peer.is_installed]
    return [*EXTRACTOR_NAMES, *peers]


def default_columns() -> list[str]:
    """Name the texts that stand side by side unless told: ours, then peers, else algorithms."""
    peers = [peer.name for peer in PEERS.values() if peer.is_installed]
    return [AUTO, *peers, "text_density", "dgwc"][:MOST_COLUMNS]


class RunForm(forms.Form):
    """Which extractors to compare, on how many of which publication's newest articles."""

    publication = PublicationField(
        Publication.objects.none(), to_field_name="slug", empty_label=None
    )
    n_pages = forms.IntegerField(
        label="Newest articles", min_value=1, max_value=evaluating.MAX_PAGES, initial=DEFAULT_PAGES
    )
    names = forms.MultipleChoiceField(
        label="Extractors", choices=compared_names, widget=forms.CheckboxSelectMultiple
    )
    more = forms.CharField(
        label="With other parameters",
        required=False,
        max_length=300,
        help_text="Such as dgwc:classifier=tree,phi=3 qread:gap_lines=5",
    )

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.fields["publication"].queryset = Publication.kept.order_by("name")  # type: ignore[attr-defined]

    def clean_more(self) -> list[str]:
        wanted = self.cleaned_data["more"].split()
        for text in wanted:
            try:
                parse_compared(text)
            except AlgorithmParameterError as error:
                raise forms.ValidationError(str(error)) from error
        return list(wanted)

    @property
    def request(self) -> RunRequest:
        """What a valid form asks for."""
        given = self.cleaned_data
        texts = dict.fromkeys([*given["names"], *given["more"]])
        return RunRequest(given["publication"], tuple(texts), given["n_pages"])


@dataclass(frozen=True, slots=True)
class FigureCell:
    """A figure in a table, with what it was in the run before."""

    head: str
    figure: Figure | None
    before: float | None = None
    is_best: bool = False

    @property
    def change(self) -> float | None:
        """Difference to the run before; None where there is nothing to compare or no change."""
        if self.figure is None or self.before is None:
            return None
        change = round(self.figure.value - self.before, 3)
        return change or None


@dataclass(frozen=True, slots=True)
class FigureTable:
    """Extractors × figures for one reference."""

    kind: str
    words: str
    note: str
    rows: tuple[tuple[str, ScoreSummary, tuple[FigureCell, ...]], ...]


@require_safe
def evaluation(request: HttpRequest) -> HttpResponse:
    initial = {
        "publication": request.GET.get("pub"),
        "names": [name for name, _ in compared_names() if name != "rule"],
    }
    return _overview(request, RunForm(initial=initial))


@permission_required("extraction.add_evaluationrun", raise_exception=True)
@require_POST
def ask_for_run(request: HttpRequest) -> HttpResponse:
    form = RunForm(request.POST)
    if not form.is_valid():
        return _overview(request, form, status=400)
    run = evaluating.ask(form.request, request.user, timezone.now())
    if not run.n_pages:
        messages.warning(request, f"{run.publication.name} has no archived article yet.")
    return redirect("evaluation-run", run.pk)


@require_safe
def evaluation_run(request: HttpRequest, pk: int) -> HttpResponse:
    run = get_object_or_404(EvaluationRun.objects.select_related("publication", "asked_by"), pk=pk)
    return render(request, "extraction/evaluation_run.html", run_context(request, run))


@require_safe
@part_of("evaluation-run")
def evaluation_run_part(request: HttpRequest, pk: int) -> HttpResponse:
    run = get_object_or_404(EvaluationRun.objects.select_related("publication", "asked_by"), pk=pk)
    return render(request, "extraction/_evaluation_run.html", run_context(request, run))


def run_context(request: HttpRequest, run: EvaluationRun) -> dict[str, Any]:
    """Gather what the page of a run shows: progress, tables, and its pages."""
    before = run_before(run)
    rows = run.pages.select_related("article").order_by("position")
    page = Paginator(rows, PAGES_PER_PAGE).get_page(request.GET.get("p"))
    return {
        "run": run,
        "before": before,
        "columns": COLUMNS,
        "tables": figure_tables(run, before),
        "field_rows": field_rows(run),
        "page": page,
        "compared": urlencode([("x", name) for name in run.extractors[:MOST_COLUMNS]]),
        "page_rows": [page_row(row, run.extractors) for row in page],
        "has_confirmed": bool(run.figures.get(ReferenceKind.CONFIRMED.value)),
        "setting": extractors.settings_of([run.publication_id]).get(run.publication_id),
    }


def run_before(run: EvaluationRun) -> EvaluationRun | None:
    """Find the publication's last finished run before this one."""
    rows = EvaluationRun.objects.filter(publication=run.publication_id, asked_at__lt=run.asked_at)
    return rows.exclude(finished_at=None).first()


def figure_tables(run: EvaluationRun, before: EvaluationRun | None) -> list[FigureTable]:
    """One table a reference that any page has, the surest reference first."""
    tables = []
    for kind in ReferenceKind:
        by_name = run.figures.get(kind.value, {})
        earlier = before.figures.get(kind.value, {}) if before else {}
        if by_name:
            rows = _rows(by_name, earlier)
            words, note = REFERENCE_WORDS[kind], REFERENCE_NOTES[kind]
            tables.append(FigureTable(kind.value, words, note, rows))
    return tables


def field_rows(run: EvaluationRun) -> list[tuple[str, list[tuple[str, FieldCounts]]]]:
    """Title, authors and date by reader: words, then each field's head and counts."""
    found = run.figures.get(FIELDS, {})
    return [
        (
            _READER_WORDS[reader],
            [
                (head, FieldCounts(**found[reader.value][name]))
                for name, head in _FIELD_HEADS.items()
                if name in found[reader.value]
            ],
        )
        for reader in FieldReader
        if reader.value in found
    ]


def _rows(
    by_name: dict[str, Any], earlier: dict[str, Any]
) -> tuple[tuple[str, ScoreSummary, tuple[FigureCell, ...]], ...]:
    summaries = {name: summary_of_json(found) for name, found in by_name.items()}
    former = {name: summary_of_json(found).figures for name, found in earlier.items()}
    best = max(summary.figures["f1"].value for summary in summaries.values())
    ordered = sorted(summaries.items(), key=lambda pair: -pair[1].figures["f1"].value)
    rows = []
    for name, summary in ordered:
        cells = []
        for column, head, _ in COLUMNS:
            figure, was = summary.figures.get(column), former.get(name, {}).get(column)
            is_best = column == "f1" and figure is not None and figure.value == best
            cells.append(FigureCell(head, figure, was.value if was else None, is_best))
        rows.append((name, summary, tuple(cells)))
    return tuple(rows)


def page_row(row: EvaluatedPage, names: list[str]) -> dict[str, Any]:
    """Turn a page of a run into its line: the best reference it has, and each extractor's score."""
    kind = next((kind for kind in ReferenceKind if row.scores.get(kind.value)), None)
    scores = row.scores[kind.value] if kind else {}
    return {
        "row": row,
        "reference": kind.value if kind else "",
        "reference_words": REFERENCE_WORDS[kind] if kind else "",
        "cells": [{"name": name} | _page_cell(scores.get(name)) for name in names],
    }


def _page_cell(found: dict[str, Any] | None) -> dict[str, Any]:
    if found is None or found["text"] is None:
        return {}
    shingles = found["text"]["shingles"]
    total = shingles["found"] + shingles["wanted"]
    f1 = 2 * shingles["common"] / total if total else 0.0
    return {"f1": f1, "outcome": found["text"]["outcome"], "error": found["error"]}


def _overview(request: HttpRequest, form: RunForm, status: int = 200) -> HttpResponse:
    rows = EvaluationRun.objects.select_related("publication", "asked_by")
    slug = request.GET.get("pub", "").replace("\0", "")  # PostgreSQL takes no such text
    if slug:
        rows = rows.filter(publication__slug=slug)
    page = Paginator(rows, RUNS_PER_PAGE).get_page(request.GET.get("p"))
    chosen = extractors.settings_of(Publication.objects.values_list("pk", flat=True))
    context = {
        "form": form,
        "page": page,
        "runs": [(run, _best(run)) for run in page],
        "slug": slug,
        "kept": f"&pub={slug}" if slug else "",
        "settings": list(chosen.values()),
        "n_references": evaluating.n_references(),
        "missing_peers": missing_labels(),
        "install": INSTALL,
        "articles": _newest(slug),
    }
    return render(request, "extraction/evaluation.html", context, status=status)


def _newest(slug: str) -> list[Article]:
    """Give the newest archived articles of the publication that is looked at."""
    publication = Publication.kept.filter(slug=slug).first() if slug else None
    if publication is None:
        return []
    rows = Article.shown.filter(pk__in=list(newest_articles(publication, SINGLE_ARTICLES)))
    return list(rows.order_by("-dated_at", "-pk"))


def _best(run: EvaluationRun) -> tuple[str, Figure] | None:
    """Name and F1 of a finished run's best extractor.

    None where only the stored texts are known: the extractor in use would win by itself.
    """
    tables = [
        table for table in figure_tables(run, None) if table.kind != ReferenceKind.STORED.value
    ]
    if not tables:
        return None
    name, summary, _ = tables[0].rows[0]
    return name, summary.figures["f1"]
