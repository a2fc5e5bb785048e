"""What a line looks like by itself: its length, links, punctuation and figures.

Columns of `line_features`: float32 matrices with a row for each line.
"""

import re
import string
from collections import Counter
from itertools import chain

import numpy as np
import numpy.typing as npt

from extraction.html.markup.outline import Outline

FloatMatrix = npt.NDArray[np.float32]

# Scripts without blanks: a character counts as half a word, as an eighth of a paragraph's length.
_CJK = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_CJK_WEIGHT = 3
_SENTENCE_ENDS = frozenset(".!?…。！？;:؟।")
_CLOSING_MARKS = "\"'”’»«)]"
_INNER_END = re.compile(r"[.!?][\"'”’»)]*\s+[\"'“‘«(]?[^\W\d_]|[。！？]")
_DATE = re.compile(
    r"\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b(?:19|20)\d\d[-./年]\s?\d{1,2}|\b\d{1,2}:\d\d\b|\b(?:19|20)\d\d\b"
)
_DIGIT = re.compile(r"\d")
_DIGITS, _CAPITALS = string.digits.encode(), string.ascii_uppercase.encode()
# Running text: at least this many characters (CJK counts more) and mostly outside of links.
PARAGRAPH_CHARACTERS = 80
_LINK_SHARE = 0.35  # of its characters
# Digits and capitals tell about dates, bylines and labels, which are short.
_LONG_CHARACTERS = 200
_END_CHARACTERS = 24  # where the end of a sentence may stand, marks and brackets included
RUNNING = 6  # column of `own_form`: whether the line is running text


def text_weights(texts: list[str]) -> list[int]:
    """Characters of each line, those of scripts without blanks counted several times."""
    lengths = [len(text) for text in texts]
    if _CJK.search("".join(text for text in texts if not text.isascii())) is None:
        return lengths
    more = _CJK_WEIGHT - 1
    return [
        length if text.isascii() else length + more * len(_CJK.findall(text))
        for length, text in zip(lengths, texts, strict=True)
    ]


def own_form(outline: Outline, weights: list[int]) -> FloatMatrix:
    """Return 23 columns of a line's form, given the weights of all lines (`text_weights`)."""
    lines = outline.lines
    texts = [line.text for line in lines]
    seen = Counter(texts)
    counts = np.fromiter(
        chain.from_iterable(
            (
                len(line.text),
                line.n_link_chars,
                line.n_strong_chars,
                line.text.count(" ") + 1,
                line.n_links,
                seen[line.text] - 1,
                line.after_break,
            )
            for line in lines
        ),
        dtype=np.float64,
    ).reshape(len(lines), 7)
    n_chars, n_link_chars, n_strong_chars, n_words, n_links, n_twins, after_break = counts.T
    weight = np.array(weights, dtype=np.float64)
    signs = np.fromiter(chain.from_iterable(map(_signs, texts)), dtype=np.float64)
    signs = signs.reshape(len(lines), 12)
    is_running = (weight >= PARAGRAPH_CHARACTERS) & (n_link_chars < _LINK_SHARE * n_chars)
    return np.stack(
        [
            np.log1p(np.minimum(weight, 4095)),
            np.minimum(n_link_chars / n_chars, 1),
            signs[:, 0],
            signs[:, 1],
            np.minimum(n_strong_chars / n_chars, 1),
            np.minimum(signs[:, 2], 10) / 10,
            is_running,
            np.minimum(n_words, 60) / 60,
            signs[:, 3] / n_chars,
            signs[:, 4] / n_chars,
            *signs[:, 5:].T,
            (weight - n_chars) / (_CJK_WEIGHT - 1) / n_chars,
            np.minimum(n_links, 10) / 10,
            n_links == 0,
            np.minimum(n_twins, 3) / 3,
            after_break,
            n_chars / n_words / 20,
        ],
        axis=1,
    ).astype(np.float32)


def _digits_and_capitals(text: str) -> tuple[int, int]:
    if not text.isascii():
        return len(_DIGIT.findall(text)), sum(map(str.isupper, text))
    data = text.encode()
    return (
        len(data) - len(data.translate(None, _DIGITS)),
        len(data) - len(data.translate(None, _CAPITALS)),
    )


def _signs(text: str) -> tuple[float, ...]:
    """Tell how the line ends and begins; its commas, digits, capitals, date, separators."""
    n_chars = len(text)
    first = text[0]
    n_commas = text.count(",")
    is_ascii = text.isascii()
    may_end = "." in text or "?" in text or "!" in text
    if not is_ascii:
        n_commas += text.count("，") + text.count("、")
    n_digits, n_capitals = _digits_and_capitals(text) if n_chars < _LONG_CHARACTERS else (0, 0)
    return (
        text[-_END_CHARACTERS:].rstrip(_CLOSING_MARKS)[-1:] in _SENTENCE_ENDS,
        (may_end or not is_ascii) and _INNER_END.search(text) is not None,
        n_commas,
        n_digits,
        n_capitals,
        first.islower(),
        first.isdigit(),
        not first.isalnum(),
        n_digits > 0 and n_chars < 120 and _DATE.search(text) is not None,
        text[-1] == ":",
        "?" in text,
        "|" in text or "»" in text or "/ " in text or "•" in text,
    )
