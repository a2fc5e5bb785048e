"""`/articles/<id>/tagged/`: every word with its tag or lemma, who decided it, and correcting it."""

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from extraction.models import Article
from feeds.sources.naming import publication_names
from search.answers.token_facts import WordInCorpus, first_seen_in, word_in_corpus
from search.articles.places import document_kind
from search.articles.reading import ArticleHead
from search.articles.tagged import (
    SENTENCES_PER_PAGE,
    TaggedPage,
    TaggedRequest,
    annotated_article,
    spelling_to_rule,
    tagged_text,
)
from search.asking.address import Address
from search.asking.form import form_of
from search.engine.annotation.annotate import AnnotatedText, AnnotatedToken
from search.engine.annotation.languages import tags_of
from search.engine.annotation.lexicon import LexiconError
from search.forms import CorrectionForm, TaggedForm
from search.lexicon.correction_list import corrections_of
from search.lexicon.corrections import CorrectionError, Wish, accept, ask, lemmas_without_wish
from search.models import Scope, TagCorrection
from search.views.articles.hit_bar import hits_by_text, place_in_article
from search.views.articles.tabs import load_head, render_tab
from search.views.articles.withdrawn import unless_withdrawn
from search.views.words.first_places import FirstPlace, first_places
from search.wording.untagged import tagged_names

_SHOWN = ("show", "mark", "all")


@require_safe
@unless_withdrawn
def article_tagged(request: HttpRequest, article_id: int) -> HttpResponse:
    head = load_head(article_id)
    text = _text(request, head)
    correction = None
    if "correct" in request.GET and text.chosen and _may_correct(request, text):
        correction = CorrectionForm(head.article.language)
    return _page(request, head, text, correction)


@require_http_methods(["GET", "POST"])
@permission_required("search.add_tagcorrection", raise_exception=True)
@unless_withdrawn
def correct_tag(request: HttpRequest, article_id: int) -> HttpResponse:
    """Take a correction of the token `t`; an editor's own is in force at once.

    What an editor wants for all texts is shown with its effect before it is accepted.
    """
    head = load_head(article_id)
    tab = reverse("article-tagged", args=[article_id])
    number = TaggedForm(request.GET).value("t") or 0
    if request.method != "POST":
        return redirect(f"{tab}?t={number}&correct=1{_kept(request)}#correct")
    form = CorrectionForm(head.article.language, request.POST)
    annotated = annotated_article(head.article)
    token = _token(request, annotated, number)
    if token is None:
        form.add_error(None, "The text has changed meanwhile: choose the word again.")
    elif form.is_valid():
        wish = form.to_wish()
        word = wish.word or spelling_to_rule(annotated, number, wish.tag)
        try:
            form.lemma_then = _new_lemma(
                form, token, replace(wish, word=word), head.article.language
            )
            if form.lemma_then:
                return _page(request, head, _text(request, head), form)
            done = ask(head.article, token, replace(wish, word=word), request.user, timezone.now())
        except (LexiconError, CorrectionError) as error:
            _say(form, error)
        else:
            return _after(request, done, f"{tab}?t={number}{_kept(request)}#t{number}")
    return _page(request, head, _text(request, head), form)


def _token(request: HttpRequest, annotated: AnnotatedText, number: int) -> AnnotatedToken | None:
    """Return the token of a number if it is the one that the form was opened for."""
    if not 1 <= number <= len(annotated.tokens):
        return None
    token = annotated.tokens[number - 1]
    return token if request.POST.get("start") == str(token.start) else None


def _new_lemma(form: CorrectionForm, token: AnnotatedToken, wish: Wish, language: str) -> str:
    """Say what an empty lemma becomes where it is another one than now, until that was shown."""
    if wish.lemma or form.cleaned_data["lemma_of"] == wish.tag:
        return ""
    lemmas = lemmas_without_wish(token, wish, language)
    if set(lemmas.values()) == {token.lemma}:
        return ""
    return ", ".join(f"{tag}: “{lemma}”" for tag, lemma in lemmas.items())


