"""`/articles/<id>/tagged/`: every word with its tag or lemma, and who decided it."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from search.articles.tagged import SENTENCES_PER_PAGE, TaggedRequest, tagged_text
from search.forms import TaggedForm
from search.index.documents import DocumentKind
from search.views.article_tabs import load_head, render_tab
from search.views.hit_bar import hits_by_text, split_hit
from search.views.search_form import form_of


@require_safe
def article_tagged(request: HttpRequest, article_id: int) -> HttpResponse:
    head = load_head(article_id)
    form = TaggedForm(request.GET)
    hits = hits_by_text(request, DocumentKind.ARTICLE, [article_id]).get(article_id, [])
    hit = form_of(request).value("hit") if hits else ""
    text = tagged_text(
        TaggedRequest(
            head.article,
            hits=tuple(hits),
            first=form.value("s") or 0,
            chosen=form.value("t") or 0,
            shown=split_hit(hit)[2] + 1 if hit else 0,
        )
    )
    context = {
        "tab_title": "Tagged",
        "text": text,
        "show": form.value("show") or "tag",
        "shows_all": form.value("all"),
        "form": form,
        "before": max(1, text.first - SENTENCES_PER_PAGE) if text.first > 1 else 0,
        "after": text.last + 1 if text.last < text.n_sentences else 0,
    }
    return render_tab(request, "article-tagged", head, context)
