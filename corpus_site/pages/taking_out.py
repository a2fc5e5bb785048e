"""Buttons that take texts out of the corpus and back: a form that asks why, and the act.

One view for articles, comments, earlier versions and publications. What asks for a reason, or is
for good, has a page of its own that asks once more; putting back and lifting a hold are done at
once. Editors withdraw and put back; admins erase and hold.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from corpus_site.removal import withdrawals
from corpus_site.removal.withdrawal_forms import EraseForm, ReasonForm
from extraction.models import Article, Comment, Measure, Subject, Withdrawal
from extraction.withdrawal import register
from extraction.withdrawal.erasing import HeldError
from extraction.withdrawal.register import Order
from feeds.archive.outside import count_outside
from feeds.models import Page, Publication
from presentation.primary_keys import primary_key
from presentation.wording.figures import counted
from search.articles.filters import BrowseRequest
from search.forms import BrowseForm

_MAY_WITHDRAW = "extraction.change_withdrawal"
_MAY_ERASE = "extraction.add_erasure"


@dataclass(frozen=True, slots=True)
class _Target:
    """What an act is about: its name for people, where its page is, and what each act does."""

    what: Subject
    row: Any
    name: str
    address: str
    word: str  # is typed to erase it
    number: int = 0

    def entry(self) -> Withdrawal:
        """Make its entry in the register."""
        if self.what == Subject.PUBLICATION:
            return register.of_publication(self.row)
        return register.of_article(self.row)

    def is_out(self) -> bool:
        """Whether it is withdrawn by an entry of its own or together with others."""
        if self.what == Subject.PUBLICATION:
            return register.entry_of_publication(self.row) is not None
        if self.what == Subject.VERSION:
            former = self.row.versions.filter(number=self.number, withdrawn_at__isnull=False)
            return bool(former.exists())
        return self.row.withdrawn_at is not None

    def holds(self) -> Any:
        """Its entries of a legal hold."""
        rows = Withdrawal.objects.filter(what=self.what, measure=Measure.HELD)
        field = "publication" if self.what == Subject.PUBLICATION else "article"
        return rows.filter(**{field: self.row})


_WITHDRAW: dict[Subject, Callable[[_Target, Order], int]] = {
    Subject.ARTICLE: lambda one, order: withdrawals.withdraw_articles([one.row.pk], order),
    Subject.COMMENT: lambda one, order: withdrawals.withdraw_comment(one.row, order),
    Subject.VERSION: lambda one, order: withdrawals.withdraw_version(one.row, one.number, order),
    Subject.PUBLICATION: lambda one, order: withdrawals.withdraw_publication(one.row, order),
}
_ERASE: dict[Subject, Callable[[_Target, Order], int]] = {
    Subject.ARTICLE: lambda one, order: withdrawals.erase_articles([one.row.pk], order),
    Subject.COMMENT: lambda one, order: withdrawals.erase_comment(one.row, order),
    Subject.PUBLICATION: lambda one, order: withdrawals.erase_publication(one.row, order),
}
_PUT_BACK: dict[Subject, Callable[[_Target, Order], int]] = {
    Subject.ARTICLE: lambda one, order: withdrawals.put_back_articles(
        [one.row.pk], order.by, order.now
    ),
    Subject.COMMENT: lambda one, order: withdrawals.put_back_comment(one.row, order.by, order.now),
    Subject.VERSION: lambda one, order: withdrawals.put_back_version(
        one.row, one.number, order.by, order.now
    ),
    Subject.PUBLICATION: lambda one, order: withdrawals.put_back_publication(
        one.row, order.by, order.now
    ),
}


def _target(what: str, key: Any, number: int) -> _Target:
    if what == Subject.COMMENT:
        comment = get_object_or_404(
            Comment.objects.select_related("article__page", "article__collected"), pk=key
        )
        address = reverse("article-comments", args=[comment.article_id])
        name = f"the comment of {comment.author_name or 'Anonymous'}"
        return _Target(Subject.COMMENT, comment, name, address, f"erase {comment.pk}")
    if what == Subject.PUBLICATION:
        publication = get_object_or_404(Publication, slug=key)
        address = reverse("source", args=[publication.slug])
        word = f"erase {publication.slug}"
        return _Target(Subject.PUBLICATION, publication, publication.name, address, word)
    article = get_object_or_404(Article.objects.select_related("page", "publication"), pk=key)
    address = reverse("article", args=[article.pk])
    title = f"“{article.title or article.url}”"
    if what == Subject.VERSION:
        if not 1 <= number < article.n_versions:
            raise Http404
        name = f"text {number} of {title}"
        versions = reverse("article-versions", args=[article.pk])
        return _Target(Subject.VERSION, article, name, versions, "", number)
    return _Target(Subject.ARTICLE, article, title, address, f"erase {article.pk}")


@permission_required(_MAY_WITHDRAW, raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, what: str, key: Any, number: int = 0) -> HttpResponse:
    """Ask why, then withdraw."""
    target = _target(what, key, number)
    if request.method != "POST" and target.is_out():
        messages.info(request, f"{target.name} is withdrawn already.")
        return redirect(target.address)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _ask(request, target, "Withdraw", form)
    if _WITHDRAW[target.what](target, _order(request, form)):
        messages.success(request, f"Withdrawn: {target.name}. Searches follow within a minute.")
    else:
        messages.info(request, f"{target.name} is withdrawn already.")
    return redirect(target.address)


@permission_required(_MAY_WITHDRAW, raise_exception=True)
@require_POST
def put_back(request: HttpRequest, what: str, key: Any, number: int = 0) -> HttpResponse:
    target = _target(what, key, number)
    if _PUT_BACK[target.what](target, Order("", request.user, timezone.now())):
        messages.success(request, f"Put back: {target.name}. Searches follow within a minute.")
    else:
        messages.info(request, f"{target.name} is not withdrawn by itself; nothing was changed.")
    return redirect(target.address)


@permission_required(_MAY_ERASE, raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: HttpRequest, what: str, key: Any) -> HttpResponse:
    """Ask why and for a typed word, then erase."""
    target = _target(what, key, 0)
    form = EraseForm(target.word, request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _ask(request, target, "Erase", form)
    try:
        n = _ERASE[target.what](target, _order(request, form))
    except HeldError as error:
        form.add_error(None, str(error))
        return _ask(request, target, "Erase", form)
    if n:
        words = f"{target.name} is withdrawn, and is being erased: see Jobs."
        messages.success(request, words)
    else:
        messages.info(request, "It is erased already, or will be in a moment.")
    return redirect(target.address)


@permission_required(_MAY_ERASE, raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def hold(request: HttpRequest, what: str, key: Any) -> HttpResponse:
    """Ask why, then keep an article or a publication from being erased."""
    target = _target(what, key, 0)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _ask(request, target, "Hold", form)
    register.hold(target.entry(), _order(request, form))
    messages.success(request, f"On legal hold: {target.name}. Nothing erases it until you lift it.")
    return redirect(target.address)


@permission_required(_MAY_ERASE, raise_exception=True)
@require_POST
def lift(request: HttpRequest, what: str, key: Any) -> HttpResponse:
    target = _target(what, key, 0)
    if register.end(target.holds(), request.user, timezone.now()):
        messages.success(request, f"The legal hold is lifted: {target.name}.")
    else:
        messages.info(request, f"{target.name} is not on legal hold by itself.")
    return redirect("withdrawals")


def _order(request: HttpRequest, form: ReasonForm) -> Order:
    return Order(form.cleaned_data["reason"], request.user, timezone.now())


def _ask(request: HttpRequest, target: _Target, act: str, form: ReasonForm) -> HttpResponse:
    context = {
        "act": act,
        "target": target,
        "form": form,
        "is_held": target.what != Subject.COMMENT and target.holds().filter(ended_at=None).exists(),
        "lift_address": _lift_address(target),
        "n_outside": _count_outside(target) if act == "Erase" else 0,
    }
    status = 400 if form.errors else 200
    return render(request, "corpus_site/taking_out.html", context, status=status)


def _count_outside(target: _Target) -> int:
    """Count its records in files that were imported by reference; those files stay as they are."""
    if target.what == Subject.PUBLICATION:
        return count_outside(Page.objects.filter(publication=target.row).values("pk"))
    article = target.row.article if target.what == Subject.COMMENT else target.row
    return count_outside([article.page_id] if article.page_id else [])


def _lift_address(target: _Target) -> str:
    if target.what == Subject.PUBLICATION:
        return reverse("source-lift", args=[target.row.slug])
    return reverse("article-lift", args=[target.row.pk]) if target.what == Subject.ARTICLE else ""


# Many articles at once


@permission_required(_MAY_WITHDRAW, raise_exception=True)
@require_POST
def selected(request: HttpRequest) -> HttpResponse:
    """Withdraw or put back articles that were ticked in the list, or all that its filters show."""
    act = request.POST.get("act", "")
    if act not in {"withdraw", "withdraw-all", "withdraw-now"}:
        return HttpResponseBadRequest("This is nothing to do.", content_type="text/plain")
    is_all = act == "withdraw-all" or request.POST.get("all") == "1"
    ids = _all_ids(request) if is_all else _ticked(request)
    form = ReasonForm(request.POST if act == "withdraw-now" else None)
    if not ids:
        messages.error(request, "Tick the articles that are to be withdrawn.")
        return redirect(f"{reverse('articles')}{_given_query(request)}")
    if not form.is_valid():
        context = {
            "form": form,
            "n": len(ids),
            "ids": [] if is_all else ids,
            "is_all": is_all,
            "given": request.POST.get("given", ""),
            "given_query": _given_query(request),
        }
        status = 400 if form.errors else 200
        return render(request, "corpus_site/taking_out_selected.html", context, status=status)
    n = withdrawals.withdraw_articles(ids, _order(request, form))
    messages.success(
        request, f"{counted(n, 'article')} withdrawn. Searches follow within a minute."
    )
    return redirect(f"{reverse('articles')}{_given_query(request)}")


def _given_query(request: HttpRequest) -> str:
    """Give the filters of the list that was acted on, as the end of its address."""
    form = BrowseForm(QueryDict(request.POST.get("given", "")))
    given = form.given() if form.is_valid() else {}
    return f"?{urlencode(given)}" if given else ""


def _ticked(request: HttpRequest) -> list[int]:
    keys = (primary_key(text) for text in request.POST.getlist("article"))
    return [key for key in keys if key]


def _all_ids(request: HttpRequest) -> list[int]:
    """Keys of all articles that the filters of the list let through; none without filters."""
    form = BrowseForm(QueryDict(request.POST.get("given", "")))
    wanted = form.to_request() if form.is_valid() else BrowseRequest()
    if wanted == BrowseRequest():
        return []
    return list(wanted.matches().order_by().values_list("pk", flat=True))
