"""`/articles/…/fetch-again/`: editors ask for the pages of articles once more."""

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from extraction.models import Article
from feeds import revisits
from feeds.models import Page
from presentation.primary_keys import primary_key
from presentation.wording.figures import counted
from search.forms import BrowseForm

# More would keep a host busy for days; the publication's page asks for the last days.
MOST_AT_ONCE = 20_000


@permission_required("feeds.change_publication", raise_exception=True)
@require_POST
def fetch_article_again(request: HttpRequest, article_id: int) -> HttpResponse:
    pages = Page.objects.select_related("host", "publication")
    page = get_object_or_404(pages, article=article_id)
    now = timezone.localtime()
    revisits.fetch_again([page.pk], now, f"asked for by {request.user}")
    words = revisits.turn_words(page, now)
    messages.success(request, f"The page is visited again: {words}. The timeline says what came.")
    return redirect("article-timeline", article_id)


@permission_required("feeds.change_publication", raise_exception=True)
@require_POST
def fetch_articles_again(request: HttpRequest) -> HttpResponse:
    """Ask for those that were ticked, or for all that the list's filters let through."""
    form = BrowseForm(request.POST)
    if request.POST.get("all") and form.is_valid():
        chosen = form.to_request().matches().order_by("-dated_at")
    else:
        ticked = [primary_key(value) for value in request.POST.getlist("article")]
        chosen = Article.objects.filter(pk__in=[pk for pk in ticked if pk])
    on_pages = chosen.filter(page__isnull=False)
    pages = list(on_pages.values_list("page", flat=True)[:MOST_AT_ONCE])
    n = revisits.fetch_again(pages, timezone.localtime(), f"asked for by {request.user}")
    if n:
        words = counted(n, "page is", "pages are")
        messages.success(request, f"{words} due now, at the pace of their hosts.")
    else:
        messages.error(request, "Tick the articles whose pages are to be visited again.")
    given = form.given() if form.is_valid() else {}
    query = f"?{urlencode(given)}" if given else ""
    return redirect(f"{reverse('articles')}{query}")
