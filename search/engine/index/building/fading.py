"""Words of erased documents, taken out of the lexicon when no other document holds them.

Input → output: the folder of an index from which documents were erased → the same generation, its
lexicon in a new base in which every form and every value that no segment uses has lost its name.
Numbers do not change, so the segments stay as they are, whatever their size.

What a killed merge or rebuild has left behind goes too: it may hold the documents themselves.
"""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from search.engine.index.building.history import STRING_COLUMNS
from search.engine.index.building.merging import IN_BACKGROUND, MERGE_LOCK_NAME
from search.engine.index.building.open_segments import OpenSegments
from search.engine.index.building.rebuild import STAGING_NAME
from search.engine.index.lexicon.lexicon import Lexicon, LexiconBlock, LexiconView
from search.engine.index.lexicon.log import load_lexicon, write_base
from search.engine.index.lexicon.strings import StringTable, encode_strings
from search.engine.index.manifest import (
    LOCK_TIMEOUT_SECONDS,
    LexiconFiles,
    Manifest,
    WriterLock,
    delete_unused,
    load_manifest,
    store_manifest,
)

# U+FDD0 is no character, for the use of programs: no text and no query holds it.
NAMELESS = "\ufdd0"

Mask = npt.NDArray[np.bool_]


def is_fading_due(folder: Path) -> bool:
    """Say whether the lexicon may hold words of documents that were erased."""
    manifest = load_manifest(folder)
    return manifest is not None and manifest.holds_erased_words


def fade(folder: Path, lock_timeout_seconds: float = LOCK_TIMEOUT_SECONDS) -> int:
    """Take the names of what no document uses out of the lexicon, if that is due.

    Returns
    -------
    int
        How many forms and values lost their names.

    Raises
    ------
    IndexLockedError
        If somebody else writes or merges all the while.
    DamagedFileError
        If a file cannot be read: which words a damaged segment holds nobody can tell.
    """
    if not is_fading_due(folder):
        return 0
    merging, writing = WriterLock(folder, MERGE_LOCK_NAME), WriterLock(folder)
    merging.acquire(lock_timeout_seconds)
    try:
        writing.acquire(lock_timeout_seconds)
        manifest = load_manifest(folder)
        return _fade(folder, manifest) if manifest is not None else 0
    finally:
        writing.release()
        merging.release()


def _fade(folder: Path, manifest: Manifest) -> int:
    lexicon = load_lexicon(folder, manifest.lexicon)
    forms, values = _used(folder, manifest, lexicon.view())
    faded, n_faded = _without_names(lexicon, forms, values)
    known = manifest.lexicon
    files = LexiconFiles(
        epoch=known.epoch + 1,
        size=known.size,
        log_origin=known.log_origin + known.log_bytes,
        n_fadings=known.n_fadings + 1,
    )
    write_base(folder / files.base_name, faded)
    (folder / files.log_name).write_bytes(b"")
    changed = replace(manifest, lexicon=files, holds_erased_words=False)
    store_manifest(folder, changed)
    delete_unused(folder, changed.file_names())
    for path in folder.glob(f"{IN_BACKGROUND}-*"):
        path.unlink(missing_ok=True)
    shutil.rmtree(folder / STAGING_NAME, ignore_errors=True)
    return n_faded


def _used(folder: Path, manifest: Manifest, view: LexiconView) -> tuple[Mask, Mask]:
    """Mark the forms and the values that some document uses, of any generation."""
    segments = OpenSegments(folder)
    types = np.zeros(view.size.n_types, dtype=np.bool_)
    values = np.zeros(view.size.n_values, dtype=np.bool_)
    for entry in manifest.segments:
        segment = segments.segment(entry)
        types[segment.postings.types] = True
        for name in STRING_COLUMNS:
            values[getattr(segment.documents, name)[:]] = True
        segments.forget(entry)
    forms = np.zeros(view.size.n_forms, dtype=np.bool_)
    forms[view.words[types]] = True
    forms[view.lemmas[types]] = True
    for variants in (view.lower, view.plain, view.folded, view.lower, view.plain):
        forms[variants[forms]] = True
    return forms, values


def _without_names(lexicon: Lexicon, forms: Mask, values: Mask) -> tuple[Lexicon, int]:
    """Return a lexicon with the same numbers, and how many of them have lost their names."""
    block = lexicon.as_block()
    own = np.arange(len(forms), dtype=np.uint32)
    variants = np.where(forms[:, None], block.variants.reshape(-1, 3), own[:, None])
    form_names, n_forms = _named(lexicon.forms, forms)
    value_names, n_values = _named(lexicon.values, values)
    result = Lexicon()
    result.extend(
        LexiconBlock(
            forms=form_names,
            variants=variants.reshape(-1),
            types=block.types,
            values=value_names,
            tags=block.tags,
        )
    )
    return result, n_forms + n_values


def _named(strings: StringTable, used: npt.NDArray[Any]) -> tuple[bytes, int]:
    """Encode strings without the names of unused ones; says how many had one until now."""
    known = strings.all()
    n_faded = 0
    for number in np.flatnonzero(~used).tolist():
        nameless = f"{NAMELESS}{number}"
        n_faded += known[number] != nameless
        known[number] = nameless
    return encode_strings(known), n_faded
