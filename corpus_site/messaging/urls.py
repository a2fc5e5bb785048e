"""Messages: the reader's own page, and addresses that work without signing in."""

from django.urls import path

from corpus_site.messaging import open_pages, pages

urlpatterns = [
    path("settings/messages/", pages.own_messages, name="messages"),
    path("settings/messages/sent/", pages.sent, name="messages-sent"),
    path("settings/messages/sent/<int:pk>/again/", pages.again, name="message-again"),
    path("settings/messages/channels/add/", pages.add_channel, name="channel-add"),
    path(
        "settings/messages/channels/<int:pk>/<slug:action>/",
        pages.change_channel,
        name="channel-change",
    ),
    path("settings/messages/wanted/add/", pages.add_subscription, name="subscription-add"),
    path(
        "settings/messages/wanted/<int:pk>/edit/",
        pages.edit_subscription,
        name="subscription-edit",
    ),
    path(
        "settings/messages/wanted/<int:pk>/<slug:action>/",
        pages.change_subscription,
        name="subscription-change",
    ),
    path("settings/messages/hours/", pages.change_habits, name="message-hours"),
    path("messages/end/<str:key>/", open_pages.end, name="message-end"),
    path("messages/leave/<str:key>/", open_pages.leave, name="message-leave"),
    path("messages/confirm/<str:key>/", open_pages.confirm, name="message-confirm"),
    path("messages/feed/<str:key>/", open_pages.feed, name="message-feed"),
]
