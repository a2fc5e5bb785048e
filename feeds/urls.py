"""Addresses of feeds, hosts and the plan of visits, and the actions on sources (POST only)."""

from django.urls import path

from feeds.views import accounts, feed, fetch_again, host, hub, plan, sources, warc_files

urlpatterns = [
    path("feeds/<int:pk>/", feed.feed_page, name="feed"),
    path("feeds/<int:pk>/address/", feed.change_address, name="feed-address"),
    path("feeds/<int:pk>/schedule/", feed.set_schedule, name="feed-schedule"),
    path("feeds/<int:pk>/delete/", feed.delete_feed, name="feed-delete"),
    path("feeds/<int:pk>/<str:action>/", sources.feed_action, name="feed-action"),
    path("hosts/<str:name>/<slug:action>/", host.host_action, name="host-action"),
    path("hosts/<path:name>/", host.host_page, name="host"),
    path("hub/<slug:key>/", hub.hub, name="hub"),
    path("web-archives/", warc_files.imports, name="warc-imports"),
    path("web-archives/<int:pk>/import/", warc_files.import_looked_at, name="warc-import-looked"),
    path("part/web-archives/", warc_files.imports_part, name="part-warc-imports"),
    path("status/plan/", plan.plan, name="plan"),
    path("sources/<slug:slug>/settings/", sources.publication_settings, name="source-settings"),
    path(
        "sources/<slug:slug>/fetch-again/",
        fetch_again.fetch_publication_again,
        name="source-fetch-again",
    ),
    path("sources/<slug:slug>/languages/", sources.expected_languages, name="source-languages"),
    path("sources/<slug:slug>/accounts/", accounts.accounts, name="source-accounts"),
    path("sources/<slug:slug>/accounts/<int:pk>/", accounts.change, name="source-account"),
    path(
        "sources/<slug:slug>/accounts/<int:pk>/try/",
        accounts.try_log_in,
        name="source-account-try",
    ),
    path(
        "sources/<slug:slug>/accounts/<int:pk>/remove/",
        accounts.remove,
        name="source-account-remove",
    ),
    path("sources/<slug:slug>/do/<str:action>/", sources.publication_action, name="source-action"),
]
