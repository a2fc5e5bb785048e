"""Stored form of a text: any string in, NFC text out whose line feeds are its paragraph breaks.

Every offset in the database and in the index counts code points of this form, so a text is
normalised once, before it is stored, and never again. The function is idempotent. Unicode Standard
Annex 15 (NFC); the invisible characters are those of category Cf that newspapers really send (soft
hyphens, zero-width spaces, direction marks, byte order marks).
"""

import re
import unicodedata

# Every kind of line end, among them the separators U+2028/9, NEL, vertical tab and form feed.
_LINE_ENDS = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# White space that is neither a plain space nor a line feed; thin, no-break, ideographic spaces and
# tabs become one space.
_OTHER_SPACES = re.compile(r"[^\S\n ]")
# Soft hyphen, Arabic letter mark, Mongolian vowel separator, zero-width space, direction marks and
# embeddings, word joiner and invisible operators, byte order mark, interlinear marks, tags; control
# characters; lone surrogates, which no codec can write. ZWNJ and ZWJ (U+200C/D) stay: they are part
# of the spelling in several scripts and of composed emoji.
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    r"\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)
_SPACE_RUN = re.compile(r"  +")
# Tried at the first blank of a row alone: else each of them would be, to its end.
_AROUND_BREAK = re.compile(r"(?<! ) *+\n[ \n]*")
# Bringing marks on one letter into their order takes their number squared. The Stream-Safe Text
# Format (Annex 15, section 13) allows 30; no script needs as many.
_MAX_MARKS = 30
_SIGNS = re.compile(rf"[^\w\s]{{{_MAX_MARKS + 1},}}")  # marks are among them
_PLAIN = re.compile(r"[\n -~]*")


def normalize_text(text: str) -> str:
    r"""Bring a text into its stored form.

    Parameters
    ----------
    text
        Any string, lone surrogates and NUL characters among it.

    Returns
    -------
    str
        NFC; no invisible characters; single spaces inside lines; paragraphs separated by single
        line feeds; no white space at either end. Quotes, dashes and all other signs stay as they
        are (folding is the query's business).

    Examples
    --------
    >>> normalize_text("Cafe\u0301\u00a0 news\r\n\r\nsoft\u00adhyphen ")
    'Café news\nsofthyphen'
    """
    if not _PLAIN.fullmatch(text):
        text = _LINE_ENDS.sub("\n", text)
        text = _OTHER_SPACES.sub(" ", text)
        text = _INVISIBLE.sub("", text)
        text = cut_marks(text)
        if not unicodedata.is_normalized("NFC", text):  # nearly all are
            text = cut_marks(unicodedata.normalize("NFC", text))
    text = _SPACE_RUN.sub(" ", text)
    return _AROUND_BREAK.sub("\n", text).strip(" \n")


def cut_marks(text: str) -> str:
    r"""Leave out what follows 30 marks on one letter; to be done before a normalization.

    Examples
    --------
    >>> len(cut_marks("a" + 99 * "\u0301" + "b"))
    32
    """
    return _SIGNS.sub(_with_few_marks, text)


def _with_few_marks(signs: re.Match[str]) -> str:
    kept, n_marks = [], 0
    for sign in signs[0]:
        n_marks = n_marks + 1 if unicodedata.combining(sign) else 0
        if n_marks <= _MAX_MARKS:
            kept.append(sign)
    return "".join(kept)
