"""Adding, changing and removing a word of the lexicon; nothing is saved before its effect is seen.

A form is sent twice: to look at what it would change, and to save it. The second time it carries
the digest of the lexicon that was looked at, so that nobody saves over a change of somebody else.
"""

from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from presentation.primary_keys import primary_key
from presentation.wording.figures import counted
from search.engine.annotation.tagset import TAGS
from search.forms import LexiconForm, PasteForm
from search.lexicon import entries as in_force
from search.lexicon.changes import EntryValues, entry_for, remove_entry, save_entries, values_of
from search.lexicon.effects import Effect, effect
from search.lexicon.paste import COLUMNS, PastedList, read_paste
from search.lexicon.rows import is_shipped, row_of
from search.models import LexiconChange, LexiconEntry
from search.views.lexicon.entries import frame

MAX_WORD = 100  # of a word that another page offers for the form
_ADD = "search.add_lexiconentry"
CHANGED_MEANWHILE = (
    "Somebody else has changed the lexicon meanwhile: look at what this would do now."
)


@require_http_methods(["GET", "POST"])
@permission_required(_ADD, raise_exception=True)
def add_entry(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _form_page(request, LexiconForm(initial=_initial(request)))
    form = LexiconForm(request.POST)
    if not form.is_valid():
        return _form_page(request, form, status=400)
    values = form.to_values()
    known = entry_for(values.word)
    if known and values_of(known) == values:
        form.add_error(None, f"The entry for “{known.word}” says so already: nothing would change.")
        return _form_page(request, form, status=400)
    if "save" not in request.POST or not _is_as_seen(request):
        return _form_page(request, form, found=_effect([values]))
    save_entries([values], request.user, timezone.now())
    messages.success(
        request,
        f"“{values.word}” is {values.tag} from now on. Texts that have it are tagged again.",
    )
    return redirect("lexicon-entry", values.word)


@require_http_methods(["GET", "POST"])
@permission_required("search.delete_lexiconentry", raise_exception=True)
def remove(request: HttpRequest, entry_id: int) -> HttpResponse:
    entry = get_object_or_404(LexiconEntry, pk=entry_id)
    if request.method != "POST" or not _is_as_seen(request):
        then = in_force.overrides_without(entry.word)
        context = {
            "entry": entry,
            "is_shipped": is_shipped(entry.word),
            "effect": effect([entry.word], in_force.overrides(), then),
            "seen": in_force.overrides().digest,
        }
        return render(request, "search/lexicon_remove.html", frame() | context)
    remove_entry(entry, request.user, timezone.now())
    to = "the shipped list" if is_shipped(entry.word) else "the tagger"
    messages.success(
        request, f"“{entry.word}” is left to {to} again. Texts that have it are tagged again."
    )
    return redirect("lexicon")


@require_http_methods(["GET", "POST"])
@permission_required(_ADD, raise_exception=True)
def paste(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _paste_page(request, PasteForm())
    form = PasteForm(request.POST)
    if not form.is_valid():
        return _paste_page(request, form, status=400)
    pasted = read_paste(form.cleaned_data["text"])
    if pasted.reason:
        form.add_error("text", pasted.reason)
        return _paste_page(request, form, status=400)
    if "edit" in request.POST:
        return _paste_page(request, form)
    if "save" not in request.POST or not pasted.to_save or not _is_as_seen(request):
        return _paste_page(request, form, pasted)
    save_entries(pasted.to_save, request.user, timezone.now())
    n = len(pasted.to_save)
    messages.success(
        request,
        f"{counted(n, 'word is', 'words are')} in the lexicon. "
        "Texts that have them are tagged again.",
    )
    return redirect("lexicon")


def _initial(request: HttpRequest) -> dict[str, str]:
    """Begin with a former state of an entry, with what is known of a word, or with the word."""
    change = LexiconChange.objects.filter(pk=primary_key(request.GET.get("again")) or 0).first()
    if change:
        return asdict(values_of(change))
    word = request.GET.get("word", "")[:MAX_WORD]
    row = row_of(word) if word else None
    if row is None:
        return {"word": word}
    if row.entry:
        return asdict(values_of(row.entry))
    return {
        "word": row.word,
        "tag": "|".join(row.tags),
        "lemma": row.lemma,
        "language_of_origin": row.origin,
        "note": row.meaning,
    }


def _effect(values: list[EntryValues]) -> Effect:
    then = in_force.overrides_with(tuple(item.parsed() for item in values))
    return effect([item.word for item in values], in_force.overrides(), then)


def _is_as_seen(request: HttpRequest) -> bool:
    """Whether the lexicon is still the one whose change was looked at; says so if not."""
    is_same = request.POST.get("seen", "") == in_force.overrides().digest
    if not is_same and request.POST.get("seen"):
        messages.warning(request, CHANGED_MEANWHILE)
    return is_same


def _form_page(
    request: HttpRequest, form: LexiconForm, found: Effect | None = None, status: int = 200
) -> HttpResponse:
    word = str(form["word"].value() or "")
    context: dict[str, Any] = {
        "form": form,
        "effect": found,
        "tags": TAGS.values(),
        "known": row_of(word) if word else None,
        "seen": in_force.overrides().digest,
    }
    return render(request, "search/lexicon_add.html", frame() | context, status=status)


def _paste_page(
    request: HttpRequest, form: PasteForm, pasted: PastedList | None = None, status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {
        "form": form,
        "pasted": pasted,
        "effect": _effect(pasted.to_save) if pasted and pasted.to_save else None,
        "columns": COLUMNS,
        "seen": in_force.overrides().digest,
    }
    return render(request, "search/lexicon_paste.html", frame() | context, status=status)
