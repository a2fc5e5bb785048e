"""Bytes to text with metadata."""

from pathlib import Path

from django.apps import AppConfig
from django.conf import settings

from extraction.text import other_languages


def unpacked_folder() -> Path:
    """Return the folder below DATA_DIR with what packages hold packed; it may be deleted."""
    return Path(settings.DATA_DIR) / "unpacked"


class ExtractionConfig(AppConfig):
    name = "extraction"
    verbose_name = "Texts"

    def ready(self) -> None:
        other_languages.unpack_in(unpacked_folder)
