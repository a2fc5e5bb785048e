"""Build taggers and lemma tables.

The command is `python -m search.engine.annotation.training.train DATA [FOLDER]`; DATA is the folder
with the treebanks and word tables (`CREDITS.md` beside the models names them). Takes about five
minutes. The same data give the same bytes: the order of all additions is fixed, and so is the part
of the processor that adds (`PLAIN_PROCESSOR`), for numpy's libraries choose among several.
"""

import os
import subprocess
import sys
from pathlib import Path

from extraction.text.train_language import write_arrays
from search.engine.annotation.afrikaans import LEMMAS_PATH
from search.engine.annotation.lemmatizer import TABLE_PATH
from search.engine.annotation.model import AFRIKAANS_MODEL_PATH, MODEL_PATH
from search.engine.annotation.training import train_afrikaans_lemmas, train_lemmas, train_tagger
from search.engine.annotation.training.train_network import NetworkSettings

# One thread and the instructions that every x86-64 server of the last ten years has.
PLAIN_PROCESSOR = {
    "OPENBLAS_CORETYPE": "Haswell",
    "OPENBLAS_NUM_THREADS": "1",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
}
# What the folder of training data must hold.
TRAINING_FILES = (
    "ewt-train.conllu.gz",
    "gum-train.conllu.gz",
    "af-train.conllu.gz",
    "clusters.tsv.gz",
    "capitals.tsv.gz",
)
# Of 128, 256 and twice 128 hidden units, 256 were best on a tenth of the documents held out.
ENGLISH_NETWORKS = (NetworkSettings(hidden=256),)
# Few sentences need small batches to be gone through often enough.
AFRIKAANS_NETWORKS = (NetworkSettings(hidden=64, epochs=20, batch=8, rate=2e-3),)


def main(data: Path, folder: Path = MODEL_PATH.parent) -> None:
    """Train from `data` and write all files into `folder`, in a process of its own."""
    paths = [str(path.resolve()) for path in (data, folder)]
    command = [sys.executable, "-m", "search.engine.annotation.training.train", *paths]
    subprocess.run(  # noqa: S603 (our own module)
        command, check=True, env=os.environ | PLAIN_PROCESSOR, cwd=Path(__file__).parents[4]
    )


def _train(data: Path, folder: Path) -> None:
    train_lemmas.main(data, folder / TABLE_PATH.name)
    train_afrikaans_lemmas.main(data, folder / LEMMAS_PATH.name)
    afrikaans = train_tagger.train(train_tagger.afrikaans(data), AFRIKAANS_NETWORKS)
    write_arrays(folder / AFRIKAANS_MODEL_PATH.name, afrikaans.arrays())
    english = train_tagger.train(train_tagger.english(data), ENGLISH_NETWORKS)
    write_arrays(folder / MODEL_PATH.name, english.arrays())


if __name__ == "__main__":
    if PLAIN_PROCESSOR.items() <= os.environ.items():
        _train(Path(sys.argv[1]), Path(sys.argv[2]) if sys.argv[2:] else MODEL_PATH.parent)
    else:
        main(*map(Path, sys.argv[1:3]))
