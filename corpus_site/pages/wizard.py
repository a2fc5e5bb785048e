"""Add a publication: address → feeds found → articles as they will be stored → start.

One page. The investigation is kept as a draft with its own address, so the
editor may leave and come back. Nothing is crawled before "Start".
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from corpus_site.accounts.models import User
from corpus_site.drafts import Draft, make_draft
from corpus_site.forms import AddressForm, StartForm
from extraction.source_files import starter_list
from feeds.crawler.documents.feed_document import FeedKind
from feeds.models import Publication, SourceDraft
from feeds.sources.discovery import Investigation, investigate, site_terms
from feeds.sources.publications import (
    NewFeed,
    NewPublication,
    PublicationProblem,
    activate,
    add_feeds,
    create_publication,
    find_feed,
    find_publication_by_slug,
)
from presentation.primary_keys import primary_key
from presentation.wording.figures import counted

MAX_OWN_DRAFTS = 5  # more than one leaves open; older ones keep their addresses
# Letters of a name that is looked up: "die" stands in too many.
LEAST_NAME, MAX_NAME = 4, 200
MAX_NAMED = 5  # addresses in one sentence
_STARTED = {
    False: "Started. The first visit is under way.",
    True: "The feeds are added; their first visit is under way where the publication runs.",
}


@permission_required("feeds.add_publication", raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def add_source(request: HttpRequest) -> HttpResponse:
    if "draft" in request.GET:
        return _draft(request)
    if request.method == "POST":
        return _forget(request) if "forget" in request.POST else _investigate(request)
    return _address_page(request, AddressForm(initial={"address": request.GET.get("address", "")}))


def _address_page(
    request: HttpRequest, form: AddressForm, found: Investigation | None = None
) -> HttpResponse:
    context = {
        "form": form,
        "tried": found.tried if found else (),
        "suggestion": found.suggestion if found else "",
        "known": _named_so(found.address) if found else None,
        "drafts": _own_drafts(request),
        "starters": starter_list.offered(),
        "nameless": starter_list.WITHOUT_ADDRESS,
    }
    status = 400 if form.errors else 200
    return render(request, "corpus_site/add_address.html", context, status=status)


def _named_so(typed: str) -> Publication | None:
    """Find the publication whose name somebody typed instead of an address."""
    words = " ".join(typed.split())[:MAX_NAME]
    # PostgreSQL takes no NUL, and no name has one.
    if len(words) < LEAST_NAME or "\0" in words:
        return None
    return Publication.kept.filter(name__icontains=words).first()


def drafts_for(request: HttpRequest) -> QuerySet[SourceDraft]:
    """Give the drafts that a person may open, start and drop: the own ones; an admin's are all."""
    is_admin = isinstance(request.user, User) and request.user.is_admin
    rows = SourceDraft.objects.all()
    return rows if is_admin else rows.filter(owner=request.user.pk)


def _own_drafts(request: HttpRequest) -> Sequence[SourceDraft]:
    """Drafts that wait for their Start; those of sites that are followed by now do not."""
    drafts = SourceDraft.objects.filter(owner=request.user.pk, publication=None)
    rows = list(
        drafts.defer("findings").annotate(
            home=KeyTextTransform("home_url", "findings"),
            joins=KeyTextTransform("joins", "findings"),
        )
    )
    homes = [row.home for row in rows if row.home and not row.joins]
    followed = set(
        Publication.objects.filter(home_url__in=homes).values_list("home_url", flat=True)
    )
    return [row for row in rows if row.joins or row.home not in followed][:MAX_OWN_DRAFTS]


def _forget(request: HttpRequest) -> HttpResponse:
    """Drop a draft; whoever presses twice has dropped it as well."""
    row = SourceDraft.objects.filter(pk=primary_key(request.POST["forget"]) or 0).first()
    if row is not None:
        get_object_or_404(drafts_for(request), pk=row.pk, publication=None).delete()
    messages.success(request, "Forgotten; nothing of it was stored.")
    return redirect("source-add")


