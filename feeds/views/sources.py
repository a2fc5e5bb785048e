"""The settings of a publication, and what one press of a button does to it and its feeds.

The lists of sources and crawls show texts too, so they stand in `corpus_site.pages`.
"""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST

from feeds.forms import ExpectedLanguagesForm, PublicationForm
from feeds.models import Feed, Publication
from feeds.sources import publications, settings_history
from feeds.sources.publications import PublicationProblem
from feeds.sources.settings_history import kept_changes
from feeds.watching import turn_words

CHANGES_SHOWN = 50  # the latest


@permission_required("feeds.change_publication", raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def publication_settings(request: HttpRequest, slug: str) -> HttpResponse:
    publication = get_object_or_404(Publication.sites, slug=slug)
    form = PublicationForm(request.POST or None, instance=publication)
    if request.method == "POST" and form.is_valid():
        _save(request, publication, form)
        messages.success(request, "The settings are saved; they hold from the next visit on.")
        return redirect("source", slug=slug)
    context = {
        "publication": get_object_or_404(Publication.sites, slug=slug),
        "form": form,
        "changes": settings_history.changes_of(publication)[:CHANGES_SHOWN],
    }
    return render(request, "feeds/settings.html", context, status=400 if form.errors else 200)


@permission_required("feeds.change_publication", raise_exception=True)
@require_POST
def expected_languages(request: HttpRequest, slug: str) -> HttpResponse:
    publication = get_object_or_404(Publication.sites, slug=slug)
    form = ExpectedLanguagesForm(request.POST, instance=publication)
    if form.is_valid():
        _save(request, publication, form)
        messages.success(request, "The expected languages hold for texts read from now on.")
    else:
        messages.error(request, " ".join(map(str, form.errors["expected_languages"])))
    return redirect("source", slug=slug)


@permission_required("feeds.change_publication", raise_exception=True)
@require_POST
def publication_action(request: HttpRequest, slug: str, action: str) -> HttpResponse:
    publication = get_object_or_404(Publication.sites, slug=slug)
    act = {"pause": _pause, "resume": _resume, "visit": _visit_all}.get(action)
    if act is None:
        raise Http404
    now = timezone.now()
    try:
        with kept_changes([publication.pk], request.user, now):
            said = act(publication, now)
    except PublicationProblem as problem:
        messages.error(request, str(problem))
    else:
        messages.success(request, said)
    return _back(request, "source", slug=slug)


def _save(
    request: HttpRequest, publication: Publication, form: ExpectedLanguagesForm | PublicationForm
) -> None:
    """Write what a form has changed, and no column that workers write meanwhile."""
    with kept_changes([publication.pk], request.user, timezone.now()):
        form.instance.save(update_fields=form.changed_data)


def _pause(publication: Publication, now: datetime) -> str:
    publications.pause(publication, now)
    return f"{publication.name} is paused: no more visits until it is resumed."


def _resume(publication: Publication, now: datetime) -> str:
    publications.resume(publication, now)
    return f"{publication.name} runs again."


def _visit_all(publication: Publication, now: datetime) -> str:
    feeds = Feed.objects.filter(publication=publication, is_active=True)
    rows = list(feeds.select_related("publication", "page__host"))
    if not rows:
        sentence = f"{publication.name} has no feed that is switched on: there is nothing to visit."
        raise PublicationProblem(sentence, publication)
    for feed in rows:
        publications.visit_now(feed, now)
    return f"The feeds of {publication.name} are due now. {turn_words.of_feeds(rows, now)}"


@permission_required("feeds.change_feed", raise_exception=True)
@require_POST
def feed_action(request: HttpRequest, pk: int, action: str) -> HttpResponse:
    feed = get_object_or_404(Feed.objects.select_related("publication", "page__host"), pk=pk)
    act = {"pause": _pause_feed, "resume": _resume_feed, "visit": _visit_feed}.get(action)
    if act is None:
        raise Http404
    try:
        messages.success(request, act(feed, timezone.localtime()))
    except PublicationProblem as problem:
        messages.error(request, str(problem))
    return _back(request, "feed", pk=pk)


def _pause_feed(feed: Feed, now: datetime) -> str:
    publications.set_feed_active(feed, is_active=False, now=now)
    return f"{feed} is paused."


def _resume_feed(feed: Feed, now: datetime) -> str:
    publications.set_feed_active(feed, is_active=True, now=now)
    return f"{feed} runs again."


def _visit_feed(feed: Feed, now: datetime) -> str:
    publications.visit_now(feed, now)
    return f"{feed} is visited {turn_words.of_host(feed.page.host, now)}"


def _back(request: HttpRequest, name: str, **parameters: Any) -> HttpResponse:
    """Return to the page where the button was, if that is one of ours."""
    target = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()}):
        return HttpResponseRedirect(target)
    return HttpResponseRedirect(reverse(name, kwargs=parameters))
