"""The grammars that ship, one file a language."""

from pathlib import Path

FOLDER = Path(__file__).parent / "grammars"


def shipped_languages() -> list[str]:
    """Return the codes of the languages that have a grammar."""
    return sorted(path.stem for path in FOLDER.glob("*.sketch"))


def shipped_text(language: str) -> str:
    """Return the text of a language's grammar.

    Raises
    ------
    KeyError
        If none ships.
    """
    if language not in shipped_languages():
        raise KeyError(language)
    return (FOLDER / f"{language}.sketch").read_text(encoding="utf-8")
