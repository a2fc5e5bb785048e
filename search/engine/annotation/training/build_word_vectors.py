"""Build the table of word vectors.

The command is `python -m search.engine.annotation.training.build_word_vectors GLOVE.txt`.

GLOVE.txt holds one word a line, most frequent first, with its numbers between spaces, as
`glove.6B.50d.txt` does (Pennington, Socher and Manning 2014; Public Domain Dedication and License
1.0). The result, `data/word_vectors.npz`, is a source of the tagger's training; the tagger's file
holds what it needs of it.
"""

import sys
import zlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from extraction.text.train_language import write_arrays
from search.engine.annotation.features import fold
from search.engine.annotation.model import pack_keys
from search.engine.annotation.word_vectors import VECTORS_PATH, Floats, quantize

# Words beyond change nothing on the development data and cost 12 bytes each.
MAX_WORDS = 60_000


def read_vectors(lines: Iterable[str], n_words: int = MAX_WORDS) -> dict[int, Floats]:
    """Read the first words; of forms that fold alike the most frequent counts."""
    vectors: dict[int, Floats] = {}
    for line in lines:
        word, *numbers = line.rstrip("\n").split(" ")
        vectors.setdefault(zlib.crc32(fold(word).encode()), np.array(numbers, dtype=np.float32))
        if len(vectors) == n_words:
            break
    return vectors


def main(source: Path, path: Path = VECTORS_PATH) -> None:
    """Read GloVe's text file and write the table."""
    with source.open(encoding="utf-8") as lines:
        table = quantize(read_vectors(lines))
    write_arrays(
        path,
        {
            "keys": pack_keys(table.keys),
            "codes": table.codes,
            "centres": table.centres.astype(np.float16),
        },
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