def _say(form: CorrectionForm, error: LexiconError | CorrectionError) -> None:
    """Show an error where it can be mended."""
    if isinstance(error, CorrectionError):
        form.add_error(None, str(error))
    else:
        form.add_error("tag" if " tag" in str(error) else "word", str(error))


def _after(request: HttpRequest, correction: TagCorrection, back: str) -> HttpResponse:
    if not request.user.has_perm("search.change_lexiconentry"):
        messages.success(
            request, f"Marked: “{correction.word}” as {correction.tag}. An editor decides."
        )
        return redirect(back)
    if correction.scope == Scope.ALWAYS:
        return redirect("correction", correction.pk)
    accept(correction, request.user, timezone.now())
    where = "here" if correction.scope == Scope.TOKEN else "in this text"
    messages.success(
        request, f"“{correction.word}” is {correction.tag} {where}; searches follow in a moment."
    )
    return redirect(back)


def _text(request: HttpRequest, head: ArticleHead) -> TaggedPage:
    form = TaggedForm(request.GET)
    article = head.article
    hits = hits_by_text(request, document_kind(article), [article.pk]).get(article.pk, [])
    hit = form_of(request).value("hit") if hits else ""
    return tagged_text(
        TaggedRequest(
            head.article,
            hits=tuple(hits),
            first=form.value("s") or 0,
            chosen=form.value("t") or 0,
            shown=(place_in_article(hit) or 0) + 1 if hit else 0,
            marks_unsure=form.value("mark") == "unsure",
        )
    )


def _kept(request: HttpRequest) -> str:
    """Return what links of the page carry along: where one came from, and how words are shown."""
    origin = Address.read(request.GET).query_part()
    shown = {name: request.GET[name] for name in _SHOWN if request.GET.get(name)}
    parts = [str(origin) if origin.pairs else "", urlencode(shown)]
    return "".join(f"&{part}" for part in parts if part)


def _may_correct(request: HttpRequest, text: TaggedPage) -> bool:
    return text.is_tagged and request.user.has_perm("search.add_tagcorrection")


@dataclass(frozen=True, slots=True)
class _Word:
    """The chosen word in the corpus."""

    known: WordInCorpus
    first: FirstPlace | None
    address: str


def _page(
    request: HttpRequest, head: ArticleHead, text: TaggedPage, correction: CorrectionForm | None
) -> HttpResponse:
    form = TaggedForm(request.GET)
    mark = form.value("mark") or "decided"
    context: dict[str, Any] = {
        "tab_title": "Tagged",
        "kept": _kept(request),
        # A refused correction is shown under another address.
        "here": reverse("article-tagged", args=[head.article.pk]) if correction else "",
        "text": text,
        "show": form.value("show") or "tag",
        "mark": mark,
        "shows_all": form.value("all"),
        "form": form,
        "before": max(1, text.first - SENTENCES_PER_PAGE) if text.first > 1 else 0,
        "after": text.last + 1 if text.last < text.n_sentences else 0,
        "first_words": _first_words(head.article, text) if mark == "first" else (),
        "word": _word(text.chosen.token.word) if text.chosen else None,
        "correction": correction,
        "chosen_start": _start(text),
        "may_correct": _may_correct(request, text),
        "corrections": corrections_of(head.article),
        "tagged_names": tagged_names(),
        "tags": tags_of(head.article.language).values() if correction else (),
    }
    response = render_tab(request, "article-tagged", head, context)
    if correction is not None and correction.errors:
        response.status_code = 400
    return response


def _start(text: TaggedPage) -> int:
    """Return the code point that the chosen token starts at, to tell whether it is still there."""
    return text.annotated.tokens[text.chosen.token.number - 1].start if text.chosen else 0


def _first_words(article: Article, text: TaggedPage) -> frozenset[str]:
    tokens = (token for sentence in text.sentences for group in sentence.groups for token in group)
    return first_seen_in(article.pk, {token.folded for token in tokens})


def _word(word: str) -> _Word:
    known = word_in_corpus(word)
    address = Address().change(q=known.query, ql="cql")
    places: list[FirstPlace] = []
    if known.first:
        names = publication_names()
        places = first_places(known.snapshot, [(known.first, address)], names)
    return _Word(known, places[0] if places else None, address.at(reverse("search")))
