"""`/articles/<id>/timeline/`: how the text came here, step by step."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from search.articles.timeline import timeline
from search.views.articles.tabs import load_head, render_tab
from search.views.articles.withdrawn import unless_withdrawn


@require_safe
@unless_withdrawn
def article_timeline(request: HttpRequest, article_id: int) -> HttpResponse:
    head = load_head(article_id)
    context = {"steps": timeline(head.article), "tab_title": "Timeline"}
    return render_tab(request, "article-timeline", head, context)
