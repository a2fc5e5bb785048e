"""The draft of the wizard: what was found, what is chosen of it so far, and the start.

Every button of its form but Start keeps what was chosen and typed. Who may open drafts is said
here.
"""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from corpus_site import pipeline, tasks
from corpus_site.accounts.models import User
from corpus_site.adding import look_ups
from corpus_site.adding.draft_rules import save_rules
from corpus_site.adding.patterns import PatternPreview, preview, sentence_of
from corpus_site.adding.timeline_pasts import estimates, wish_of
from corpus_site.drafts import Draft, DraftSample
from corpus_site.forms import StartForm
from feeds.crawler.documents.feed_document import FeedKind
from feeds.crawler.rendering.renderer import what_is_missing
from feeds.models import Publication, SourceDraft
from feeds.sources.naming import of_name
from feeds.sources.publications import (
    NewFeed,
    NewPublication,
    PublicationProblem,
    activate,
    add_feeds,
    create_publication,
    find_publication_by_slug,
)
from feeds.sources.settings_history import kept_changes
from presentation.fragments import is_fragment_request, lead_to_page
from presentation.primary_keys import primary_key

MAY_ADD = permission_required("feeds.add_publication", raise_exception=True)
_STARTED = {
    False: "Started. The first visit is under way.",
    True: "The feeds are added; their first visit is under way where the publication runs.",
}


def drafts_for(request: HttpRequest) -> QuerySet[SourceDraft]:
    """Give the drafts that a person may open, start and drop: the own ones; an admin's are all."""
    is_admin = isinstance(request.user, User) and request.user.is_admin
    rows = SourceDraft.objects.all()
    return rows if is_admin else rows.filter(owner=request.user.pk)


def draft_address(pk: int) -> str:
    """Give the address of a draft's page."""
    return f"{reverse('source-add')}?draft={pk}"


def again(request: HttpRequest, row: SourceDraft) -> HttpResponse:
    del request
    look_ups.ask_again(row, timezone.now())
    wake_workers()
    return redirect(draft_address(row.pk))


def wake_workers() -> None:
    """Tell Celery's workers; local ones look for work each second."""
    if settings.REDIS_URL:
        tasks.hint(pipeline.BY_NAME["look-up"])


def draft_view(request: HttpRequest, row: SourceDraft) -> HttpResponse:
    """Show a draft whose look-up has ended well; take its form."""
    draft = Draft.from_json(row.findings)
    if request.method != "POST":
        form = StartForm(draft, choices=row.choices, is_change=row.is_change)
        return _draft_page(request, row, draft, form)
    form = StartForm(draft, request.POST, is_change=row.is_change)
    act = request.POST.get("act", "")
    if act:
        return _keep_choices(request, row, form, act)
    if form.is_valid() and not form.refuse_none(_preview(draft, request.POST)):
        try:
            return _start(request, row, draft, form.cleaned_data)
        except PublicationProblem as problem:
            form.add_error(None, str(problem))
    return _draft_page(request, row, draft, form)


@MAY_ADD
@require_safe
def patterns_part(request: HttpRequest, pk: int) -> HttpResponse:
    """Say what patterns that are being typed let in."""
    if not is_fragment_request(request):
        return lead_to_page(request, draft_address(pk))
    row = get_object_or_404(drafts_for(request), pk=pk, findings__has_key="feeds")
    found = _preview(Draft.from_json(row.findings), request.GET)
    return render(request, "corpus_site/_draft_let_in.html", _let_in(found))


def _preview(draft: Draft, given: QueryDict) -> PatternPreview:
    return _preview_of(
        draft,
        given.getlist("feeds"),
        given.get("include_pattern", ""),
        given.get("exclude_pattern", ""),
    )


def _preview_of(draft: Draft, ticked: Sequence[str], include: str, exclude: str) -> PatternPreview:
    chosen = [feed for feed in draft.feeds if feed.url in ticked or feed.is_followed]
    return preview(chosen, include, exclude)


def _let_in(found: PatternPreview) -> dict[str, Any]:
    return {"let_in": found, "let_in_words": sentence_of(found)}


