"""Sets of texts that are kept: packed, named by what is in them. The writer of `TextSet`.

A set of a million articles is some 1.5 MB in the database; it is unpacked once a process.
"""

import zlib
from hashlib import blake2b

import numpy as np

from search.engine.index.recent import Memory
from search.engine.query.filters import DocumentSet
from search.models import TextSet

_DIGEST_BYTES = 16
_UNPACKED: Memory[str, DocumentSet] = Memory(8)  # 8 bytes a text


def keep_set(texts: DocumentSet) -> TextSet:
    """Keep a set, or find it if it is kept already."""
    digest = blake2b(texts.packed, digest_size=_DIGEST_BYTES).hexdigest()
    row, _ = TextSet.objects.defer("body").get_or_create(
        digest=digest, defaults={"n_texts": len(texts), "body": _pack(texts)}
    )
    return row


def kept_set(digest: str) -> DocumentSet:
    """Read a set by its digest."""
    return _UNPACKED.get_or(digest, lambda: _read(digest))


def forget_unused_sets() -> None:
    """Delete the sets that no subcorpus names any more."""
    TextSet.objects.filter(subcorpora=None).delete()


def _read(digest: str) -> DocumentSet:
    body = TextSet.objects.values_list("body", flat=True).get(digest=digest)
    return _unpack(bytes(body))


def _pack(texts: DocumentSet) -> bytes:
    gaps = np.diff(texts.identities, prepend=np.uint64(0))
    return zlib.compress(gaps.astype("<u8").tobytes(), level=1)


def _unpack(body: bytes) -> DocumentSet:
    gaps = np.frombuffer(zlib.decompress(body), dtype="<u8")
    return DocumentSet(np.cumsum(gaps, dtype=np.uint64).tobytes())
