"""Messages: channels, subscriptions, deliveries."""

from django.apps import AppConfig


class MessagingConfig(AppConfig):
    name = "corpus_site.messaging"
    label = "messaging"
    verbose_name = "Messages"
