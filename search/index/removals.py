"""Tombstones: documents of a segment that were replaced or removed after it was written.

Input → output: document rows with the generation in which each went out ↔ a small file beside the
segment. The documents themselves stay, so a query at an older generation still finds them.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from search.index.codec import Container, write_container

REMOVALS_MAGIC = b"BSREMOVE"
U32 = npt.NDArray[np.uint32]


def write_removals(path: Path, generation_out: U32) -> None:
    """Store which documents went out and when.

    Parameters
    ----------
    path : Path
    generation_out : ndarray of shape (n_documents,)
        0 for documents that are current.
    """
    rows = np.flatnonzero(generation_out).astype(np.uint32)
    write_container(path, REMOVALS_MAGIC, {"row": rows, "generation": generation_out[rows]})


def read_removals(path: Path, written: U32) -> U32:
    """Return the generation in which each document went out.

    Parameters
    ----------
    path : Path
    written : ndarray of shape (n_documents,)
        The column in the segment file itself.
    """
    container = Container.open(path, REMOVALS_MAGIC)
    result = written.copy()
    result[container["row"]] = container["generation"]
    return result
