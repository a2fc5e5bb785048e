"""`/articles/<id>/correct/` and `/take/`: an editor's words on one article, which outlive readings.

What changes is told to the stages that follow an article's reading, so that copies, stories and
searches go by it within a moment.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from corpus_site import pipeline
from extraction import correcting
from extraction.correcting import Editor, EmptyTitleError
from extraction.forms import ArticleFieldsForm
from extraction.models import Article, ArticleCorrection, CorrectionChange
from presentation.wording.figures import counted
from search.articles.fields import FIELD_WORDS, OtherValue, other_values

_PERMISSION = "extraction.change_articlecorrection"
_CHANGES_SHOWN = 50  # the newest: an article is corrected some few times


@dataclass(frozen=True, slots=True)
class FieldToCorrect:
    """A field of the form with what the page says of it."""

    bound: BoundField
    words: str
    is_corrected: bool
    said: tuple[OtherValue, ...]


@permission_required(_PERMISSION, raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def correct_article(request: HttpRequest, article_id: int) -> HttpResponse:
    article = get_object_or_404(Article.objects.select_related("publication"), pk=article_id)
    if article.withdrawn_at is not None:
        return _is_withdrawn(request, article)
    if request.method == "POST" and (name := request.POST.get("undo")):
        is_new = correcting.undo(article.pk, [name], _editor(request))
        _told(request, article, is_new=is_new)
        return redirect("article-correct", article.pk)
    form = ArticleFieldsForm.of(article, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and _is_corrected(request, article, form):
        return redirect("article", article.pk)
    words = correcting.words_on(article)
    changes = CorrectionChange.objects.filter(article=article).select_related("made_by")
    context = {
        "article": article,
        "form": form,
        "fields": list(_fields(form, article, words)),
        "words": words,
        "changes": [(FIELD_WORDS.get(one.field, ""), one) for one in changes[:_CHANGES_SHOWN]],
    }
    return render(request, "search/correct.html", context, status=400 if form.errors else 200)


def _is_corrected(request: HttpRequest, article: Article, form: ArticleFieldsForm) -> bool:
    """Correct an article as asked; False with the form's error where it changed meanwhile."""
    try:
        is_new = correcting.correct(article.pk, form.corrected(), _editor(request))
    except EmptyTitleError as error:
        form.add_error("title", str(error))
        return False
    _told(request, article, is_new=is_new)
    return True


def _is_withdrawn(request: HttpRequest, article: Article) -> HttpResponse:
    messages.error(request, "This article is withdrawn; put it back first.")
    return redirect("article", article.pk)


@permission_required(_PERMISSION, raise_exception=True)
@require_POST
def take_article(request: HttpRequest, article_id: int) -> HttpResponse:
    article = get_object_or_404(Article, pk=article_id)
    if article.withdrawn_at is not None:
        return _is_withdrawn(request, article)
    is_taken = request.POST.get("take") == "yes"
    if correcting.take(article.pk, is_taken=is_taken, editor=_editor(request)):
        pipeline.follow("articles", [article.pk], timezone.now())
        words = "is taken into the corpus" if is_taken else "is left to its publication’s rules"
        messages.success(request, f"The article {words}; searches follow in a moment.")
    return redirect("article", article.pk)


def _editor(request: HttpRequest) -> Editor:
    return Editor(request.user.pk, timezone.now())


def _told(request: HttpRequest, article: Article, *, is_new: bool) -> None:
    """Tell the followers and the editor of a change."""
    if not is_new:
        messages.info(request, "Nothing was changed: that is what stands there.")
        return
    pipeline.follow("articles", [article.pk], timezone.now())
    words = correcting.words_on(article)
    n = len(words.corrected) if words else 0
    now = f"{counted(n, 'field is', 'fields are')} corrected by hand" if n else "All is as read"
    messages.success(request, f"{now}; searches follow in a moment.")


def _fields(
    form: ArticleFieldsForm, article: Article, words: ArticleCorrection | None
) -> Iterator[FieldToCorrect]:
    corrected: list[Any] = words.corrected if words else []
    for bound in form:
        yield FieldToCorrect(
            bound=bound,
            words=FIELD_WORDS[bound.name],
            is_corrected=bound.name in corrected,
            said=tuple(other_values(article, bound.name)),
        )
