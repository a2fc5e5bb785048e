"""`/collections/`: texts that people gave, what became of their files, giving more, removing."""

from pathlib import Path
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from corpus_site.counts.corpus_counts import publication_counts, publications_counts
from corpus_site.removal import deleting
from corpus_site.removal.withdrawal_forms import ReasonForm
from extraction.withdrawal.register import Order, entry_of_publication, is_erased
from feeds.models import Publication, PublicationKind
from feeds.sources.collections import collection_of
from presentation.fragments import part_of
from presentation.wording.figures import counted
from search.asking.reference_lists import (
    keep_reference,
    remove_reference,
)
from search.collecting.forms import GivingForm, ReferenceListForm
from search.collecting.importing import TextWish, first_fault, offer
from search.collecting.uploads import keep_upload
from search.models import ReferenceList, TextImport

_MAY_GIVE = "feeds.add_publication"
_MAY_REMOVE = "feeds.change_publication"
_MAY_LIST = "search.add_referencelist"
_LISTED_IMPORTS = 50


@require_safe
def collections(request: HttpRequest) -> HttpResponse:
    """List the collections."""
    rows = list(Publication.collections.order_by("name"))
    counts = publications_counts([row.pk for row in rows], timezone.now())
    found = [{"collection": row, "counts": counts[row.pk]} for row in rows]
    lists = ReferenceList.objects.defer("body").select_related("owner")
    return render(request, "corpus_site/collections.html", {"rows": found, "lists": lists})


@require_safe
def collection(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a collection holds, and what became of the files that were given."""
    row = _row(slug)
    context = {
        "collection": row,
        "counts": publication_counts(row.pk, timezone.now()),
        "withdrawal": entry_of_publication(row),
        "is_erased": is_erased(row),
    }
    return render(request, "corpus_site/collection.html", context | _imports(request, row))


@require_safe
@part_of("collection")
def imports_part(request: HttpRequest, slug: str) -> HttpResponse:
    return render(request, "corpus_site/_text_imports.html", _imports(request, _row(slug)))


def _row(slug: str) -> Publication:
    rows = Publication.objects.filter(kind=PublicationKind.COLLECTION)
    return get_object_or_404(rows, slug=slug)


def _imports(request: HttpRequest, row: Publication) -> dict[str, Any]:
    """List the newest imports for those with an account: files may be named as nobody else should.

    Reads one query; none for readers without an account.
    """
    if not request.user.is_authenticated:
        return {"imports": [], "is_live": False}
    rows = list(
        TextImport.objects.filter(collection=row).select_related("asked_by")[:_LISTED_IMPORTS]
    )
    is_live = any(one.due_at is not None and one.quarantined_at is None for one in rows)
    return {"imports": rows, "is_live": is_live}


@permission_required(_MAY_GIVE, raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def give(request: HttpRequest) -> HttpResponse:
    """Take a file into a collection."""
    if request.method != "POST":
        known = Publication.collections.filter(slug=request.GET.get("to", "").replace("\0", ""))
        name = known.values_list("name", flat=True).first() or ""
        return _form_page(request, GivingForm(initial={"collection": name}))
    form = GivingForm(request.POST, request.FILES)
    if not form.is_valid():
        return _form_page(request, form)
    values, now = form.cleaned_data, timezone.now()
    file = values["file"]
    path = keep_upload(file.name, file.chunks())
    if fault := _fault_of(path, values):
        path.unlink(missing_ok=True)
        form.add_error("file", f"Nothing can be read of it. {fault}.")
        return _form_page(request, form)
    row = collection_of(values["collection"], now, values["note"])
    wish = TextWish(row, values["language"], values["encoding"], values["columns"], request.user.pk)
    offer(path, wish, now, file.name, is_upload=True)
    messages.success(request, f"{file.name} is read as soon as a worker is free.")
    return redirect("collection", slug=row.slug)


def _fault_of(path: Path, values: dict[str, Any]) -> str:
    wish = TextWish(Publication(), encoding=values["encoding"], columns=values["columns"])
    return first_fault(path, wish)


def _form_page(request: HttpRequest, form: GivingForm) -> HttpResponse:
    status = 400 if form.errors else 200
    return render(request, "corpus_site/giving_texts.html", {"form": form}, status=status)


@permission_required(_MAY_REMOVE, raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask why, then take a collection out of the corpus and out of all lists."""
    row = _row(slug)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        order = Order(form.cleaned_data["reason"], request.user, timezone.now())
        n_texts = deleting.delete_publication(row, order)
        words = f"{row.name} removed, {counted(n_texts, 'text')} withdrawn"
        messages.success(request, f"{words}; searches follow within a minute.")
        return redirect("collections")
    context = {"collection": row, "form": form, "n_texts": deleting.n_texts([row])}
    status = 400 if form.errors else 200
    return render(request, "corpus_site/removing_collection.html", context, status=status)


@permission_required(_MAY_REMOVE, raise_exception=True)
@require_POST
def restore(request: HttpRequest, slug: str) -> HttpResponse:
    """Put a removed collection back into the list, with its texts."""
    row = _row(slug)
    if deleting.restore_publication(row, request.user, timezone.now()):
        messages.success(request, f"{row.name} is back; its texts follow.")
    else:
        messages.info(request, f"{row.name} was not removed.")
    return redirect(reverse("collection", args=[row.slug]))


@permission_required(_MAY_LIST, raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def give_list(request: HttpRequest) -> HttpResponse:
    """Take a list of words to compare the corpus with."""
    form = ReferenceListForm(request.POST or None, request.FILES or None)
    if request.method != "POST" or not form.is_valid():
        status = 400 if form.errors else 200
        return render(request, "corpus_site/giving_list.html", {"form": form}, status=status)
    row, found = form.save(commit=False), form.found
    keep_reference(row, found, request.user)
    words = f"{row.name} is kept: {counted(row.n_words, 'word')}, {counted(row.n_tokens, 'token')}."
    if found.n_faults:
        words += f" {counted(found.n_faults, 'line')} left out: {' '.join(found.faults)}"
    messages.success(request, words)
    return redirect(f"{reverse('collections')}#lists")


@permission_required(_MAY_LIST, raise_exception=True)
@require_POST
def remove_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a list of words."""
    row = get_object_or_404(ReferenceList.objects.defer("body"), name=slug)
    remove_reference(row)
    messages.success(request, f"{row.name} is deleted.")
    return redirect(f"{reverse('collections')}#lists")
