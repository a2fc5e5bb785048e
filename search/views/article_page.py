"""`/articles/<id>/page/`: the page as it was stored, in a frame that can do nothing."""

from csp.constants import SELF
from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from search.views.article_tabs import load_head, render_tab


@require_safe
@csp_update({"frame-src": [SELF]})  # type: ignore[arg-type] # its types forget the address's values
def article_page(request: HttpRequest, article_id: int) -> HttpResponse:
    head = load_head(article_id)
    context = {"fetch": head.article.fetch, "tab_title": "Archived page"}
    return render_tab(request, "article-page", head, context)
