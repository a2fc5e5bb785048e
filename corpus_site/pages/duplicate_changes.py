"""What editors change about duplicates: every button is a POST to one address with its `act`.

A button says what its page had shown (`seen`), so that two readers, two tabs or two clicks never
decide something that nobody saw.
"""

from collections.abc import Callable

from django.contrib import messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from dedup.judging import judgements
from dedup.judging.judgements import Change, ContradictionError, Editor
from dedup.judging.review import reading_of
from dedup.models import Decision, DecisionKind, Duplicate, Verdict
from dedup.stage.rows import take_turn
from dedup.twins import pair_of
from dedup.views.duplicates import MAY_JUDGE
from extraction.models import Article
from presentation.primary_keys import primary_key
from search import indexing

# What was typed into the form of a join that was refused; an address is no longer.
TYPED, MAX_TYPED = "join", 2000

_SAID = {
    Verdict.SAME: "the same text",
    Verdict.DIFFERENT: "different texts",
    Verdict.EVENT: "the same event in other words",
    Verdict.OPEN: "nothing any more",
}
_NAMES = {
    DecisionKind.ORIGINAL: "the choice of an original",
    DecisionKind.HIDE: "the hiding of a copy",
}


class RefusalError(Exception):
    """Raised by an act that does nothing, caught by `change`; its text is for the editor."""


@require_POST
@MAY_JUDGE
def change(request: HttpRequest) -> HttpResponse:
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        return HttpResponseBadRequest("This is no change of duplicates.", content_type="text/plain")
    editor = Editor(request.user.pk, timezone.now())
    try:
        with transaction.atomic():
            # What a button had shown is compared in the very turn in which it is changed.
            take_turn(editor.now)
            done, words = act(request, editor)
    except RefusalError as refusal:
        messages.warning(request, str(refusal))
        return redirect(_back_to_form(request))
    except ContradictionError as contradiction:
        messages.error(request, _contradiction(contradiction))
        return redirect(_back_to_form(request))
    indexing.register(done.article_ids, editor.now)
    messages.success(request, words)
    return redirect(_with_typed(_back(request, "next"), None))


def _back_to_form(request: HttpRequest) -> str:
    """Find the way back after a refusal; the form of a join opens with what was typed."""
    typed = request.POST.get("with", "")[:MAX_TYPED] if request.POST["act"] == "join" else None
    return _with_typed(_back(request, "here"), typed)


def _with_typed(address: str, typed: str | None) -> str:
    """Put into an address what stands in the form of a join, or take it out."""
    page, _, fragment = address.partition("#")
    path, _, query = page.partition("?")
    parts = QueryDict(query, mutable=True)
    if typed is None and TYPED not in parts:
        return address
    parts.pop(TYPED, None)
    if typed is not None:
        parts[TYPED], fragment = typed, "join"
    query = parts.urlencode()
    return path + (f"?{query}" if query else "") + (f"#{fragment}" if fragment else "")


def _back(request: HttpRequest, name: str) -> str:
    """Find the way back: `next` after a change, `here` (else the same) after a refusal."""
    for address in (request.POST.get(name, ""), request.POST.get("next", "")):
        if address.startswith("/") and url_has_allowed_host_and_scheme(
            address, {request.get_host()}, require_https=request.is_secure()
        ):
            return address
    return reverse("duplicates")


def _judge(request: HttpRequest, editor: Editor) -> tuple[Change, str]:
    """Say what two articles are, whether a method had paired them or not."""
    first, second = _article(request, "article"), _article(request, "other")
    verdict = request.POST.get("verdict", "")
    if verdict not in Verdict.values:
        raise RefusalError("This is no verdict.")
    if first.pk == second.pk:
        raise RefusalError("An article cannot be compared with itself.")
    pair = pair_of(first, second)
    _check_seen(request, pair, verdict, editor)
    if pair is None:
        done = judgements.join(first.pk, second.pk, Verdict(verdict), editor)
    else:
        done = judgements.judge([pair.pk], Verdict(verdict), editor)
    return done, f"{_title(first)} and {_title(second)}: {_SAID[Verdict(verdict)]}."


def _check_seen(request: HttpRequest, pair: Duplicate | None, verdict: str, editor: Editor) -> None:
    """Refuse what would be said twice, and what somebody else has decided meanwhile."""
    now = pair.verdict if pair else Verdict.OPEN
    if pair is not None and reading_of(pair, editor.user_id) == verdict:
        raise RefusalError(f"You have said that already: {_SAID[Verdict(verdict)]}.")
    if pair is None and verdict == Verdict.OPEN:
        raise RefusalError("Nobody has said anything of these two.")
    seen = request.POST.get("seen", "")
    if seen and seen != now:
        raise RefusalError(
            f"Meanwhile somebody has said of these two: {_SAID[Verdict(now)]}. Look again."
        )


