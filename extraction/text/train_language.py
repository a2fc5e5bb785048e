"""Train the language model and its vocabulary: `python -m extraction.text.train_language DATA`.

DATA is the folder with `lid-train.jsonl.gz`, the treebanks and `capitals.tsv.gz`; the result is
`data/language.npz` beside this module. No randomness, so the same data give the same bytes. Not
used at run time. Sources and licences: `data/CREDITS.md`.
"""

import gzip
import json
import re
import sys
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import lemminflect
import numpy as np
import numpy.typing as npt

from extraction.text.language import BUCKET_BITS, MODEL_PATH, ngram_buckets, words_of

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
# Chosen on lid-dev: 0.3 and 0.5 differ by 0.1 points on 15 characters, 1 is no better.
SMOOTHING = 0.3
# Steps a nat: 16 lose nothing against float16 and fit int8 (the largest weight is below 8).
SCALE = 16
# GUM's two genres that may not be used commercially are left out of what is shipped.
NON_COMMERCIAL = re.compile(r"# newdoc id = GUM_(?:whow|fiction)_")
# Words that are capitalised in over 98 % of their uses are names; the vocabulary has enough.
_NAME_CLASS = 5
LONGEST_SAMPLE = 2000


def treebank_texts(folder: Path) -> Iterator[str]:
    """English sentences of the treebanks, as they stand in `# text =` lines."""
    for name in ("ewt-train", "gum-train"):
        is_free = True
        with gzip.open(folder / f"{name}.conllu.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("# newdoc"):
                    is_free = not NON_COMMERCIAL.match(line)
                elif is_free and line.startswith("# text = "):
                    yield line[len("# text = ") :].strip()


def labelled_texts(folder: Path) -> Iterator[tuple[str, str]]:
    """(code, text) of the training texts."""
    with gzip.open(folder / "lid-train.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            yield CODES[item["lang"]], item["text"]
    for text in treebank_texts(folder):
        yield "en", text


def train_weights(folder: Path) -> tuple[npt.NDArray[np.int8], list[str]]:
    """Count n-grams by language and turn them into centred, quantised log-probabilities."""
    languages = sorted(CODES.values())
    counts = np.full((len(languages), 1 << BUCKET_BITS), SMOOTHING)
    for code, text in labelled_texts(folder):
        buckets = ngram_buckets(text)
        counts[languages.index(code)] += np.bincount(buckets, minlength=1 << BUCKET_BITS)
    logs = np.log(counts) - np.log(counts.sum(axis=1, keepdims=True))
    centred = (logs - logs.mean(axis=0)).T
    return np.clip(np.round(centred * SCALE), -127, 127).astype(np.int8), languages


def vocabulary(folder: Path) -> set[str]:
    """English words that may be shipped.

    lemminflect's tables, treebank words used twice, and the words of the capitals table that are
    not names.
    """
    words: set[str] = set()
    resources = Path(lemminflect.__file__).parent / "resources"
    for name in ("lemma_lu.csv.gz", "infl_lu.csv.gz"):
        with gzip.open(resources / name, "rt", encoding="utf-8") as lines:
            for line in lines:
                words.update(words_of(line.replace(",adj", "").replace(",noun", "")))
    seen: dict[str, int] = {}
    for text in treebank_texts(folder):
        for word in words_of(text):
            seen[word] = seen.get(word, 0) + 1
    words.update(word for word, number in seen.items() if number > 1)
    with gzip.open(folder / "capitals.tsv.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            word, _, group = line.rstrip("\n").partition("\t")
            if word.isalpha() and int(group) < _NAME_CLASS:
                words.add(word)
    return words


def write_arrays(path: Path, arrays: dict[str, npt.NDArray[np.generic]]) -> None:
    """Write an .npz whose bytes depend on the arrays alone (numpy stamps the time of day)."""
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in arrays.items():
            buffer = BytesIO()
            np.save(buffer, array, allow_pickle=False)
            archive.writestr(
                ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), buffer.getvalue(), ZIP_DEFLATED, 9
            )


def main(folder: Path, path: Path = MODEL_PATH) -> None:
    """Train from the data in `folder` and write the model."""
    weights, languages = train_weights(folder)
    keys = np.unique([zlib.crc32(word.encode()) for word in vocabulary(folder)]).astype(np.uint64)
    gaps = np.diff(keys, prepend=np.uint64(0)).astype(np.uint32)
    path.parent.mkdir(exist_ok=True)
    write_arrays(
        path,
        {
            "weights": weights,
            "languages": np.array(languages),
            "scale": np.array(SCALE),
            "vocabulary_gaps": gaps,
        },
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
