"""The reader's own settings: name, mail, theme, password.

Sign-in and sign-out are Django's own views.
"""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from corpus_site.accounts.forms import OwnPasswordForm, OwnSettingsForm
from corpus_site.accounts.models import User


@login_required
@require_http_methods(["GET", "POST"])
def own_settings(request: HttpRequest) -> HttpResponse:
    user = _user(request)
    form = OwnSettingsForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Your settings are saved.")
        return redirect("settings")
    return _page(request, form, OwnPasswordForm(user))


@login_required
@require_http_methods(["POST"])
def change_password(request: HttpRequest) -> HttpResponse:
    user = _user(request)
    form = OwnPasswordForm(user, request.POST)
    if form.is_valid():
        update_session_auth_hash(request, form.save())
        messages.success(request, "Your password is changed.")
        return redirect("settings")
    return _page(request, OwnSettingsForm(instance=user), form)


def _user(request: HttpRequest) -> User:
    """Read the row anew, so that a refused form does not colour the bar with unsaved values."""
    return get_object_or_404(User, username=request.user.get_username())


def _page(request: HttpRequest, form: OwnSettingsForm, password: OwnPasswordForm) -> HttpResponse:
    wrong = form.errors or password.errors
    context = {"form": form, "password": password}
    return render(request, "accounts/settings.html", context, status=400 if wrong else 200)
