"""The site itself: the order of the stages, the executor, the shell of the pages."""

from django.apps import AppConfig


class CorpusSiteConfig(AppConfig):
    name = "corpus_site"
    verbose_name = "Site"
