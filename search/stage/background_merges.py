"""Merging the index's segments beside the process's other work.

A program of its own goes through the merges that are due after a commit, at the lowest priority; a
thread waits for its end, to log what went wrong. It needs no database. A process that ends takes
its merge with it: nothing is lost, the next commit starts it again (see `merging`).
"""

import logging
import os
import subprocess
import threading
from pathlib import Path

from feeds.work.own_programs import own_environment, own_program
from search.engine.index.building import merge_program
from search.engine.index.building.merge import next_merge
from search.engine.index.building.rebase import is_rebase_due
from search.engine.index.errors import DamagedFileError
from search.engine.index.manifest import load_manifest

logger = logging.getLogger(__name__)

_starting = threading.Lock()
_running: dict[Path, threading.Thread] = {}


def start(folder: Path) -> threading.Thread | None:
    """Start the merges that are due, unless they are being done; returns who waits for their end.

    Of several processes that start some, one merges and the others' programs end at once.
    """
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
    command = own_program(merge_program.__name__, str(folder), str(os.getpid()))
    try:
        done = subprocess.run(  # noqa: S603 (our own program)
            command,
            env=own_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    except OSError:  # no memory or no process left for it
        logger.exception("merging the index in %s failed; the next commit tries again", folder)
        return
    if done.returncode == merge_program.DAMAGED:
        logger.error(
            "the index in %s cannot be merged; run manage.py reindex: %s", folder, done.stderr
        )
    elif done.returncode:
        logger.error(
            "merging the index in %s ended with %d; the next commit tries again: %s",
            folder,
            done.returncode,
            done.stderr,
        )
