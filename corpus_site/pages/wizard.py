"""Add a publication: address → feeds found → articles as they will be stored → start.

One page (screens.md, 5.2). The investigation is kept as a draft with its own address, so the
editor may leave and come back. Nothing is crawled before "Start".
"""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from corpus_site.accounts.models import User
from corpus_site.drafts import Draft, make_draft
from corpus_site.forms import AddressForm, StartForm
from feeds.discovery import investigate, site_terms
from feeds.models import SourceDraft
from feeds.publications import (
    NewFeed,
    NewPublication,
    PublicationProblem,
    activate,
    create_publication,
)
from search.views.primary_keys import primary_key

MAX_OWN_DRAFTS = 5


@permission_required("feeds.add_publication", raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def add_source(request: HttpRequest) -> HttpResponse:
    if "draft" in request.GET:
        return _draft(request)
    if request.method == "POST":
        return _investigate(request)
    return _address_page(request, AddressForm(initial={"address": request.GET.get("address", "")}))


def _address_page(
    request: HttpRequest, form: AddressForm, tried: tuple[str, ...] = ()
) -> HttpResponse:
    context = {"form": form, "tried": tried, "drafts": _own_drafts(request)}
    status = 400 if form.errors else 200
    return render(request, "corpus_site/add_address.html", context, status=status)


def _own_drafts(request: HttpRequest) -> list[SourceDraft]:
    drafts = SourceDraft.objects.filter(owner=request.user.pk, publication=None)
    return list(drafts.defer("findings")[:MAX_OWN_DRAFTS])


def _investigate(request: HttpRequest) -> HttpResponse:
    form = AddressForm(request.POST)
    if not form.is_valid():
        return _address_page(request, form)
    now = timezone.now()
    found = investigate(form.cleaned_data["address"], site_terms(), now)
    if found.known_publication:
        messages.info(request, "This publication is known already; here it is.")
        return redirect("source", slug=found.known_publication)
    if found.problem:
        form.add_error("address", found.problem)
        return _address_page(request, form, found.tried)
    draft = SourceDraft.objects.create(
        address=found.address,
        owner=get_object_or_404(User, pk=request.user.pk or 0),
        findings=make_draft(found, now).to_json(),
        created_at=now,
    )
    return redirect(f"{reverse('source-add')}?draft={draft.pk}")


def _draft(request: HttpRequest) -> HttpResponse:
    row = get_object_or_404(
        SourceDraft.objects.select_related("publication"), pk=primary_key(request.GET["draft"])
    )
    if row.publication:
        return redirect("source", slug=row.publication.slug)
    draft = Draft.from_json(row.findings)
    if request.method != "POST":
        return _draft_page(request, draft, StartForm(draft))
    form = StartForm(draft, request.POST)
    if form.is_valid():
        try:
            slug = _start(row, draft, form.cleaned_data)
        except PublicationProblem as problem:
            form.add_error(None, str(problem))
        else:
            messages.success(request, "Started. The first visit is under way.")
            return redirect("source", slug=slug)
    return _draft_page(request, draft, form)


def _draft_page(request: HttpRequest, draft: Draft, form: StartForm) -> HttpResponse:
    chosen = form["feeds"].value() or []
    context = {
        "now": timezone.localtime(),
        "draft": draft,
        "form": form,
        "chosen": chosen,
        "n_chosen": len(chosen),
    }
    status = 400 if form.errors else 200
    return render(request, "corpus_site/add_draft.html", context, status=status)


def _start(row: SourceDraft, draft: Draft, choices: dict[str, Any]) -> str:
    """Create and start the publication; returns its slug."""
    now = timezone.now()
    ticked = set(choices["feeds"])
    new = NewPublication(
        name=choices["name"],
        home_url=draft.home_url,
        feeds=tuple(
            NewFeed(feed.url, feed.title, feed.how) for feed in draft.feeds if feed.url in ticked
        ),
        language=draft.language,
        allow_browser_agent=choices["allow_browser_agent"],
        min_delay_seconds=choices["min_delay_seconds"],
    )
    with transaction.atomic():
        publication = create_publication(new, now)
        activate(publication, now)
        SourceDraft.objects.filter(pk=row.pk).update(publication=publication)
    return publication.slug
