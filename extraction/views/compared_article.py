"""One article under up to three extractors: each text over a reference, missing and extra marked.

Editors say here which text is right, which makes the article a labelled one, and which extractor
its publication is read with from now on.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from extraction import evaluating
from extraction.documents import DOCUMENT
from extraction.evaluating import ReferenceKind
from extraction.evaluation.differences import ReferencePiece, differences
from extraction.evaluation.extractor_runs import PreparedPage, reference_of, run, score
from extraction.evaluation.summaries import PageRow, harmonic
from extraction.extractors import choose_extractor
from extraction.html.algorithms.parameters import AlgorithmParameterError
from extraction.html.algorithms.registry import AUTO, ExtractorChoice
from extraction.models import Article
from extraction.models.evaluation import EXTRACTOR_NAMES, ExtractorSetting
from extraction.views.evaluation import MOST_COLUMNS, REFERENCE_WORDS
from presentation.wording.figures import grouped

_DEFAULT = (AUTO, "text_density", "dgwc")


@dataclass(frozen=True, slots=True)
class ComparedText:
    """What one extractor made of the article."""

    name: str
    pieces: tuple[tuple[ReferencePiece, ...], ...]  # paragraphs
    row: PageRow | None
    remark: str
    error: str

    @property
    def f1(self) -> float | None:
        """F1 against the reference; None where there is none."""
        if self.row is None or self.row.text is None:
            return None
        found = self.row.text.shingles
        return harmonic(found.precision or 0.0, found.recall or 0.0)


@require_safe
def compared_article(request: HttpRequest, pk: int) -> HttpResponse:
    article = _article(pk)
    try:
        choices = _choices(request.GET.getlist("x"))
    except AlgorithmParameterError as error:
        messages.error(request, str(error))
        return redirect("evaluation-article", pk)
    prepared = evaluating.prepare_article(article, choices.values())
    texts = evaluating.references(article, prepared.read) if prepared else {}
    kind = _reference_kind(request.GET.get("ref", ""), texts)
    context = {
        "article": article,
        "columns": _columns(prepared, choices, texts[kind] if kind else ""),
        "chosen": [*choices, *[""] * (MOST_COLUMNS - len(choices))],
        "names": _names(choices),
        "kind": kind,
        "kinds": [(known.value, REFERENCE_WORDS[known].lower()) for known in texts],
        "is_read": prepared is not None,
        "confirmed": getattr(article, "reference_text", None),
        "right_text": texts.get(ReferenceKind.CONFIRMED, article.text),
    }
    return render(request, "extraction/compared_article.html", context)


@permission_required("extraction.change_referencetext", raise_exception=True)
@require_POST
def confirm_text(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep a reference text: an extractor's (`extractor`) or the one that was typed (`text`)."""
    article = _article(pk)
    if "withdraw" in request.POST:
        evaluating.withdraw(article)
        messages.success(request, "The article has no reference text any more.")
        return _back(request, article)
    try:
        text = _text_of(article, request.POST.get("extractor", "")) or request.POST.get("text", "")
        evaluating.confirm(article, text, request.user, timezone.now())
    except (AlgorithmParameterError, ValueError) as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Kept as the right text of this article.")
    return _back(request, article)


@permission_required("extraction.change_extractorsetting", raise_exception=True)
@require_POST
def use_extractor(request: HttpRequest, pk: int) -> HttpResponse:
    """Read the article's publication with an extractor from now on, stored pages included."""
    article = _article(pk)
    try:
        choice = ExtractorChoice.parse(request.POST.get("extractor", ""))
    except AlgorithmParameterError as error:
        messages.error(request, str(error))
        return _back(request, article)
    n_pages = choose_extractor(
        ExtractorSetting(
            publication=article.publication,
            extractor=choice.name,
            parameters=choice.changed_values,
            changed_at=timezone.now(),
            changed_by_id=request.user.pk,
        )
    )
    label = dict(EXTRACTOR_NAMES)[choice.name]
    messages.success(
        request,
        f"{article.publication.name} is read with “{label}” from now on; its"
        f" {grouped(n_pages)} stored pages are extracted again.",
    )
    return _back(request, article)


def _article(pk: int) -> Article:
    rows = Article.shown.select_related(
        "publication", "page__publication", "reference_text", *DOCUMENT
    )
    return get_object_or_404(rows, pk=pk)


def _choices(texts: list[str]) -> dict[str, ExtractorChoice]:
    wanted = list(dict.fromkeys(filter(None, texts)))[:MOST_COLUMNS] or list(_DEFAULT)
    return {text: ExtractorChoice.parse(text) for text in wanted}


def _names(choices: dict[str, ExtractorChoice]) -> list[tuple[str, str]]:
    """Offered extractors: all with their defaults, and those asked for with other parameters."""
    known = dict(EXTRACTOR_NAMES)
    return [*EXTRACTOR_NAMES, *((text, text) for text in choices if text not in known)]


def _reference_kind(asked: str, texts: dict[ReferenceKind, str]) -> ReferenceKind | None:
    if asked and asked not in set(ReferenceKind):
        raise Http404
    return next((kind for kind in texts if kind == asked), next(iter(texts), None))


def _columns(
    prepared: PreparedPage | None, choices: dict[str, ExtractorChoice], reference: str
) -> list[ComparedText]:
    if prepared is None:
        return []
    held_against = reference_of(prepared, reference)
    columns = []
    for name, choice in choices.items():
        answer = run(choice, prepared)
        row = score(prepared, answer, held_against) if reference else None
        pieces = differences(reference or answer.text, answer.text)
        columns.append(
            ComparedText(name, tuple(_paragraphs(pieces)), row, answer.remark, answer.error)
        )
    return columns


def _paragraphs(pieces: list[ReferencePiece]) -> Iterator[tuple[ReferencePiece, ...]]:
    current: list[ReferencePiece] = []
    for piece in pieces:
        if piece.text:
            current.append(piece)
        if piece.ends_paragraph and current:
            yield tuple(current)
            current = []
    if current:
        yield tuple(current)


def _text_of(article: Article, extractor: str) -> str:
    """Text of an extractor on the article's archived page; empty where none is named."""
    if not extractor:
        return ""
    choice = ExtractorChoice.parse(extractor)
    prepared = evaluating.prepare_article(article, [choice])
    return run(choice, prepared).text if prepared else ""


def _back(request: HttpRequest, article: Article) -> HttpResponseRedirect:
    """Return to the same columns."""
    columns = request.POST.getlist("x")
    query = f"?{urlencode({'x': columns}, doseq=True)}" if columns else ""
    return HttpResponseRedirect(reverse("evaluation-article", args=[article.pk]) + query)