def _keep_choices(
    request: HttpRequest, row: SourceDraft, form: StartForm, act: str
) -> HttpResponse:
    """Keep what was chosen so far, and go where the button leads."""
    SourceDraft.objects.filter(pk=row.pk).update(choices=form.so_far())
    if act == "later":
        messages.success(request, "Kept. The draft waits under “Add a publication”.")
        return redirect("sources")
    if act == "again":
        return again(request, row)
    page, _, field = act.removeprefix("judge:").partition(":")
    if act.startswith("judge:") and primary_key(page):
        address = reverse("draft-samples", args=[row.pk])
        return redirect(f"{address}?{urlencode({'article': page, 'field': field})}")
    return redirect(f"{draft_address(row.pk)}#h-p")


def _draft_page(
    request: HttpRequest, row: SourceDraft, draft: Draft, form: StartForm
) -> HttpResponse:
    chosen = form["feeds"].value() or []
    name = " ".join(str(form["name"].value() or "").replace("\0", "").split())
    patterns = [str(form[field].value() or "") for field in ("include_pattern", "exclude_pattern")]
    context = {
        "now": timezone.localtime(),
        "row": row,
        "draft": draft,
        "form": form,
        "same_named": [] if draft.joins else of_name(name),
        "chosen": chosen,
        "n_chosen": len(chosen),
        "samples": _with_pages(row, draft),
        "pasts": list(estimates(draft)),
        "missing_to_draw": what_is_missing() if draft.n_drawn_by_scripts else "",
        **_let_in(_preview_of(draft, chosen, *patterns)),
    }
    status = 400 if form.errors else 200
    return render(request, "corpus_site/add_draft.html", context, status=status)


def _with_pages(row: SourceDraft, draft: Draft) -> list[tuple[DraftSample, int | None]]:
    """Give the samples, each with the key of its page where that was kept."""
    pages = dict(row.pages.values_list("url", "pk"))
    return [(sample, pages.get(sample.url)) for sample in draft.samples]


def _start(
    request: HttpRequest, row: SourceDraft, draft: Draft, choices: dict[str, Any]
) -> HttpResponse:
    """Create and start the publication, or change a known one."""
    now, ticked = timezone.now(), set(choices["feeds"])
    past = wish_of(choices.get("past_n"), choices.get("past_unit", ""), now)
    feeds = tuple(
        NewFeed(
            feed.url,
            feed.title,
            feed.how,
            feed.kind,
            past if feed.kind == FeedKind.TIMELINE else None,
        )
        for feed in draft.feeds
        if feed.url in ticked
    )
    with transaction.atomic():
        publication = find_publication_by_slug(draft.joins)
        if publication is None:
            publication = create_publication(_new_publication(draft, feeds, choices), now)
            save_rules(row, publication, request.user.pk or 0, now)
            activate(publication, now)
        else:
            _change(request, row, publication, feeds, choices)
        SourceDraft.objects.filter(pk=row.pk).update(publication=publication)
        row.pages.all().delete()
    messages.success(request, _said(row, draft))
    page = "rules" if draft.joins and row.rules else "source"
    return redirect(page, slug=publication.slug)


def _said(row: SourceDraft, draft: Draft) -> str:
    if draft.joins and row.rules:
        return "The picked rules are a draft: see here what they do to stored articles, publish it."
    if row.is_change:
        return "Saved. New feeds are visited at once where the publication runs."
    return _STARTED[bool(draft.joins)]


def _change(
    request: HttpRequest,
    row: SourceDraft,
    publication: Publication,
    feeds: tuple[NewFeed, ...],
    choices: dict[str, Any],
) -> None:
    """Add feeds to a known publication; of one that was looked at again, its patterns too."""
    now = timezone.now()
    add_feeds(publication, feeds, now)
    save_rules(row, publication, request.user.pk or 0, now)
    if row.is_change:
        names = ("include_pattern", "exclude_pattern")
        with kept_changes([publication.pk], request.user, now):
            Publication.objects.filter(pk=publication.pk).update(
                **{name: choices[name] for name in names}
            )


def _new_publication(
    draft: Draft, feeds: tuple[NewFeed, ...], choices: dict[str, Any]
) -> NewPublication:
    return NewPublication(
        name=choices["name"],
        home_url=draft.home_url,
        feeds=feeds,
        language=draft.language,
        allow_browser_agent=choices["allow_browser_agent"],
        render_pages=choices["render_pages"],
        min_delay_seconds=choices["min_delay_seconds"],
        include_pattern=choices["include_pattern"],
        exclude_pattern=choices["exclude_pattern"],
    )
