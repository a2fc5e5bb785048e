"""Which language a text is in: hashed features decide, the vocabulary ratio is the second opinion.

The model (`language_model`) gives a text log-odds of the eleven official languages of South Africa
and of being none of them. The ratio cannot name a language, but it catches what none of the eleven
is: a text the model calls English whose words are unknown is of another language. Texts in two
languages go to the one with more letters; which paragraphs are in which language is said by
`paragraph_languages`.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from extraction.text.language_features import letters_of
from extraction.text.language_model import (
    ENGLISH,
    MODEL_PATH,
    NAMES,
    UNKNOWN,
    LanguageModel,
    shared_model,
)
from extraction.text.vocabulary_ratio import NO_WORDS, VocabularyRatio, vocabulary_ratio
from presentation.wording.figures import percent

__all__ = ["ENGLISH", "MODEL_PATH", "NAMES", "UNKNOWN", "LanguageDecision", "identify"]

# The first characters decide, and more change nothing; those of the ratio, which grows slowly with
# the length of a text.
SAMPLE_CHARS = 600
VOCABULARY_CHARS = 2000
# Fewer letters than these are not judged.
MIN_LETTERS = 3
# Nats by which "none of the eleven" must lead: one of lid-dev's 825 pieces of 15 characters leads
# by 0.9, no paragraph leads at all; foreign sentences of 70 characters lead by 7 and more.
FOREIGN_LEAD = 2.0
# What the model calls English is not when more words than these are unknown (French, Spanish and
# Portuguese lie at 0.62 to 0.70 and 0.53; English paragraphs of lid-dev below 0.25).
FOREIGN_SHARE = 0.6
FOREIGN_RUNNING_SHARE = 0.5
# Nats that a publication's expected languages are ahead: decides headlines and single words, never
# a sentence (those of lid-dev lead by 15 and more).
EXPECTED_NATS = 2.0
# Below so many nats a letter between first and second the text may be in two languages: its pieces
# are judged one by one. Mixed paragraphs of lid-dev lie at 0.03 to 0.25, nine of ten others above.
MIXED_MARGIN = 0.3
# Pieces shorter than this go with the piece before.
PIECE_CHARS = 60

# Letters beyond Latin and its extensions (Tshivenda's ḓ and ṱ are of U+1E00).
_OTHER_SCRIPT = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff]")
_PIECE_END = re.compile(r"(?<=[.!?\]\[\n])")

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LanguageDecision:
    """What a text was judged to be, and why.

    `unknown_share` is the share of distinct words outside the English vocabulary (0 to 1; 0 for a
    text without words), `running_share` the same over running words, `margin` the lead of the first
    language over the second in nats a letter.
    """

    language: str
    unknown_share: float
    running_share: float
    margin: float
    reason: str


def identify(
    text: str,
    expected: Collection[str] = (),
) -> LanguageDecision:
    """Judge the language of a text.

    Parameters
    ----------
    text
        Normalised text of any length; the first 600 characters decide the language, the first
        2,000 the ratio.
    expected
        Codes of the languages that the publication is written in: a prior of some nats, which
        matters for a few words and not for a sentence.

    Returns
    -------
    LanguageDecision
        `und` for a text with fewer than three letters, and for one whose words are neither English
        nor, as far as the model can tell, of the other official languages.

    References
    ----------
    Cavnar and Trenkle (1994) for n-grams.
    """
    model = shared_model()
    letters = letters_of(text[:VOCABULARY_CHARS])
    n_letters = len(letters) - letters.count(" ")
    if n_letters < MIN_LETTERS:
        return _unknown(NO_WORDS, "Too few letters to tell.")
    ratio = vocabulary_ratio(letters.split(" "))
    if is_other_script(letters):
        return _unknown(ratio, "Most of its letters are not Latin.")
    if len(letters) > SAMPLE_CHARS:
        letters = letters[:SAMPLE_CHARS].rpartition(" ")[0] or letters[:SAMPLE_CHARS]
    scores = model.scores([letters])[0]
    first, margin = best(model, scores, expected)
    margin /= len(letters)
    if margin < MIXED_MARGIN:
        first = _by_pieces(model, text[:SAMPLE_CHARS], first)
    language = nearest = model.languages[first]
    is_foreign = ratio.distinct > FOREIGN_SHARE and ratio.running > FOREIGN_RUNNING_SHARE
    if language == ENGLISH and ratio.has_say and is_foreign:
        language = UNKNOWN
    if nearest == UNKNOWN:
        nearest = model.languages[int(np.argmax(scores[:-1]))]
    return LanguageDecision(
        language,
        ratio.distinct,
        ratio.running,
        margin,
        _reason(language, nearest, ratio),
    )


def best(model: LanguageModel, scores: Scores, expected: Collection[str] = ()) -> tuple[int, float]:
    """Column of the first language and its lead over the second in nats.

    "None of the eleven" must lead by some nats to be the first; expected languages are ahead by
    some before the text is read.
    """
    nats = scores.tolist()
    nats[model.languages.index(UNKNOWN)] -= FOREIGN_LEAD
    for code in expected:
        if code in model.languages:
            nats[model.languages.index(code)] += EXPECTED_NATS
    second, first = sorted(range(len(nats)), key=nats.__getitem__)[-2:]
    return first, nats[first] - nats[second]


def is_other_script(letters: str) -> bool:
    """Whether most letters of a text (`letters_of`) are of another script than the Latin one."""
    return not letters.isascii() and 2 * len(_OTHER_SCRIPT.findall(letters)) > len(letters)


def _by_pieces(model: LanguageModel, sample: str, first: int) -> int:
    """Language with the most letters, its sentences judged one by one."""
    pieces = [""]
    for piece in _PIECE_END.split(sample):
        if len(pieces[-1]) < PIECE_CHARS:
            pieces[-1] += piece
        else:
            pieces.append(piece)
    if len(pieces) < 2:
        return first
    votes = np.zeros(len(model.languages))
    letters = [letters_of(piece) for piece in pieces]
    for piece, scores in zip(letters, model.scores(letters), strict=True):
        votes[best(model, scores)[0]] += len(piece)
    return int(np.argmax(votes))


def _unknown(ratio: VocabularyRatio, reason: str) -> LanguageDecision:
    return LanguageDecision(
        language=UNKNOWN,
        unknown_share=ratio.distinct,
        running_share=ratio.running,
        margin=0.0,
        reason=reason,
    )


def _reason(language: str, nearest: str, ratio: VocabularyRatio) -> str:
    if language == UNKNOWN:
        finding = f"Like none of the official languages (nearest: {NAMES[nearest]})"
    else:
        finding = f"Its letter sequences are {NAMES[language]}"
    if not ratio.has_say:
        return f"{finding}; too few words for the vocabulary test."
    distinct = f"{percent(ratio.distinct)} of its distinct words"
    running = f"{percent(ratio.running)} of its running words"
    return (
        f"{finding}; {distinct} and {running} are outside the English vocabulary ({ratio.opinion})."
    )
