"""`/part/frame/<fetch>/`: a stored page for a sandboxed frame, under its own strict policy."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from extraction.models import Article
from feeds.models import Fetch
from presentation.fragments import lead_to_page
from presentation.frames import confine
from search.articles.archived import SHOWS, archived_page


@require_safe
@xframe_options_sameorigin
def frame(request: HttpRequest, fetch_id: int) -> HttpResponse:
    fetch = get_object_or_404(Fetch, pk=fetch_id)
    if request.headers.get("Sec-Fetch-Dest") == "document":
        return _refuse(request, fetch)
    show = request.GET.get("show")
    context = {"page": archived_page(fetch), "show": show if show in dict(SHOWS) else "both"}
    response = render(request, "search/frame.html", context)
    return confine(response)


def _refuse(request: HttpRequest, fetch: Fetch) -> HttpResponse:
    """Answer a direct visit with a link to the page that holds the frame."""
    article = Article.objects.filter(page=fetch.page_id).only("pk").first()
    address = reverse("article-page", args=[article.pk]) if article else reverse("articles")
    return lead_to_page(request, address)
