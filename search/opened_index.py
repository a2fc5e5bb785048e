"""The process's view of the index: one reader, brought up to date when the manifest has changed.

An index that cannot be read is not an error page: the last generation that could be read is served
(none after a restart), and the damage is in the log and in the snapshot, for the pages to name. So
is an index that is not there at all though texts went into it: it does not mean that none is found.
"""

import logging
from dataclasses import replace
from functools import cache
from pathlib import Path

from django.conf import settings

from search.engine.index.errors import DamagedFileError
from search.engine.index.lexicon.lexicon import Lexicon
from search.engine.index.manifest import MANIFEST_NAME
from search.engine.index.reader import IndexReader, Snapshot
from search.models import IndexedArticle

logger = logging.getLogger(__name__)


@cache
def _reader(folder: Path) -> IndexReader:
    return IndexReader(folder)


def current_snapshot() -> Snapshot:
    """Return the newest generation; costs one look at the manifest's status when unchanged."""
    folder = Path(settings.INDEX_DIR)
    last = Snapshot("", 0, Lexicon().view(), ())
    try:
        reader = _reader(folder)
        last = reader.snapshot
        reader.refresh()
    except DamagedFileError as error:
        logger.exception("the index in %s cannot be read; run manage.py reindex", folder)
        return replace(last, damaged=(*last.damaged, error))
    if not reader.snapshot.generation and IndexedArticle.objects.filter(generation__gt=0).exists():
        missing = DamagedFileError(MANIFEST_NAME, "is missing, though texts were indexed")
        return replace(reader.snapshot, damaged=(missing,))
    return reader.snapshot


def is_missing(snapshot: Snapshot) -> bool:
    """Whether nothing can be searched on this machine, whatever the corpus holds."""
    return not snapshot.generation and bool(snapshot.damaged)


def find_new_damage() -> list[DamagedFileError]:
    """Compare all bytes with their checksums; returns what was not known before.

    From then on this process leaves these segments out.
    """
    known = {error.name for error in current_snapshot().damaged}
    try:
        found = _reader(Path(settings.INDEX_DIR)).verify()
    except DamagedFileError as error:
        found = [error]
    return [error for error in found if error.name not in known]
