"""Which language a text is in: hashed n-grams decide, the vocabulary ratio is the second opinion.

The model is naive Bayes over byte 3- to 5-grams of lower-cased letters, hashed to 2^17 buckets, for
the eleven official languages of South Africa; one gather and one sum per text. Its weights are
small integers in `data/language.npz`, made by `python -m extraction.text.train_language`. The ratio
is that of ALG-7 (COR-38): distinct words outside an English vocabulary over distinct words; English
lies near 0.25, other languages near 0.95. It cannot name a language, but it catches what none of
the eleven is: a text the model calls English whose words are unknown is of another language.

Codes are those of HTML's lang attribute (BCP 47): en, af, zu, xh, nr, ss, st, tn, nso, ve, ts; und
where nothing can be said.
"""

import re
import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

ENGLISH = "en"
UNKNOWN = "und"
NAMES = {
    "en": "English",
    "af": "Afrikaans",
    "zu": "isiZulu",
    "xh": "isiXhosa",
    "nr": "isiNdebele",
    "ss": "siSwati",
    "st": "Sesotho",
    "tn": "Setswana",
    "nso": "Sepedi",
    "ve": "Tshivenda",
    "ts": "Xitsonga",
    UNKNOWN: "unknown",
}

MODEL_PATH = Path(__file__).parent / "data" / "language.npz"
BUCKET_BITS = 17
ORDERS = (3, 4, 5)
# The first characters decide; more change nothing (nlp-dedup C).
SAMPLE_CHARS = 1000
VOCABULARY_CHARS = 2000
# ALG-7: English below, other above, unsure between.
SHARE_ENGLISH_BELOW = 0.5
SHARE_OTHER_ABOVE = 0.8
# What the model calls English is not when more words than these are unknown (French, Spanish and
# Portuguese lie at 0.62 to 0.70 and 0.53; English paragraphs of lid-dev below 0.25).
FOREIGN_SHARE = 0.6
FOREIGN_RUNNING_SHARE = 0.5
# Fewer letters than these are not judged; fewer distinct words give the ratio no say.
MIN_LETTERS = 3
MIN_WORDS_FOR_RATIO = 8
# Nats an n-gram below which none of the languages fits (1 % of lid-dev's 15-character pieces lie
# below 0.74, no paragraph below 0.60; Kiswahili at 0.31).
MIN_SCORE = 0.4

_NOT_LETTERS = re.compile(r"[\W\d_]+")
# Letters beyond Latin and its extensions (Tshivenda's ḓ and ṱ are of U+1E00).
_OTHER_SCRIPT = re.compile(r"[^\W\d_\u0000-\u024f\u1e00-\u1eff]")
_WORDS = re.compile(r"[^\W\d_]+")
_FNV_PRIME = np.uint32(0x01000193)
_MIX = np.uint32(0x9E3779B1)


@dataclass(frozen=True, slots=True)
class LanguageDecision:
    """What a text was judged to be, and why.

    `unknown_share` is the share of distinct words outside the English vocabulary (0 to 1; 0 for a
    text without words), `running_share` the same over running words, `margin` the lead of the first
    language over the second in nats a character.
    """

    language: str
    is_english: bool
    unknown_share: float
    running_share: float
    margin: float
    reason: str


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """Weights (buckets x languages, int8), the languages, and the sorted CRC-32s of the words."""

    weights: npt.NDArray[np.int8]
    languages: tuple[str, ...]
    scale: float
    vocabulary: npt.NDArray[np.uint32]

    @classmethod
    def load(cls, path: Path = MODEL_PATH) -> "LanguageModel":
        """Read a model file."""
        with np.load(path) as stored:
            return cls(
                stored["weights"],
                tuple(str(code) for code in stored["languages"]),
                float(stored["scale"]),
                np.cumsum(stored["vocabulary_gaps"], dtype=np.uint64).astype(np.uint32),
            )

    def score(self, text: str) -> npt.NDArray[np.float64]:
        """Log-likelihood of the text's beginning by language, in nats an n-gram, centred."""
        buckets = ngram_buckets(text[:SAMPLE_CHARS])
        if len(buckets) == 0:
            return np.zeros(len(self.languages))
        sums = self.weights[buckets].sum(axis=0, dtype=np.int64)
        return np.asarray(sums / (self.scale * len(buckets)))

    def knows(self, words: Iterable[str]) -> npt.NDArray[np.bool_]:
        """Which of the lower-cased words the English vocabulary holds."""
        keys = np.array([zlib.crc32(word.encode()) for word in words], dtype=np.uint32)
        places = np.searchsorted(self.vocabulary, keys).clip(max=len(self.vocabulary) - 1)
        return np.asarray(self.vocabulary[places] == keys)


