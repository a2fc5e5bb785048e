"""The corpus as a linguist sees it."""

from pathlib import Path

from django.apps import AppConfig
from django.conf import settings

from search.engine.annotation import own_languages

LANGUAGES_FOLDER = "languages"


def languages_folder() -> Path:
    """Return the folder below DATA_DIR with the languages that were learnt here."""
    return Path(settings.DATA_DIR) / LANGUAGES_FOLDER


class SearchConfig(AppConfig):
    name = "search"
    verbose_name = "Search"

    def ready(self) -> None:
        own_languages.look_in(languages_folder)
