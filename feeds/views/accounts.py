"""`/sources/<slug>/accounts/`: accounts at a newspaper, how one signs in there, and a try."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from feeds.account_forms import PublicationAccountForm
from feeds.models import Account, AccountKind, Publication
from feeds.secrets_at_rest import SealBrokenError
from feeds.sources import settings_history
from feeds.visiting import log_ins
from feeds.visiting.log_ins import LogInBusyError

_FORM_KIND = AccountKind.FORM
_MAY = permission_required("feeds.change_account", raise_exception=True)


@_MAY
@require_http_methods(["GET", "HEAD", "POST"])
def accounts(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the accounts of a publication, and add one."""
    publication = get_object_or_404(Publication.sites, slug=slug)
    return _answer(request, publication, Account(publication=publication, kind=_FORM_KIND))


@_MAY
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Change one account of a publication."""
    account = _account(slug, pk)
    return _answer(request, account.publication, account)


@_MAY
@require_POST
def try_log_in(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    account = _account(slug, pk)
    if account.kind != _FORM_KIND:
        messages.error(request, "Only a log-in form can be tried: the others go with each request.")
        return redirect("source-accounts", slug=slug)
    try:
        tried = log_ins.try_now(account, timezone.now())
    except (LogInBusyError, SealBrokenError) as problem:
        messages.error(request, str(problem))
    else:
        say = messages.success if tried.is_in else messages.error
        say(request, tried.steps[-1])
    return redirect("source-accounts", slug=slug)


@_MAY
@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    account = _account(slug, pk)
    with settings_history.kept_accounts(account.publication, request.user, timezone.now()):
        account.delete()
    messages.success(request, "The account is removed; pages are asked for without it.")
    return redirect("source-accounts", slug=slug)


def _account(slug: str, pk: int) -> Account:
    rows = Account.objects.select_related("publication")
    return get_object_or_404(rows, pk=pk, publication__slug=slug)


def _answer(request: HttpRequest, publication: Publication, account: Account) -> HttpResponse:
    form = PublicationAccountForm(request.POST or None, instance=account)
    if request.method == "POST" and form.is_valid():
        with settings_history.kept_accounts(publication, request.user, timezone.now()):
            form.save()
        messages.success(request, "The account is saved; it is used from the next visit on.")
        return redirect("source-accounts", slug=publication.slug)
    context: dict[str, Any] = {
        "publication": publication,
        "form": form,
        "edited": account if account.pk else None,
        "accounts": publication.accounts.all(),
        "now": timezone.now(),
        "most_a_day": log_ins.MOST_A_DAY,
    }
    return render(request, "feeds/accounts.html", context, status=400 if form.errors else 200)
