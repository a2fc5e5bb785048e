"""The reader's own settings: name, mail, theme, password, tokens of the API.

Signing in and out is done by Django's own views.
"""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from corpus_site.accounts.forms import OwnPasswordForm, OwnSettingsForm, TokenForm
from corpus_site.accounts.models import User
from corpus_site.accounts.networks import client_address
from corpus_site.accounts.sign_in import openid
from corpus_site.accounts.spraying import MOST_WRONG, wrong_passwords
from corpus_site.accounts.tokens import make_token, revoke_token


class SignIn(LoginView):
    """Django's page, with the other ways to sign in that the settings open."""

    template_name = "accounts/sign_in.html"
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        wait = wrong_passwords.wait(client_address(request))
        if wait:
            context = {"wait": wait, "most": MOST_WRONG}
            answer = render(request, "accounts/sprayed.html", context, status=429)
            answer["Retry-After"] = str(wait)
            return answer
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        wrong_passwords.note(client_address(self.request))
        return super().form_invalid(form)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {
            "openid_label": settings.SIGN_IN_OPENID_LABEL if openid.is_offered() else "",
            "refusal": getattr(self.request, "sign_in_refusal", ""),
        }


@login_required
@require_http_methods(["GET", "POST"])
def own_settings(request: HttpRequest) -> HttpResponse:
    user = _user(request)
    form = OwnSettingsForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Your settings are saved.")
        return redirect("settings")
    return _page(request, user, {"form": form})


@login_required
@require_http_methods(["POST"])
def change_password(request: HttpRequest) -> HttpResponse:
    user = _user(request)
    form = OwnPasswordForm(user, request.POST)
    if form.is_valid():
        update_session_auth_hash(request, form.save())
        messages.success(request, "Your password is changed.")
        return redirect("settings")
    return _page(request, user, {"password": form})


@login_required
@never_cache
@require_http_methods(["POST"])
def add_token(request: HttpRequest) -> HttpResponse:
    """Make a token and show it in this answer, the only one that ever holds it."""
    user = _user(request)
    form = TokenForm(user, request.POST, auto_id="token_%s")
    if not form.is_valid():
        return _page(request, user, {"token_form": form})
    now = timezone.now()
    return _page(request, user, {"made": make_token(form.to_row(now), now)})


@login_required
@require_http_methods(["POST"])
def remove_token(request: HttpRequest, pk: int) -> HttpResponse:
    token = revoke_token(_user(request), pk)
    if token is None:
        raise Http404
    messages.success(request, f"The token “{token.name}” opens nothing any more.")
    return redirect("settings")


def _user(request: HttpRequest) -> User:
    """Read the row anew, so that a refused form does not colour the bar with unsaved values."""
    return get_object_or_404(User, username=request.user.get_username())


def _page(request: HttpRequest, user: User, given: dict[str, Any]) -> HttpResponse:
    context: dict[str, Any] = {
        "form": given.get("form") or OwnSettingsForm(instance=user),
        "password": given.get("password") or OwnPasswordForm(user),
        "token_form": given.get("token_form") or TokenForm(user, auto_id="token_%s"),
        "tokens": user.api_tokens.all(),
        "made": given.get("made"),
        "now": timezone.now(),
    }
    forms = (context[name] for name in ("form", "password", "token_form"))
    wrong = any(form.errors for form in forms)
    return render(request, "accounts/settings.html", context, status=400 if wrong else 200)
