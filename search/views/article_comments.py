"""`/articles/<id>/comments/`: the readers' comments as a tree."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from search.forms import CommentsForm
from search.threads import SORTS, thread_page
from search.views.article_tabs import load_head, render_tab


@require_safe
def article_comments(request: HttpRequest, article_id: int) -> HttpResponse:
    head = load_head(article_id)
    form = CommentsForm(request.GET)
    wanted = form.to_request(head.article)
    page = thread_page(wanted, {})
    context = {
        "tab_title": "Comments",
        "page": page,
        "pages": range(1, page.n_pages + 1),
        "current_page": min(wanted.page, page.n_pages),
        "sort": wanted.sort,
        "sorts": SORTS,
        "words": wanted.words,
    }
    return render_tab(request, "article-comments", head, context)