def _investigate(request: HttpRequest) -> HttpResponse:
    form = AddressForm(request.POST)
    if not form.is_valid():
        return _address_page(request, form)
    now = timezone.now()
    found = investigate(form.cleaned_data["address"], site_terms(), now)
    if found.problem:
        form.add_error("address", found.problem)
        return _address_page(request, form, found)
    if found.known_publication:
        found = _without_known_feeds(found)
        if not found.good_feeds:
            messages.info(request, _known_sentence(found))
            return redirect("source", slug=found.known_publication)
    draft = SourceDraft.objects.create(
        address=found.address,
        owner=get_object_or_404(User, pk=request.user.pk or 0),
        findings=make_draft(found, now).to_json(),
        created_at=now,
    )
    return redirect(f"{reverse('source-add')}?draft={draft.pk}")


def _known_sentence(found: Investigation) -> str:
    """Say that a publication is known, and which of its feeds are not followed, and why."""
    if not found.feeds:
        return "This publication is known already, with all of its feeds; here it is."
    n = counted(len(found.feeds), "feed is", "feeds are")
    which = ", ".join(f"{feed.url} ({feed.verdict})" for feed in found.feeds[:MAX_NAMED])
    more = " …" if len(found.feeds) > MAX_NAMED else ""
    return (
        "This publication is known already, and all of its feeds that bring something new are "
        f"followed; here it is. {n} not followed: {which}{more}. To follow one, paste its address."
    )


def _without_known_feeds(found: Investigation) -> Investigation:
    """Leave the feeds that are not followed yet; stories are followed where there is no feed."""
    feeds = tuple(
        feed
        for feed in found.feeds
        if feed.kind is not FeedKind.INDEX and find_feed(feed.url) is None
    )
    return replace(found, feeds=feeds)


def _draft(request: HttpRequest) -> HttpResponse:
    row = get_object_or_404(
        drafts_for(request).select_related("publication"), pk=primary_key(request.GET["draft"])
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
            messages.success(request, _STARTED[bool(draft.joins)])
            return redirect("source", slug=slug)
    return _draft_page(request, draft, form)


def _draft_page(request: HttpRequest, draft: Draft, form: StartForm) -> HttpResponse:
    chosen = form["feeds"].value() or []
    name = " ".join(str(form["name"].value() or "").replace("\0", "").split())
    context = {
        "now": timezone.localtime(),
        "draft": draft,
        "form": form,
        "same_named": [] if draft.joins else list(Publication.kept.filter(name__iexact=name)),
        "chosen": chosen,
        "n_chosen": len(chosen),
    }
    status = 400 if form.errors else 200
    return render(request, "corpus_site/add_draft.html", context, status=status)


def _start(row: SourceDraft, draft: Draft, choices: dict[str, Any]) -> str:
    """Create and start the publication, or add feeds to a known one; returns its slug."""
    now = timezone.now()
    ticked = set(choices["feeds"])
    feeds = tuple(
        NewFeed(feed.url, feed.title, feed.how, feed.kind)
        for feed in draft.feeds
        if feed.url in ticked
    )
    with transaction.atomic():
        publication = find_publication_by_slug(draft.joins)
        if publication is not None:
            add_feeds(publication, feeds, now)
        else:
            publication = create_publication(_new_publication(draft, feeds, choices), now)
            activate(publication, now)
        SourceDraft.objects.filter(pk=row.pk).update(publication=publication)
    return publication.slug


def _new_publication(
    draft: Draft, feeds: tuple[NewFeed, ...], choices: dict[str, Any]
) -> NewPublication:
    return NewPublication(
        name=choices["name"],
        home_url=draft.home_url,
        feeds=feeds,
        language=draft.language,
        allow_browser_agent=choices["allow_browser_agent"],
        min_delay_seconds=choices["min_delay_seconds"],
    )
