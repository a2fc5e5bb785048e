"""`/words/lexicon/`: words whose tag people decide, and the form to add one."""

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from search.addresses import Address
from search.annotation.tagset import TAGS
from search.forms import LexiconForm
from search.lexicon_list import lexicon_rows
from search.models import LexiconEntry
from search.views.query_tabs import WORD_TABS, tab_links

# The whole list is a page of 180 kB.
ROWS_SHOWN = 100
MAX_WORD = 100  # of a word that another page offers for the form


@require_safe
def lexicon(request: HttpRequest) -> HttpResponse:
    return _page(request, LexiconForm(initial={"word": request.GET.get("word", "")[:MAX_WORD]}))


@require_http_methods(["GET", "POST"])
@permission_required("search.add_lexiconentry", raise_exception=True)
def add_entry(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        # A refused entry leaves this address in the browser.
        return redirect("lexicon")
    form = LexiconForm(request.POST)
    if not form.is_valid():
        return _page(request, form)
    entry = form.save(commit=False)
    entry.created_by = request.user
    entry.save()
    messages.success(
        request, f"“{entry.word}” is {entry.tag} from now on. Texts that have it are tagged again."
    )
    return redirect("lexicon")


@require_POST
@permission_required("search.delete_lexiconentry", raise_exception=True)
def remove_entry(request: HttpRequest, entry_id: int) -> HttpResponse:
    entry = get_object_or_404(LexiconEntry, pk=entry_id)
    entry.delete()
    messages.success(request, f"“{entry.word}” is left to the tagger again.")
    return redirect("lexicon")


def _page(request: HttpRequest, form: LexiconForm) -> HttpResponse:
    words = request.GET.get("words", "").strip()
    rows = lexicon_rows(words)
    context = {
        "form": form,
        "words": words,
        "rows": rows if words or "all" in request.GET else rows[:ROWS_SHOWN],
        "n_rows": len(rows),
        "n_own": sum(row.entry is not None for row in rows),
        "tags": TAGS.values(),
        "tabs": tab_links(Address(), "lexicon", WORD_TABS),
        "tabs_label": "Words",
    }
    status = 400 if form.errors else 200
    return render(request, "search/lexicon.html", context, status=status)
