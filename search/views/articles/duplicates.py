"""`/articles/<id>/duplicates/`: the same text elsewhere, and two of them side by side."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from dedup.comparison import compare
from dedup.twins import pair_of, twin_list
from extraction.models import Article
from presentation.primary_keys import primary_key
from search.views.articles.tabs import load_head, render_tab
from search.views.articles.withdrawn import unless_withdrawn


@require_safe
@unless_withdrawn
def article_duplicates(request: HttpRequest, article_id: int) -> HttpResponse:
    head = load_head(article_id)
    wanted = request.GET.get("with", "")
    other = _other(wanted, article_id)
    only_differences = request.GET.get("diff") == "1"
    context = {
        "tab_title": "Duplicates",
        "list": twin_list(head.article),
        "other": other,
        "is_missing": bool(wanted) and other is None,
        "pair": pair_of(head.article, other) if other else None,
        "comparison": (
            compare(head.article, other, only_differences=only_differences) if other else None
        ),
        "only_differences": only_differences,
    }
    return render_tab(request, "article-duplicates", head, context)


def _other(wanted: str, article_id: int) -> Article | None:
    """Find the article to stand beside this one; itself is none."""
    key = primary_key(wanted)
    others = Article.shown.select_related("publication").exclude(pk=article_id)
    return others.filter(pk=key).first() if key else None
