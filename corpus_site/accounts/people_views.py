"""`/people/`: who may use this installation, for admins; links for passwords, for everybody."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required, permission_required
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.views import PasswordResetConfirmView
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from corpus_site.accounts import forgotten as passwords
from corpus_site.accounts import mails, people
from corpus_site.accounts.forms import ForgottenForm, InvitationForm, NewPasswordForm, RoleChoice
from corpus_site.accounts.models import PersonAct, PersonEvent, Role, User
from corpus_site.accounts.people import Actor, PersonRefusedError

PEOPLE_PER_PAGE = 50
EVENTS_SHOWN = 20
_ADMINS = permission_required("accounts.change_user", raise_exception=True)


@_ADMINS
@require_safe
def people_page(request: HttpRequest) -> HttpResponse:
    return _page(request, InvitationForm())


@_ADMINS
@never_cache
@require_POST
def invite(request: HttpRequest) -> HttpResponse:
    """Make an account, and mail or show the link by which its password is set."""
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _page(request, form)
    user = people.invite(form.save(commit=False), _actor(request))
    return _with_link(request, user, "invitation")


@_ADMINS
@never_cache
@require_POST
def link(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a person who has forgotten the password, or never set one, a new link."""
    user = get_object_or_404(User, pk=pk, is_active=True)
    people.record(user, PersonAct.LINK, _actor(request))
    return _with_link(request, user, "password")


@_ADMINS
@require_POST
def change(request: HttpRequest, pk: int, action: str) -> HttpResponse:
    """Give a role, send away or let in again; what is refused is said."""
    get_object_or_404(User, pk=pk)
    try:
        said = _ACTS[action](request, pk)
    except KeyError:
        raise Http404 from None
    except PersonRefusedError as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, said)
    return redirect("people")


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Ask for a link to a new password; nothing here tells whether there is such a person."""
    form = ForgottenForm(request.POST or None)
    is_sent = request.method == "POST" and form.is_valid()
    if is_sent and mails.can_send():
        whose, site = form.cleaned_data["whose"], request.build_absolute_uri("/")
        passwords.ask(whose, site, timezone.now())
    context = {"form": form, "is_sent": is_sent, "can_send": mails.can_send()}
    wrong = request.method == "POST" and not is_sent
    return render(request, "accounts/forgotten.html", context, status=400 if wrong else 200)


class SetPassword(PasswordResetConfirmView):
    """Django's page behind a link; whoever was invited chooses the first password here."""

    form_class = NewPasswordForm
    template_name = "accounts/set_password.html"
    success_url = reverse_lazy("sign-in")
    token_generator = default_token_generator

    def form_valid(self, form: Any) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        people.record(form.user, PersonAct.PASSWORD, Actor(None, timezone.now()))
        messages.success(self.request, "Your password is set. Sign in with it.")
        return answer


def _give_role(request: HttpRequest, pk: int) -> str:
    form = RoleChoice(request.POST)
    if not form.is_valid():
        raise PersonRefusedError("Choose one of the three roles.")
    user = people.give_role(pk, Role(form.cleaned_data["role"]), _actor(request))
    return f"{user.get_username()} is {user.get_role_display().lower()} now."


def _send_away(request: HttpRequest, pk: int) -> str:
    user = people.send_away(pk, _actor(request))
    return f"{user.get_username()} can sign in no more; what the account holds is kept."


def _let_in(request: HttpRequest, pk: int) -> str:
    return f"{people.let_in(pk, _actor(request)).get_username()} may sign in again."


_ACTS: dict[str, Callable[[HttpRequest, int], str]] = {
    "role": _give_role,
    "send-away": _send_away,
    "let-in": _let_in,
}


def _actor(request: HttpRequest) -> Actor:
    return Actor(get_object_or_404(User, pk=request.user.pk), timezone.now())


def _whole(request: HttpRequest, user: User) -> str:
    return request.build_absolute_uri(people.password_address(user))


def _with_link(request: HttpRequest, user: User, template: str) -> HttpResponse:
    whole = _whole(request, user)
    made = {"user": user, "link": whole, "is_sent": mails.send_link(user, whole, template)}
    return _page(request, InvitationForm(), made)


def _page(
    request: HttpRequest, form: InvitationForm, made: dict[str, Any] | None = None
) -> HttpResponse:
    words = request.GET.get("q", "").replace("\0", "").strip()  # PostgreSQL takes none
    shown = Paginator(people.people(words), PEOPLE_PER_PAGE).get_page(request.GET.get("p"))
    context = {
        "form": form,
        "made": made,
        "page": shown,
        "words": words,
        "kept": f"&{urlencode({'q': words})}" if words else "",
        "roles": Role.choices,
        "events": PersonEvent.objects.select_related("by")[:EVENTS_SHOWN],
        "can_send": mails.can_send(),
    }
    return render(request, "accounts/people.html", context, status=400 if form.errors else 200)
