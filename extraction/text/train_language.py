"""Train the language model and its vocabulary: `python -m extraction.text.train_language DATA`.

DATA is the folder with `lid-train.jsonl.gz`, the treebanks and `capitals.tsv.gz`; the result is
`data/language.npz` beside this module. Seeded, and in whole numbers where sums could depend on the
machine, so the same data give the same bytes. Not used at run time. Sources and licences:
`data/CREDITS.md`.
"""

import argparse
import gzip
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
import numpy.typing as npt

from extraction.text.language_features import letters_of
from extraction.text.language_model import CODES, MODEL_PATH, UNKNOWN, words_of
from extraction.text.language_training import TrainingPiece, train

# Texts in other languages: the Universal Declaration of Human Rights.
OTHERS_PATH = Path(__file__).parent / "data" / "other_languages.jsonl.gz"
# GUM's two genres that may not be used commercially are left out of what is shipped.
NON_COMMERCIAL = re.compile(r"# newdoc id = GUM_(?:whow|fiction)_")
# Words that are capitalised in over 98 % of their uses are names; the vocabulary has enough.
_NAME_CLASS = 5
# Each text is cut three times, into pieces of whole words with at least so many characters: the
# short ones are what is hard, the long ones what is asked most.
PIECE_CHARS = (15, 40, 150)


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
    """(code, text) of the training texts; those of other languages are `und`."""
    with gzip.open(folder / "lid-train.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            yield CODES[item["lang"]], item["text"]
    for text in treebank_texts(folder):
        yield "en", text
    with gzip.open(OTHERS_PATH, "rt", encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            # Dutch lies so near to Afrikaans that it counts several times.
            for text in item["texts"] * item.get("times", 1):
                yield UNKNOWN, text


def pieces(folder: Path, languages: Sequence[str]) -> list[TrainingPiece]:
    """Cut the training texts into pieces of three lengths."""
    columns = {code: column for column, code in enumerate(languages)}
    found = []
    for code, text in labelled_texts(folder):
        words = letters_of(text).split(" ")
        for n_chars in PIECE_CHARS:
            found += [TrainingPiece(columns[code], piece) for piece in _cut(words, n_chars)]
    return found


def _cut(words: Sequence[str], n_chars: int) -> Iterator[str]:
    first = length = 0
    for number, word in enumerate(words):
        length += len(word) + (number > first)
        if length >= n_chars:
            yield " ".join(words[first : number + 1])
            first, length = number + 1, 0


def vocabulary(folder: Path) -> set[str]:
    """English words that may be shipped.

    lemminflect's tables, treebank words used twice, and the words of the capitals table that are
    not names.
    """
    words = set(_lemminflect_words())
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


def _lemminflect_words() -> Iterator[str]:
    import lemminflect  # noqa: PLC0415 - takes a second to load and only training needs it

    resources = Path(lemminflect.__file__).parent / "resources"
    for name in ("lemma_lu.csv.gz", "infl_lu.csv.gz"):
        with gzip.open(resources / name, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield from words_of(line.replace(",adj", "").replace(",noun", ""))


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
    languages = [*sorted(CODES.values()), UNKNOWN]
    trained = train(pieces(folder, languages), len(languages))
    keys = np.unique([zlib.crc32(word.encode()) for word in vocabulary(folder)]).astype(np.uint64)
    gaps = np.diff(keys, prepend=np.uint64(0)).astype(np.uint32)
    path.parent.mkdir(exist_ok=True)
    write_arrays(
        path,
        {
            "weights": trained.weights,
            "languages": np.array(languages),
            "scale": np.array(trained.scale),
            "vocabulary_gaps": gaps,
        },
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m extraction.text.train_language",
        description="Train the language model and its vocabulary, the same bytes each time.",
    )
    parser.add_argument("data", type=Path, help="folder with lid-train.jsonl.gz and the treebanks")
    parser.add_argument("--out", type=Path, default=MODEL_PATH, help="the file to write")
    given = parser.parse_args()
    main(given.data, given.out)
