"""The language model's file: weights by hashed feature, and an English vocabulary.

`data/language.npz` is made by `python -m extraction.text.train_language`. It knows the eleven
official languages of South Africa, and as a twelfth what is none of them.

Codes are those of HTML's lang attribute (BCP 47): en, af, zu, xh, nr, ss, st, tn, nso, ve, ts; und
where nothing can be said or the language is none of these.
"""

import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from extraction.text.language_features import features

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
# ISO 639-3, as the training data have it.
CODES = {
    "afr": "af",
    "eng": "en",
    "nbl": "nr",
    "nso": "nso",
    "sot": "st",
    "ssw": "ss",
    "tsn": "tn",
    "tso": "ts",
    "ven": "ve",
    "xho": "xh",
    "zul": "zu",
}

MODEL_PATH = Path(__file__).parent / "data" / "language.npz"

# The largest key; behind the vocabulary it makes every look-up end inside.
_LAST = np.uint32(0xFFFFFFFF)
_WORDS = re.compile(r"[^\W\d_]+")


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
                np.append(np.cumsum(stored["vocabulary_gaps"], dtype=np.uint32), _LAST),
            )

    def scores(self, letters: Sequence[str]) -> npt.NDArray[np.float64]:
        """Log-odds of several texts by language.

        Parameters
        ----------
        letters
            Texts as `letters_of` returns them.

        Returns
        -------
        ndarray of shape (n_texts, n_languages)
            In nats, up to a constant of the text: differences within a row are what counts. Zeros
            for a text without letters.
        """
        return np.asarray(features(letters).sums(self.weights) / self.scale)

    def knows(self, words: Iterable[str]) -> npt.NDArray[np.bool_]:
        """Which of the lower-cased words the English vocabulary holds."""
        keys = np.array([zlib.crc32(word.encode()) for word in words], dtype=np.uint32)
        return np.asarray(self.vocabulary[np.searchsorted(self.vocabulary, keys)] == keys)


def words_of(text: str) -> list[str]:
    """Lower-cased words as the vocabulary ratio counts them: letters only."""
    return _WORDS.findall(text.lower())


@cache
def shared_model() -> LanguageModel:
    """Load the shipped model once a process."""
    return LanguageModel.load()
