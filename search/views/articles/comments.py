"""`/articles/<id>/comments/`: the readers' comments as a tree, hits marked."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from extraction.models import Article, Comment
from search.answers.part_places import split_hit
from search.articles.places import marks_of
from search.articles.reading import TextMark
from search.articles.threads import SORTS, thread_page
from search.asking.form import form_of
from search.engine.index.documents import DocumentKind
from search.forms import CommentsForm
from search.views.articles.hit_bar import hits_by_text
from search.views.articles.tabs import load_head, render_tab
from search.views.articles.withdrawn import unless_withdrawn


@require_safe
@unless_withdrawn
def article_comments(request: HttpRequest, article_id: int) -> HttpResponse:
    head = load_head(article_id)
    hit = form_of(request).value("hit")
    focus = split_hit(hit)[1] if hit.startswith("c") else None
    wanted = CommentsForm(request.GET).to_request(head.article, focus)
    page = thread_page(wanted, _marks(request, head.article))
    context = {
        "tab_title": "Comments",
        "page": page,
        "pages": range(1, page.n_pages + 1),
        "sort": wanted.sort,
        "sorts": SORTS,
        "words": wanted.words,
    }
    return render_tab(request, "article-comments", head, context)


def _marks(request: HttpRequest, article: Article) -> dict[int, list[TextMark]]:
    if not request.GET.get("q"):
        return {}
    texts = dict(Comment.shown.filter(article=article).values_list("pk", "text"))
    return {
        key: marks_of(texts[key], hits, f"hc{key}-")
        for key, hits in hits_by_text(request, DocumentKind.COMMENT, texts).items()
    }
