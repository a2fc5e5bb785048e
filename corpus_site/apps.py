"""The site itself: the order of the stages, the executor, the shell of the pages."""

import importlib

from django.apps import AppConfig


class CorpusSiteConfig(AppConfig):
    name = "corpus_site"
    verbose_name = "Site"

    def ready(self) -> None:
        """Register the system checks."""
        importlib.import_module("corpus_site.checks")
