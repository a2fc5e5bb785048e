"""Merging the index's segments beside the process's other work.

A thread goes through the merges that are due after a commit, at the lowest priority; numpy and the
files leave the interpreter to the others meanwhile. It needs no database. A process that ends takes
its merge with it: nothing is lost, the next commit starts it again (see `merging`).
"""

import logging
import os
import sys
import threading
from pathlib import Path

from search.engine.index.building.merge import next_merge
from search.engine.index.building.merging import merge_step
from search.engine.index.building.rebase import is_rebase_due
from search.engine.index.errors import DamagedFileError
from search.engine.index.manifest import load_manifest

logger = logging.getLogger(__name__)

LOWEST_PRIORITY = 19
_starting = threading.Lock()
_running: dict[Path, threading.Thread] = {}


def start(folder: Path) -> threading.Thread | None:
    """Start the merges that are due, unless they are being done; returns their thread."""
    if not _is_due(folder):
        return None
    with _starting:
        running = _running.get(folder)
        if running is not None and running.is_alive():
            return running
        thread = threading.Thread(target=_merge, args=(folder,), name="index-merges", daemon=True)
        _running[folder] = thread
        thread.start()
        return thread


def _is_due(folder: Path) -> bool:
    try:
        manifest = load_manifest(folder)
    except DamagedFileError:
        return False  # whoever reads or writes the index says so
    if manifest is None:
        return False
    return bool(next_merge(manifest.segments)) or is_rebase_due(folder, manifest.lexicon)


def _merge(folder: Path) -> None:
    if sys.platform == "linux":  # elsewhere the priority is that of the process
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOWEST_PRIORITY)
    try:
        while merge_step(folder):
            pass
    except DamagedFileError:
        logger.exception("the index in %s cannot be merged; run manage.py reindex", folder)
    except OSError:
        logger.exception("merging the index in %s failed; the next commit tries again", folder)
