"""Which documents of a snapshot count, and the base that numbers about them refer to."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from search.index.reader import Snapshot

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Base:
    """What a result is measured against: the documents that the filter lets through."""

    n_tokens: int
    n_documents: int


@dataclass(frozen=True, slots=True)
class Selection:
    """Documents of a snapshot: one mask per segment, None where all documents count."""

    snapshot: Snapshot
    generation: int
    masks: tuple[Mask | None, ...]
    base: Base
