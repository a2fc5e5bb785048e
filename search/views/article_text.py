"""`/articles/<id>/`: the text as it was read out of the page."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from search.reading import paragraphs
from search.views.article_tabs import load_head, render_tab


@require_safe
def article_text(request: HttpRequest, article_id: int) -> HttpResponse:
    head = load_head(article_id)
    return render_tab(request, "article", head, {"paragraphs": paragraphs(head.article)})
