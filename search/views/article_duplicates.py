"""`/articles/<id>/duplicates/`: the same text elsewhere, and two of them side by side."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from dedup.similarity.sentences import MIN_SENTENCE_CHARACTERS
from extraction.models import Article
from search.articles.twins import compare, twin_list
from search.views.article_tabs import load_head, render_tab


@require_safe
def article_duplicates(request: HttpRequest, article_id: int) -> HttpResponse:
    head = load_head(article_id)
    other = _other(request.GET.get("with", ""))
    context = {
        "tab_title": "Duplicates",
        "list": twin_list(head.article),
        "other": other,
        "comparison": compare(head.article, other) if other else None,
        "min_characters": MIN_SENTENCE_CHARACTERS,
    }
    return render_tab(request, "article-duplicates", head, context)


def _other(key: str) -> Article | None:
    if not key.isascii() or not key.isdigit() or len(key) > 18:
        return None
    return Article.objects.select_related("publication").filter(pk=int(key)).first()
