"""Addresses of feeds and hosts, and the actions on sources (POST only)."""

from django.urls import path

from feeds import views

urlpatterns = [
    path("feeds/<int:pk>/", views.feed_page, name="feed"),
    path("feeds/<int:pk>/<str:action>/", views.feed_action, name="feed-action"),
    path("hosts/<path:name>/", views.host_page, name="host"),
    path("sources/<slug:slug>/settings/", views.publication_settings, name="source-settings"),
    path("sources/<slug:slug>/languages/", views.expected_languages, name="source-languages"),
    path("sources/<slug:slug>/do/<str:action>/", views.publication_action, name="source-action"),
]