def _split(request: HttpRequest, editor: Editor) -> tuple[Change, str]:
    article = _article(request, "article")
    done = judgements.split(article.pk, editor)
    if done.decision_id is None:
        raise RefusalError(f"{_title(article)} stands alone already.")
    return done, f"{_title(article)} is split off: a text of its own."


def _original(request: HttpRequest, editor: Editor) -> tuple[Change, str]:
    article = _article(request, "article")
    if article.detection.original_id == article.pk:
        raise RefusalError(f"{_title(article)} is the original already.")
    return judgements.make_original(article.pk, editor), f"{_title(article)} is the original now."


def _hide(request: HttpRequest, editor: Editor) -> tuple[Change, str]:
    article = _article(request, "article")
    done = judgements.hide(article.pk, editor)
    if done.decision_id is None:
        raise RefusalError(f"{_title(article)} is hidden already, or no copy: nothing to hide.")
    return done, f"{_title(article)} is hidden: no search finds this copy any more."


def _show(request: HttpRequest, editor: Editor) -> tuple[Change, str]:
    article = _article(request, "article")
    hidden = Decision.objects.filter(kind=DecisionKind.HIDE, article=article, undone_at=None)
    decision = hidden.first()
    if decision is None:
        raise RefusalError(f"{_title(article)} is not hidden.")
    return judgements.undo(decision.pk, editor), f"{_title(article)} is shown again."


def _join(request: HttpRequest, editor: Editor) -> tuple[Change, str]:
    """Join an article with one that is named by its number or its address."""
    article, other = _article(request, "article"), _named(request.POST.get("with", ""))
    if other.pk == article.pk:
        raise RefusalError("This is the article itself.")
    for one in (article, other):
        if not one.in_corpus:
            raise RefusalError(f"{_title(one)} is not in the corpus: {one.reason}")
    pair = pair_of(article, other)
    if pair is not None and pair.verdict == Verdict.SAME:
        raise RefusalError(f"{_title(other)} has been joined already.")
    done = judgements.join(article.pk, other.pk, Verdict.SAME, editor)
    return done, f"{_title(article)} and {_title(other)} are one text now."


def _undo(request: HttpRequest, editor: Editor) -> tuple[Change, str]:
    """Take back a decision; that of another editor too, which the history then says."""
    key = primary_key(request.POST.get("decision"))
    decision = Decision.objects.filter(pk=key).first() if key else None
    if decision is None:
        raise RefusalError("This decision is gone.")
    if decision.undone_at is not None:
        raise RefusalError("This decision has been taken back already.")
    done = judgements.undo(decision.pk, editor)
    words = (
        _SAID[Verdict(decision.verdict)]
        if decision.verdict
        else _NAMES[DecisionKind(decision.kind)]
    )
    return done, f"Taken back: {words}."


def _article(request: HttpRequest, name: str) -> Article:
    key = primary_key(request.POST.get(name))
    article = _with_detection().filter(pk=key).first() if key else None
    if article is None:
        raise RefusalError("This article is not in the corpus any more.")
    return article


def _named(words: str) -> Article:
    """Find an article by its number, the address of its page here, or its own address."""
    words = words.replace("\0", "").strip()
    if not words:
        raise RefusalError("Name the other article by its number or its address.")
    ours = words.partition("/articles/")[2].partition("/")[0]
    key = primary_key(words) or primary_key(ours)
    rows = _with_detection()
    found = rows.filter(pk=key).first() if key else None
    found = found or rows.filter(url=words).order_by("pk").first()
    if found is None:
        raise RefusalError("There is no article with this number or address.")
    return found


def _with_detection() -> "QuerySet[Article]":
    """Articles that were looked at: the others have no place yet that could be changed."""
    return Article.objects.filter(detection__isnull=False).select_related(
        "detection", "publication"
    )


def _title(article: Article) -> str:
    return f"“{(article.title or article.url)[:80]}” ({article.publication.name})"


def _contradiction(error: ContradictionError) -> str:
    titles = Article.objects.select_related("publication").in_bulk(
        [error.first_id, error.second_id]
    )
    names = " and ".join(_title(titles[key]) for key in (error.first_id, error.second_id))
    return (
        f"This contradicts another verdict, that {names} are not the same text."
        " Nothing was changed; take that verdict back first."
    )


_ACTS: dict[str, Callable[[HttpRequest, Editor], tuple[Change, str]]] = {
    "judge": _judge,
    "split": _split,
    "original": _original,
    "hide": _hide,
    "show": _show,
    "join": _join,
    "undo": _undo,
}
