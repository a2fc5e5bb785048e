"""What to fetch, when, and what came back."""

from django.apps import AppConfig


class FeedsConfig(AppConfig):
    name = "feeds"
    verbose_name = "Sources"
