"""``info``: what an index holds.

Input → output: an index folder → figures of its newest generation.
"""

import datetime as dt
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from search.engine.index.documents import UNIX_EPOCH
from search.engine.index.manifest import load_manifest
from search.engine.index.reader import Snapshot


@dataclass(frozen=True, slots=True)
class PublicationSize:
    """Current texts and tokens of a publication."""

    publication: str
    n_texts: int
    n_tokens: int


@dataclass(frozen=True, slots=True)
class Information:
    """Figures of an index.

    ``generation`` is the newest, ``first_generation`` the first that can be asked for.
    Bytes are those of the files in use; ``bytes_per_token`` is theirs by all positions, removed
    texts included.
    """

    n_tokens: int
    n_texts: int
    n_types: int
    n_tags: int
    n_segments: int
    generation: int
    first_generation: int
    n_bytes: int
    bytes_per_token: float
    first_day: dt.date | None
    last_day: dt.date | None
    texts_by_kind: dict[str, int]
    tokens_by_kind: dict[str, int]
    publications: tuple[PublicationSize, ...]
    damaged: tuple[str, ...]


def information(folder: Path, snapshot: Snapshot) -> Information:
    """Gather the figures."""
    size = snapshot.size()
    n_bytes = _bytes_in_use(folder)
    days = _day_span(snapshot)
    return Information(
        n_tokens=size.n_tokens,
        n_texts=size.n_documents,
        n_types=size.n_types,
        n_tags=snapshot.lexicon.size.n_tags,
        n_segments=size.n_segments,
        generation=snapshot.generation,
        first_generation=_first_generation(snapshot),
        n_bytes=n_bytes,
        bytes_per_token=round(n_bytes / snapshot.n_tokens, 3) if snapshot.n_tokens else 0.0,
        first_day=days[0] if days else None,
        last_day=days[1] if days else None,
        texts_by_kind={kind.label: n for kind, n in size.documents_by_kind.items()},
        tokens_by_kind={kind.label: n for kind, n in size.tokens_by_kind.items()},
        publications=_publications(snapshot),
        damaged=tuple(map(str, snapshot.damaged)),
    )


def _bytes_in_use(folder: Path) -> int:
    manifest = load_manifest(folder)
    names = manifest.file_names() if manifest else set()
    paths = [folder / name for name in names]
    return sum(path.stat().st_size for path in paths if path.exists())


def _day_span(snapshot: Snapshot) -> tuple[dt.date, dt.date] | None:
    days: list[int] = []
    for view in snapshot.segments:
        mask = view.alive(snapshot.generation)
        dated = view.segment.documents.dated
        here = view.segment.documents.day[dated if mask is None else dated & mask]
        if len(here):
            days += [int(here.min()), int(here.max())]
    if not days:
        return None
    first, last = (UNIX_EPOCH + dt.timedelta(days=day) for day in (min(days), max(days)))
    return first, last


def _first_generation(snapshot: Snapshot) -> int:
    """Return the first generation that can be asked for as it was."""
    incoming = [view.segment.documents.generation_in for view in snapshot.segments]
    first = min((int(column.min()) for column in incoming if len(column)), default=0)
    return max(first, snapshot.history_from)


def _publications(snapshot: Snapshot) -> tuple[PublicationSize, ...]:
    """Count current texts and tokens by publication, most tokens first."""
    texts: Counter[int] = Counter()
    tokens: Counter[int] = Counter()
    for view in snapshot.segments:
        columns = view.segment.documents
        mask = view.alive(snapshot.generation)
        rows = slice(None) if mask is None else mask
        values, inverse = np.unique(columns.publication[rows], return_inverse=True)
        sums = np.bincount(inverse, weights=columns.n_tokens[rows]).astype(np.int64)
        texts.update(dict(zip(values.tolist(), np.bincount(inverse).tolist(), strict=True)))
        tokens.update(dict(zip(values.tolist(), sums.tolist(), strict=True)))
    found = [
        PublicationSize(snapshot.lexicon.value(number), texts[number], n)
        for number, n in tokens.items()
    ]
    return tuple(sorted(found, key=lambda size: (-size.n_tokens, size.publication)))
