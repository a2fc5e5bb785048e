"""The grammars that ship: one file a language, and one for all that are learnt from treebanks."""

import re
from pathlib import Path

from search.engine.annotation.languages import UNIVERSAL, tagged_languages

FOLDER = Path(__file__).parent / "grammars"
# Its file says the relations of any language with universal tags.
GENERIC = "ud"
_LANGUAGE_LINE = re.compile(rf"^language {GENERIC} .*$", re.MULTILINE)


def shipped_languages() -> list[str]:
    """Return the codes of the languages that have a grammar: of their own, then the generic one."""
    return [*_with_file(), *_learnt()]


def shipped_text(language: str) -> str:
    """Return the text of a language's grammar.

    Raises
    ------
    KeyError
        If none ships, and it is none of the languages that were learnt here.
    """
    if language in _with_file():
        return (FOLDER / f"{language}.sketch").read_text(encoding="utf-8")
    generic = (FOLDER / f"{GENERIC}.sketch").read_text(encoding="utf-8")
    return _LANGUAGE_LINE.sub(f"language {language} {_learnt()[language]}", generic)


def _with_file() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.sketch") if path.stem != GENERIC)


def _learnt() -> dict[str, str]:
    """Return code and name of languages with universal tags that have no file of their own."""
    own = _with_file()
    return {
        entry.code: entry.name
        for entry in tagged_languages()
        if entry.tag_set is UNIVERSAL and entry.code not in own
    }
