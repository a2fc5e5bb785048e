"""`/words/new/ignored/`: words that the list of new words leaves out, and the form to add one."""

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from search.answers import ignoring
from search.asking.address import Address
from search.forms import IgnoreForm
from search.models import IgnoredWord
from search.views.concordance.query_tabs import WORD_TABS, tab_links


@require_safe
def ignored_words(request: HttpRequest) -> HttpResponse:
    return _page(request, IgnoreForm(initial={"word": request.GET.get("word", "")}))


@require_http_methods(["GET", "POST"])
@permission_required("search.add_ignoredword", raise_exception=True)
def ignore_word(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        # A refused word leaves this address in the browser.
        return redirect("ignored-words")
    form = IgnoreForm(request.POST)
    if not form.is_valid():
        return _page(request, form)
    word = form.cleaned_data["word"]
    if ignoring.ignore(word, request.user):
        messages.success(request, f"“{word}” is left out of new words from now on.")
    else:
        messages.info(request, f"“{word}” was left out before.")
    return redirect("ignored-words")


@require_POST
@permission_required("search.delete_ignoredword", raise_exception=True)
def take_back(request: HttpRequest, word_id: int) -> HttpResponse:
    row = get_object_or_404(IgnoredWord, pk=word_id)
    ignoring.take_back(row)
    messages.success(request, f"“{row.word}” may be among new words again.")
    return redirect("ignored-words")


def _page(request: HttpRequest, form: IgnoreForm) -> HttpResponse:
    context = {
        "form": form,
        "rows": IgnoredWord.objects.select_related("ignored_by"),
        "tabs": tab_links(Address(), "new-words", WORD_TABS),
        "tabs_label": "Words",
    }
    status = 400 if form.errors else 200
    return render(request, "search/ignored_words.html", context, status=status)
