"""Build the tagger's model and the lemma table: `python -m search.annotation.train DATA`.

DATA is the folder with the treebanks and word tables (`data/CREDITS.md` names them). Takes about
two minutes. The same data give the same bytes.
"""

import sys
from pathlib import Path

from extraction.text.train_language import write_arrays
from search.annotation import train_lemmas, train_tagger
from search.annotation.lemmatizer import TABLE_PATH
from search.annotation.model import MODEL_PATH


def main(data: Path, folder: Path = MODEL_PATH.parent) -> None:
    """Train from `data` and write both files into `folder`."""
    write_arrays(folder / MODEL_PATH.name, train_tagger.train(data).arrays())
    train_lemmas.main(data, folder / TABLE_PATH.name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