def ngram_buckets(text: str) -> npt.NDArray[np.uint32]:
    """Hash the byte 3- to 5-grams of a text's letters; digits and signs count as one blank."""
    letters = _NOT_LETTERS.sub(" ", text.lower()).strip()
    if not letters:
        return np.zeros(0, dtype=np.uint32)
    data = np.frombuffer(f" {letters} ".encode(), dtype=np.uint8).astype(np.uint32)
    rolling = data.copy()
    found = []
    for order in range(2, ORDERS[-1] + 1):
        if len(data) < order:
            break
        rolling = rolling[:-1] * _FNV_PRIME ^ data[order - 1 :]
        if order >= ORDERS[0]:
            salted = (rolling + np.uint32(order) * _FNV_PRIME) * _MIX
            found.append(salted >> np.uint32(32 - BUCKET_BITS))
    return np.concatenate(found) if found else np.zeros(0, dtype=np.uint32)


def words_of(text: str) -> list[str]:
    """Lower-cased words as ALG-7 counts them: letters only."""
    return _WORDS.findall(text.lower())


@cache
def _model() -> LanguageModel:
    return LanguageModel.load()


def identify(text: str, known_words: frozenset[str] = frozenset()) -> LanguageDecision:
    """Judge the language of a text.

    Parameters
    ----------
    text
        Normalised text of any length; the first 1,000 characters decide the language, the first
        2,000 the ratio.
    known_words
        Lower-case words to count as known beside the vocabulary, such as the editors' lexicon.

    Returns
    -------
    LanguageDecision
        `und` for a text with fewer than three letters, and for one whose words are neither English
        nor, as far as the model can tell, of the other official languages.

    References
    ----------
    ALG-7, COR-38 and COR-39 of the requirements; Cavnar and Trenkle (1994) for n-grams.
    """
    model = _model()
    running, share, running_share, n_types = _shares(model, text, known_words)
    n_letters = sum(map(len, running))
    if n_letters < MIN_LETTERS:
        return _unknown(0.0, 0.0, "Too few letters to tell.")
    if 2 * len(_OTHER_SCRIPT.findall(text[:VOCABULARY_CHARS])) > n_letters:
        return _unknown(share, running_share, "Most of its letters are not Latin.")
    scores = model.score(text)
    second, first = np.argsort(scores)[-2:]
    language = nearest = model.languages[first]
    is_judged = n_types >= MIN_WORDS_FOR_RATIO
    is_foreign = share > FOREIGN_SHARE and running_share > FOREIGN_RUNNING_SHARE
    if scores[first] < MIN_SCORE or (language == ENGLISH and is_judged and is_foreign):
        language = UNKNOWN
    return LanguageDecision(
        language,
        language == ENGLISH,
        share,
        running_share,
        float(scores[first] - scores[second]),
        _reason(language, nearest, share if is_judged else None),
    )


def _unknown(share: float, running_share: float, reason: str) -> LanguageDecision:
    return LanguageDecision(
        language=UNKNOWN,
        is_english=False,
        unknown_share=share,
        running_share=running_share,
        margin=0.0,
        reason=reason,
    )


def _shares(
    model: LanguageModel, text: str, known_words: frozenset[str]
) -> tuple[list[str], float, float, int]:
    running = words_of(text[:VOCABULARY_CHARS])
    counts = Counter(running)
    if not counts:
        return running, 0.0, 0.0, 0
    known = model.knows(counts)
    unknown = [
        number
        for (word, number), is_known in zip(counts.items(), known.tolist(), strict=True)
        if not is_known and word not in known_words
    ]
    return running, len(unknown) / len(counts), sum(unknown) / len(running), len(counts)


def _reason(language: str, nearest: str, share: float | None) -> str:
    if language == UNKNOWN:
        finding = f"Like none of the official languages (nearest: {NAMES[nearest]})"
    else:
        finding = f"Its letter sequences are {NAMES[language]}"
    if share is None:
        return f"{finding}; too few words for the vocabulary test."
    if share < SHARE_ENGLISH_BELOW:
        opinion = "English by that test"
    elif share > SHARE_OTHER_ABOVE:
        opinion = "not English by that test"
    else:
        opinion = "that test is unsure"
    percent = f"{100 * share:.0f} % of its distinct words are outside the English vocabulary"
    return f"{finding}; {percent} ({opinion})."
