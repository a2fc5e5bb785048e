"""py3langid's model as files that processes share: the package's file in, its identifier out.

The package unpacks 4.6 MB into 73 in each process, in .6 s. Unpacked once into a folder, the two
large tables are mapped: of what is read of them the machine holds one copy, for all processes.
A table that is not there or cut is written again; where that fails, the package unpacks its own.
"""

import hashlib
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

# As the identifier takes them: weights, priors, classes; next states, their rows, what they tell.
_MAPPED = ("weights", "moves")
_READ = ("priors", "classes", "rows", "outputs")
_NAME = "py3langid-"
_DIGEST_CHARS = 16


def read_identifier(folder: Path | None) -> Any:
    """Give the package's identifier, its tables in a folder below `folder`; None: in memory.

    The name of the tables' folder tells the digest of the package's file, so another model is
    unpacked anew, and the one before goes.
    """
    from py3langid.langid import (  # noqa: PLC0415 (an import of 20 ms that few processes need)
        MODEL_DIR,
        MODEL_FILE,
        LanguageIdentifier,
    )

    if folder is None:
        return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    digest = hashlib.sha256((MODEL_DIR / MODEL_FILE).read_bytes()).hexdigest()
    tables = folder / f"{_NAME}{digest[:_DIGEST_CHARS]}"
    found = _mapped(tables)
    if found is None:
        unpacked = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
        # Whoever is in each other's way here is so once: one of them wins.
        with suppress(OSError):
            _write(unpacked, tables)
        found = _mapped(tables) or unpacked
    return found


def _mapped(tables: Path) -> Any | None:
    from py3langid.langid import LanguageIdentifier  # noqa: PLC0415 (as above)

    try:
        weights, moves = (_table(tables, name, "r") for name in _MAPPED)
        priors, classes, rows, outputs = (_table(tables, name, None) for name in _READ)
    except (OSError, ValueError, EOFError):
        return None
    return LanguageIdentifier(
        weights,
        priors,
        classes.tolist(),
        moves.data,  # single numbers of an array take three times as long
        outputs.tolist(),
        norm_probs=True,
        tk_row=rows.data,
    )


def _table(tables: Path, name: str, mode: Any) -> npt.NDArray[Any]:
    found: npt.NDArray[Any] = np.load(tables / f"{name}.npy", mmap_mode=mode, allow_pickle=False)
    return found


def _write(identifier: Any, tables: Path) -> None:
    """Write the tables, whole or not at all; OSError where that fails."""
    arrays = {
        "weights": identifier.nb_ptc,
        "moves": np.asarray(identifier.tk_nextmove),
        "priors": identifier.nb_pc,
        "classes": np.asarray(identifier.nb_classes),
        "rows": np.asarray(identifier.tk_row),
        "outputs": np.asarray(identifier.tk_output, dtype=np.int32),
    }
    tables.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        prefix=_NAME, dir=tables.parent, ignore_cleanup_errors=True
    ) as unfinished:
        for name, array in arrays.items():
            _write_table(Path(unfinished) / f"{name}.npy", array)
        shutil.rmtree(tables, ignore_errors=True)  # those of who was faster are as good as mapped
        Path(unfinished).rename(tables)
    for other in tables.parent.glob(f"{_NAME}*"):
        if other != tables:
            shutil.rmtree(other, ignore_errors=True)


def _write_table(path: Path, array: npt.NDArray[Any]) -> None:
    with path.open("wb") as file:
        np.save(file, array)
        file.flush()
        os.fsync(file.fileno())  # a table of zeros, after a loss of power, names wrong languages
