"""What editors do to many publications at once: those ticked in the list, or all of its filter."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from corpus_site.pages.sources import given_query, wanted_sources
from corpus_site.removal import deleting
from corpus_site.removal.withdrawal_forms import ReasonForm
from corpus_site.source_list import source_list
from extraction.withdrawal.register import Order
from feeds.models import Feed, Publication, PublicationState
from feeds.sources import publications, tags
from feeds.sources.publications import PublicationProblem
from presentation.primary_keys import primary_key
from presentation.wording.figures import counted

_ACTS = frozenset({"pause", "resume", "visit", "tag", "untag", "delete", "delete-now", "export"})


@permission_required("feeds.change_publication", raise_exception=True)
@require_POST
def selected(request: HttpRequest) -> HttpResponse:
    """Do something to the publications that were ticked, or to all that the filter shows."""
    act = request.POST.get("act", "")
    if act not in _ACTS:
        return HttpResponseBadRequest("This is nothing to do.", content_type="text/plain")
    rows = _chosen(request)
    if not rows:
        messages.info(request, "No publication was ticked.")
        return _back(request)
    if act.startswith("delete"):
        return _delete(request, rows, is_sure=act == "delete-now")
    if act == "export":
        slugs = "&".join(f"pub={row.slug}" for row in rows)
        return redirect(f"{reverse('sources-export')}?format=json&{slugs}")
    try:
        messages.success(request, _DO[act](request, rows))
    except PublicationProblem as problem:
        messages.error(request, str(problem))
    return _back(request)


def _chosen(request: HttpRequest) -> list[Publication]:
    """Give the publications that were ticked, or all that the list's filter lets through."""
    if request.POST.get("all") == "1":
        wanted = wanted_sources(QueryDict(request.POST.get("given", "")))
        ids = [row.pk for row in source_list(wanted, timezone.localtime()).shown]
    else:
        ids = [key for key in map(primary_key, request.POST.getlist("pub")) if key]
    found = Publication.kept.in_bulk(ids)
    return [found[pk] for pk in dict.fromkeys(ids) if pk in found]


def _back(request: HttpRequest) -> HttpResponse:
    given = given_query(QueryDict(request.POST.get("given", "")))
    return redirect(f"{reverse('sources')}?{given}" if given else "sources")


def _pause(request: HttpRequest, rows: Sequence[Publication]) -> str:  # noqa: ARG001 (acts share a signature)
    running = [row for row in rows if row.state == PublicationState.ACTIVE]
    for row in running:
        publications.pause(row, timezone.now())
    return f"{counted(len(running), 'publication')} paused; {_others(rows, running)}."


def _resume(request: HttpRequest, rows: Sequence[Publication]) -> str:  # noqa: ARG001 (as above)
    resting = [row for row in rows if row.state != PublicationState.ACTIVE]
    for row in resting:
        publications.resume(row, timezone.now())
    return f"{counted(len(resting), 'publication')} started or resumed; {_others(rows, resting)}."


def _visit(request: HttpRequest, rows: Sequence[Publication]) -> str:  # noqa: ARG001 (as above)
    feeds = Feed.objects.filter(
        publication__in=rows, publication__state=PublicationState.ACTIVE, is_active=True
    ).select_related("publication")
    for feed in feeds:
        publications.visit_now(feed, timezone.now())
    return f"{counted(len(feeds), 'feed')} due now; their hosts’ turns decide the moment."


def _others(rows: Sequence[Publication], done: Sequence[Publication]) -> str:
    n_left = len(rows) - len(done)
    return f"{n_left} as they were" if n_left else "none left out"


def _tag(request: HttpRequest, rows: Sequence[Publication]) -> str:
    name = tags.clean_tag(request.POST.get("tag", ""))
    n_new = tags.add_tags({row.pk: [name] for row in rows})
    return f"{counted(n_new, 'publication')} tagged “{name}”."


def _untag(request: HttpRequest, rows: Sequence[Publication]) -> str:
    name = tags.clean_tag(request.POST.get("tag", ""))
    n_gone = tags.remove_tag([row.pk for row in rows], name)
    return f"“{name}” taken off {counted(n_gone, 'publication')}."


_DO: dict[str, Callable[[HttpRequest, Sequence[Publication]], str]] = {
    "pause": _pause,
    "resume": _resume,
    "visit": _visit,
    "tag": _tag,
    "untag": _untag,
}


def _delete(request: HttpRequest, rows: Sequence[Publication], *, is_sure: bool) -> HttpResponse:
    """Ask once more, with the number of texts and for a reason; then delete."""
    form = ReasonForm(request.POST if is_sure else None)
    if form.is_valid():
        order = Order(form.cleaned_data["reason"], request.user, timezone.now())
        n_texts = sum(deleting.delete_publication(row, order) for row in rows)
        messages.success(
            request,
            f"{counted(len(rows), 'publication')} deleted, {counted(n_texts, 'article')} "
            "withdrawn; searches follow within a minute.",
        )
        return _back(request)
    context: dict[str, Any] = {
        "form": form,
        "rows": rows,
        "n_texts": deleting.n_texts(rows),
        "given": request.POST.get("given", ""),
    }
    status = 400 if form.errors else 200
    return render(request, "corpus_site/deleting_sources.html", context, status=status)


@permission_required("feeds.change_publication", raise_exception=True)
@require_POST
def restore(request: HttpRequest, slug: str) -> HttpResponse:
    """Put a deleted publication back into the list, paused, with its texts."""
    publication = get_object_or_404(Publication.sites, slug=slug)
    if deleting.restore_publication(publication, request.user, timezone.now()):
        messages.success(request, f"{publication.name} is back, paused; its texts follow.")
    else:
        messages.info(request, f"{publication.name} was not deleted.")
    return redirect("source", slug=slug)
