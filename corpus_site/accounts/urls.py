"""Signing in and out, and one's own settings."""

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from corpus_site.accounts import views

urlpatterns = [
    path(
        "sign-in/",
        LoginView.as_view(template_name="accounts/sign_in.html", redirect_authenticated_user=True),
        name="sign-in",
    ),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("settings/", views.own_settings, name="settings"),
    path("settings/password/", views.change_password, name="change-password"),
    path("settings/tokens/add/", views.add_token, name="token-add"),
    path("settings/tokens/<int:pk>/revoke/", views.remove_token, name="token-revoke"),
]
