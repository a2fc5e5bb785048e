"""One article under all extractors: figures of each, and up to three texts over a reference.

Editors say here which text is right, which makes the article a labelled one, and which extractor
its publication is read with from now on. Libraries of others are compared and never chosen.
"""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from extraction import evaluating
from extraction.compared_articles import (
    ComparedArticle,
    ComparedText,
    ReferenceKind,
    compare_article,
    text_of,
)
from extraction.documents import DOCUMENT
from extraction.evaluation.page_scores import WordOverlap
from extraction.evaluation.peers import INSTALL, PEERS, Compared, missing_labels, parse_compared
from extraction.evaluation.summaries import harmonic
from extraction.extractors import choose_extractor
from extraction.html.algorithms.parameters import AlgorithmParameterError
from extraction.html.algorithms.registry import ExtractorChoice
from extraction.models import Article
from extraction.models.evaluation import EXTRACTOR_NAMES, ExtractorSetting
from extraction.views.evaluation import (
    MOST_COLUMNS,
    REFERENCE_NOTES,
    REFERENCE_WORDS,
    compared_names,
    default_columns,
)
from feeds.crawler.documents.limited_work import TOO_MUCH, WorkEndedError
from presentation.wording.figures import grouped

# Not in the table of all unless asked for: one reads many pages of the site, the other needs a
# rule of an editor.
_WHERE_ASKED = frozenset(["site_level", "rule"])


@dataclass(frozen=True, slots=True)
class Shares:
    """Precision, recall and F1 of one way to count."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Harmonic mean of both."""
        return harmonic(self.precision, self.recall)

    @classmethod
    def of(cls, found: WordOverlap) -> "Shares":
        return cls(found.precision or 0.0, found.recall or 0.0)


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One extractor in the table: its figures where there is a reference, and what it is called."""

    text: ComparedText
    label: str
    words: Shares | None
    lines: Shares | None
    is_shown: bool
    is_ours: bool  # what a publication can be read with

    @property
    def name(self) -> str:
        return self.text.name


@require_safe
def compared_article(request: HttpRequest, pk: int) -> HttpResponse:
    article = _article(pk)
    asked = request.GET.get("ref", "")
    if asked and asked not in set(ReferenceKind):
        raise Http404
    try:
        choices = _choices(request.GET.getlist("x"))
    except AlgorithmParameterError as error:
        messages.error(request, str(error))
        return redirect("evaluation-article", pk)
    context: dict[str, Any] = {
        "article": article,
        "chosen": [*choices, *[""] * (MOST_COLUMNS - len(choices))],
        "names": _names(choices),
        "confirmed": getattr(article, "reference_text", None),
        "missing_peers": missing_labels(),
        "install": INSTALL,
    }
    kind = ReferenceKind(asked) if asked else None
    try:
        found = compare_article(article, _all_beside(choices), choices, kind)
    except WorkEndedError:
        context |= {"problem": TOO_MUCH, "right_text": article.text}
    else:
        context |= _compared_context(article, found, choices)
    return render(request, "extraction/compared_article.html", context)


def _compared_context(
    article: Article, found: ComparedArticle | None, choices: dict[str, Compared]
) -> dict[str, Any]:
    if found is None:
        return {
            "problem": (
                "The archived page of this article cannot be read, so no extractor can be run on"
                " it. The stored text stays."
            ),
            "right_text": article.text,
        }
    rows = [_row(text, text.name in choices) for text in found.texts]
    by_name = {row.name: row for row in rows}
    return {
        "rows": sorted(rows, key=lambda row: -row.words.f1 if row.words else 0.0),
        "columns": [by_name[name] for name in choices],
        "kind": found.kind,
        "kind_words": REFERENCE_WORDS[found.kind] if found.kind else "",
        "kind_note": REFERENCE_NOTES[found.kind] if found.kind else "",
        "kinds": [(known.value, REFERENCE_WORDS[known].lower()) for known in found.kinds],
        "right_text": found.right_text,
    }


def _row(text: ComparedText, is_shown: bool) -> ComparedRow:
    scores = text.row
    return ComparedRow(
        text,
        dict(compared_names()).get(text.name, text.name),
        Shares.of(scores.text.shingles) if scores and scores.text else None,
        Shares.of(scores.lines) if scores and scores.lines else None,
        is_shown,
        text.name not in PEERS,
    )


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
        named = request.POST.get("extractor", "")
        text = text_of(article, parse_compared(named)) if named else ""
        evaluating.confirm(
            article, text or request.POST.get("text", ""), request.user, timezone.now()
        )
    except WorkEndedError:
        messages.error(request, TOO_MUCH)
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


def _choices(texts: list[str]) -> dict[str, Compared]:
    wanted = list(dict.fromkeys(filter(None, texts)))[:MOST_COLUMNS] or default_columns()
    return {text: parse_compared(text) for text in wanted}


def _all_beside(choices: dict[str, Compared]) -> dict[str, Compared]:
    """Add to those that were chosen all that can be asked with their defaults."""
    names = [name for name, _ in compared_names() if name not in _WHERE_ASKED]
    return {name: parse_compared(name) for name in names} | choices


def _names(choices: dict[str, Compared]) -> list[tuple[str, str]]:
    """Offered extractors: all with their defaults, and those asked for with other parameters."""
    offered = compared_names()
    return [*offered, *((text, text) for text in choices if text not in dict(offered))]


def _back(request: HttpRequest, article: Article) -> HttpResponseRedirect:
    """Return to the same columns."""
    columns = request.POST.getlist("x")
    query = f"?{urlencode({'x': columns}, doseq=True)}" if columns else ""
    return HttpResponseRedirect(reverse("evaluation-article", args=[article.pk]) + query)
