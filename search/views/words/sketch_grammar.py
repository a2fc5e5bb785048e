"""`/words/sketch/grammar/<language>/`: a sketch grammar, its versions, and its editor."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from extraction.text.language_names import language_name
from search.asking.address import Address
from search.asking.sketch_grammars import (
    ChangedMeanwhileError,
    grammar_languages,
    keep_grammar,
    newest_version,
    text_in_force,
)
from search.engine.sketches.grammar import GrammarError, Mistake
from search.forms import SketchGrammarForm
from search.models import SketchGrammar
from search.views.concordance.query_tabs import WORD_TABS, tab_links

VERSIONS_SHOWN = 20
MOST_DIGITS = 9  # of a version's number that a database can compare
MEANWHILE = "Somebody else has changed the grammar meanwhile; your text is below, theirs in force."


@require_http_methods(["GET", "POST"])
def sketch_grammar(request: HttpRequest, language: str) -> HttpResponse:
    if request.method == "POST" and not request.user.has_perm("search.add_sketchgrammar"):
        raise PermissionDenied
    if language not in grammar_languages():
        raise Http404
    if request.method != "POST":
        former = _asked_version(request, language)
        initial = _initial(language) | ({"text": former.text} if former else {})
        return _page(request, language, SketchGrammarForm(initial=initial), former=former)
    form = SketchGrammarForm(request.POST)
    if not form.is_valid():
        return _page(request, language, form)
    as_shipped = "shipped" in request.POST
    text = "" if as_shipped else form.cleaned_data["text"]
    if text == text_in_force(language):
        messages.info(request, "Nothing was changed: that is what stands there.")
        return redirect("sketch-grammar", language)
    mistakes: tuple[Mistake, ...] = ()
    try:
        row = keep_grammar(
            language, text, form.cleaned_data["note"], request.user, form.cleaned_data["after"]
        )
    except GrammarError as error:
        mistakes = error.mistakes
        form.add_error("text", "This is no sketch grammar yet.")
    except ChangedMeanwhileError:
        form.add_error(None, MEANWHILE)
    else:
        words = "The grammar is as shipped again" if as_shipped else "The grammar is in force"
        messages.success(request, f"{words}: version {row.version}.")
        return redirect("sketch-grammar", language)
    return _page(request, language, form, mistakes)


def _initial(language: str) -> dict[str, object]:
    newest = newest_version(language)
    return {"text": text_in_force(language), "after": newest.version if newest else 0}


def _asked_version(request: HttpRequest, language: str) -> SketchGrammar | None:
    """Find the version that is asked for, to be looked at and put in force again."""
    number = request.GET.get("version", "")
    if not number.isdecimal() or len(number) > MOST_DIGITS:
        return None
    rows = SketchGrammar.objects.filter(language=language, version=int(number))
    return rows.exclude(text="").first()


def _page(
    request: HttpRequest,
    language: str,
    form: SketchGrammarForm,
    mistakes: tuple[Mistake, ...] = (),
    former: SketchGrammar | None = None,
) -> HttpResponse:
    newest = newest_version(language)
    context = {
        "form": form,
        "mistakes": mistakes,
        "language": language,
        "language_name": language_name(language),
        "languages": [(code, language_name(code)) for code in grammar_languages()],
        "newest": newest,
        "former": former,
        "is_shipped": newest is None or not newest.text,
        "text": former.text if former else text_in_force(language),
        "versions": SketchGrammar.objects.filter(language=language).select_related("made_by")[
            :VERSIONS_SHOWN
        ],
        "tabs": tab_links(Address(), "sketch", WORD_TABS),
        "tabs_label": "Words",
    }
    status = 400 if form.errors else 200
    return render(request, "search/sketch_grammar.html", context, status=status)
