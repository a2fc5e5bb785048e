"""Signing in and out, one's own settings, and people for admins."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from corpus_site.accounts import people_views, views
from corpus_site.accounts.sign_in import openid

urlpatterns = [
    path(
        "sign-in/",
        views.SignIn.as_view(),
        name="sign-in",
    ),
    path("sign-in/openid/", openid.begin, name="openid"),
    path("sign-in/openid/back/", openid.back, name="openid-back"),
    path("sign-in/forgotten/", people_views.forgotten, name="password-forgotten"),
    path(
        "sign-in/password/<uidb64>/<token>/",
        people_views.SetPassword.as_view(),
        name="password-set",
    ),
    path("sign-out/", LogoutView.as_view(), name="sign-out"),
    path("settings/", views.own_settings, name="settings"),
    path("settings/password/", views.change_password, name="change-password"),
    path("people/", people_views.people_page, name="people"),
    path("people/invite/", people_views.invite, name="person-invite"),
    path("people/<int:pk>/link/", people_views.link, name="person-link"),
    path("people/<int:pk>/<slug:action>/", people_views.change, name="person-change"),
    path("settings/tokens/add/", views.add_token, name="token-add"),
    path("settings/tokens/<int:pk>/revoke/", views.remove_token, name="token-revoke"),
]
