"""Which language a text is in that is none of the eleven official ones.

Our own model knows the eleven and "none of them". Of what is none, py3langid names the language
(140 of them; its model is inside the package, 4.6 MB). What the page declares counts where the
text does not speak clearly against it. The model is unpacked at the first such text, into 68 MB on
disk that all processes share: an installation without one never pays for it.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from extraction.text.language import SAMPLE_CHARS, LanguageDecision, identify
from extraction.text.language_model import NAMES, UNKNOWN
from extraction.text.language_names import LANGUAGES, language_code, language_name
from extraction.text.unpacked_model import read_identifier
from presentation.wording.figures import percent

# Fewer characters name no language: a headline is like several.
LEAST_CHARS = 40
# Of 40 passages in 28 languages 38 are named rightly above it; the two in Chichewa, which it does
# not know, lie below.
SURE = 0.96
# py3langid calls so what is no language.
_NO_LANGUAGE = "zxx"


def named(decision: LanguageDecision, text: str, declared: str = "") -> LanguageDecision:
    """Name the language of a text that was judged to be none of the eleven.

    Parameters
    ----------
    decision
        Of the text, by `identify`; any other decision comes back as it is.
    text
        The text itself; its first 600 characters count.
    declared
        What the page says: "de-DE", "fr_FR"; what is no language, or one of the eleven, which the
        text is not, says nothing.
    """
    sample = text[:SAMPLE_CHARS]
    if decision.language != UNKNOWN or len(sample) < LEAST_CHARS:
        return decision
    said = language_code(declared)
    said = "" if said in NAMES else said
    found, share = _classified(sample)
    is_sure = share >= SURE and found not in NAMES
    if said and (found == said or not is_sure):
        return _with(decision, said, f"The page declares {language_name(said)}")
    if is_sure:
        words = f"{percent(share)} sure by py3langid"
        return _with(decision, found, f"{language_name(found)}, {words}")
    return decision


def language_of_comment(text: str, article_language: str) -> str:
    """Give the code of a comment's language; readers tend to write in that of the article."""
    if not text:
        return ""
    return named(identify(text, expected=(article_language,)), text, article_language).language


def _with(decision: LanguageDecision, code: str, reason: str) -> LanguageDecision:
    return replace(decision, language=code, reason=f"{reason}. {decision.reason}")


def _classified(text: str) -> tuple[str, float]:
    """Name the likeliest language, and how sure that is (0 to 1); `und` for what has no name."""
    label, share = _identifier().classify(text)
    code = language_code(str(label))
    return (code, float(share)) if code in LANGUAGES and label != _NO_LANGUAGE else (UNKNOWN, 0.0)


_where: list[Callable[[], Path]] = []


def unpack_in(folder: Callable[[], Path]) -> None:
    """Say where the model is unpacked to; without it, into the memory of each process."""
    _where[:] = [folder]


@cache
def _identifier() -> Any:
    return read_identifier(_where[0]() if _where else None)
