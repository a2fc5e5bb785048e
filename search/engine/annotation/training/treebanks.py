"""The sentences that may be trained on for what is shipped.

English: EWT, and GUM without the two genres (wikiHow, fiction) whose texts are for non-commercial
use. Afrikaans: AfriBooms.
"""

from collections.abc import Iterator
from pathlib import Path

from search.engine.annotation.training.conllu import UPOS, GoldToken, read_paragraphs

TREEBANKS = ("ewt-train", "gum-train")
NON_COMMERCIAL_GENRES = frozenset({"whow", "fiction"})


def training_sentences(folder: Path) -> Iterator[list[GoldToken]]:
    """Sentences of the treebanks in `folder`, in file order."""
    for name in TREEBANKS:
        for paragraph in read_paragraphs(folder / f"{name}.conllu.gz"):
            if paragraph.genre not in NON_COMMERCIAL_GENRES:
                yield from paragraph.sentences


def afrikaans_sentences(folder: Path) -> Iterator[list[GoldToken]]:
    """Sentences of AfriBooms in `folder` with universal tags, in file order."""
    for paragraph in read_paragraphs(folder / "af-train.conllu.gz", UPOS):
        yield from paragraph.sentences
