"""Messages in Django's admin: to be looked at; their owners change them on their own page."""

from django.contrib import admin

from corpus_site.messaging.models import Channel, Delivery, Message, Notice, Subscription
from feeds.table_admin import WrittenByProgram


@admin.register(Channel)
class ChannelAdmin(WrittenByProgram):
    exclude = ("sealed", "key_digest")
    list_display = (
        "name",
        "kind",
        "owner",
        "address",
        "confirmed_at",
        "paused_at",
        "failing_since",
    )
    list_filter = ("kind",)
    search_fields = ("name", "address", "owner__username")


@admin.register(Subscription)
class SubscriptionAdmin(WrittenByProgram):
    list_display = ("topic", "query", "channel", "pace", "next_at", "last_made_at", "paused_at")
    list_filter = ("topic", "pace")


@admin.register(Message)
class MessageAdmin(WrittenByProgram):
    list_display = ("__str__", "channel", "made_at", "sent_at", "given_up_at", "tries", "due_at")
    search_fields = ("key", "channel__name")


@admin.register(Notice)
class NoticeAdmin(WrittenByProgram):
    list_display = ("key", "subscription", "at", "told_at")


@admin.register(Delivery)
class DeliveryAdmin(WrittenByProgram):
    list_display = ("at", "message", "is_taken", "code", "sentence")
    list_filter = ("is_taken",)
