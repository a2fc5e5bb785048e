"""Add a publication: address → look-up → feeds and articles as they will be stored → start.

The look-up is a stage's work and is watched on its page; what it finds is kept as a draft with its
own address, so the editor may leave and come back. Nothing is crawled before "Start". A publication
that is there already goes the same way to be looked at again. The draft: `wizard_draft`, its
samples: `wizard_samples`.
"""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.db.models.fields.json import KeyTextTransform
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_safe

from corpus_site.adding import look_ups
from corpus_site.forms import AddressForm
from corpus_site.pages.wizard_draft import (
    MAY_ADD,
    again,
    draft_address,
    draft_view,
    drafts_for,
    wake_workers,
)
from extraction.source_files import starter_list
from feeds.crawler.addressing.typed_address import BadAddressError, read_typed
from feeds.models import Publication, SourceDraft
from presentation.fragments import is_fragment_request, lead_to_page
from presentation.primary_keys import primary_key

MAX_OWN_DRAFTS = 5  # more than one leaves open; older ones keep their addresses
# Letters of a name that is looked up: "die" stands in too many.
LEAST_NAME, MAX_NAME = 4, 200
_FAILED = (
    "The look-up failed three times, which is a fault of this program: its log says more. The "
    "address may work all the same."
)


@MAY_ADD
@require_http_methods(["GET", "HEAD", "POST"])
def add_source(request: HttpRequest) -> HttpResponse:
    if "draft" in request.GET:
        return _draft(request)
    if request.method != "POST":
        given = {"address": request.GET.get("address", "")}
        return _address_page(request, AddressForm(initial=given))
    for name, act in (("forget", _forget), ("change_of", _look_again)):
        if name in request.POST:
            return act(request)
    return _ask(request)


def _address_page(
    request: HttpRequest, form: AddressForm, found: dict[str, Any] | None = None
) -> HttpResponse:
    said = found or {}
    context = {
        "form": form,
        "tried": said.get("tried", ()),
        "suggestion": said.get("suggestion", ""),
        "known": _named_so(said["address"]) if "address" in said else None,
        "drafts": _own_drafts(request),
        "starters": starter_list.offered(),
        "nameless": starter_list.WITHOUT_ADDRESS,
    }
    status = 400 if form.errors and request.method == "POST" else 200
    return render(request, "corpus_site/add_address.html", context, status=status)


def _named_so(typed: str) -> Publication | None:
    """Find the publication whose name somebody typed instead of an address."""
    words = " ".join(typed.split())[:MAX_NAME]
    # PostgreSQL takes no NUL, and no name has one.
    if len(words) < LEAST_NAME or "\0" in words:
        return None
    return Publication.kept.filter(name__icontains=words).first()


def _own_drafts(request: HttpRequest) -> Sequence[SourceDraft]:
    """Drafts that wait for their Start; those of sites that are followed by now do not."""
    drafts = SourceDraft.objects.filter(owner=request.user.pk, publication=None)
    rows = list(
        drafts.exclude(due_at=None, findings__has_key="problem")
        .defer("findings")
        .annotate(
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


def _ask(request: HttpRequest) -> HttpResponse:
    """Begin a look-up, where what was typed may be an address."""
    form = AddressForm(request.POST)
    if not form.is_valid():
        return _address_page(request, form)
    address = form.cleaned_data["address"]
    try:
        read_typed(address)
    except BadAddressError as problem:
        form.add_error("address", str(problem))
        said = {"suggestion": problem.suggestion, "address": address}
        return _address_page(request, form, said)
    return _begin(request, address)


def _look_again(request: HttpRequest) -> HttpResponse:
    """Look at a publication again that is there already."""
    publication = get_object_or_404(Publication.kept, slug=request.POST["change_of"])
    return _begin(request, publication.home_url, publication)


def _begin(
    request: HttpRequest, address: str, change_of: Publication | None = None
) -> HttpResponse:
    row = look_ups.ask(address, request.user.pk or 0, timezone.now(), change_of)
    wake_workers()
    return redirect(draft_address(row.pk))


def _draft(request: HttpRequest) -> HttpResponse:
    rows = drafts_for(request).select_related("publication")
    row = get_object_or_404(rows, pk=primary_key(request.GET["draft"]))
    if row.publication:
        if row.findings.get("known"):
            messages.info(request, row.findings["known"])
        return redirect("source", slug=row.publication.slug)
    if row.due_at is not None or "feeds" not in row.findings:
        return _unfinished(request, row)
    return draft_view(request, row)


def _unfinished(request: HttpRequest, row: SourceDraft) -> HttpResponse:
    """Show a look-up that runs, or what went wrong with one; both may be done again or dropped."""
    if request.method == "POST":
        act = {"stop": _stop, "again": again}.get(request.POST.get("act", ""))
        return act(request, row) if act else redirect(draft_address(row.pk))
    if row.due_at is not None and row.quarantined_at is None:
        return render(request, "corpus_site/add_look_up.html", _look_up_context(row))
    form = AddressForm({"address": row.address})
    form.is_valid()
    form.add_error("address", row.findings.get("problem") or _FAILED)
    return _address_page(request, form, row.findings | {"address": row.address})


def _look_up_context(row: SourceDraft) -> dict[str, Any]:
    return {"row": row, "progress": row.progress, "now": timezone.localtime()}


def _stop(request: HttpRequest, row: SourceDraft) -> HttpResponse:
    """Drop a look-up that runs: whoever works on it gives its hosts back."""
    row.delete()
    messages.success(request, "Stopped; nothing of it was stored.")
    if row.is_change:
        return redirect("source", slug=row.findings["joins"])
    return redirect(f"{reverse('source-add')}?{urlencode({'address': row.address})}")


@MAY_ADD
@require_safe
def look_up_part(request: HttpRequest, pk: int) -> HttpResponse:
    """Give the progress of a look-up; when it has ended, lead to what it found."""
    if not is_fragment_request(request):
        return lead_to_page(request, draft_address(pk))
    row = drafts_for(request).filter(pk=pk).first()
    if row is None or row.due_at is None or row.quarantined_at is not None:
        return HttpResponse(headers={"HX-Redirect": draft_address(pk)})
    return render(request, "corpus_site/_look_up.html", _look_up_context(row))
