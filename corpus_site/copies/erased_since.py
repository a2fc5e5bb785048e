"""What was erased after a backup was made: known by the later backups beside it, and erased again.

A backup holds what was there on its day. Each also lists the digests of all addresses that were
erased by then, so that the newest one of a folder says what an older one must not bring back.
"""

import json
from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from corpus_site.removal import withdrawals
from extraction.models import Article
from extraction.withdrawal.register import Order
from feeds.models import Tombstone
from feeds.tombstones import bury, digest_of_key

ERASED_NAME = "erased.json"
REASON = "Erased before; the backup that was restored still held it."


def write_digests(folder: Path) -> None:
    """List in a backup what had been erased when it was made."""
    digests = sorted(Tombstone.objects.values_list("digest", flat=True))
    (folder / ERASED_NAME).write_text(json.dumps(digests), encoding="utf-8")


def digests_beside(folder: Path) -> set[str]:
    """Read what the backups of a folder say was erased, whichever of them is restored."""
    lists = folder.parent.glob(f"*/{ERASED_NAME}")
    return {digest for path in lists for digest in json.loads(path.read_text(encoding="utf-8"))}


def erase_again(digests: Collection[str], now: datetime) -> int:
    """Ask for the articles of some addresses to be erased; returns how many there are.

    Raises
    ------
    extraction.withdrawal.erasing.HeldError
        Where the restored database holds one of them.
    """
    bury(digests, now)
    rows = Article.objects.filter(erased_at=None).values_list("pk", "page__key")
    known = set(digests)
    ids = [pk for pk, key in rows.iterator() if digest_of_key(key) in known]
    return withdrawals.erase_articles(ids, Order(REASON, None, now)) if ids else 0
