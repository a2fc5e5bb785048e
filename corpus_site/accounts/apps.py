"""Users, roles and signing in."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "corpus_site.accounts"
    label = "accounts"
    verbose_name = "Accounts"
