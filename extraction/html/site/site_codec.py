"""Bytes of a site's knowledge and of a page's sketch, and back.

    bytes  = zlib( length of header (4 bytes, little-endian), header, arrays one after another )
    header = JSON: "format", "shapes" of the arrays in order, and the plain values

Arrays are little-endian of the types below. A reader refuses other formats and damaged bytes: both
can be learnt again from the archive.
"""

import json
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from extraction.html.site.knowledge import LINE_CAPACITY, PLACE_CAPACITY, SiteKnowledge
from extraction.html.site.recurrence import RecurrenceTable
from extraction.html.site.sketch import LineKeys, PageSketch, TextSketch

# Raise it when keys or features change their meaning: what was learnt before is then of no use.
FORMAT = 1
_LEVEL = 1  # keys are hashes, which no level makes shorter
_TABLE_TYPES = ("<u8", "<u2", "<u4", "<f4")
_KNOWLEDGE_TYPES = (*_TABLE_TYPES, *_TABLE_TYPES, "<u8", "<u4")
_SKETCH_TYPES = ("<u8", "<u8", "<u8", "<u2", "<f2", "<u8")

Array = npt.NDArray[Any]


class CodecError(ValueError):
    """Raised by the decoders for bytes of another format or damaged ones; caught by the caller."""


def encode_knowledge(site: SiteKnowledge) -> bytes:
    """Bytes of a site's knowledge: 20 kB after ten pages, at most some 160 kB."""
    arrays = [
        *(array for table in (site.lines, site.places) for array in _table_arrays(table)),
        site.minima,
        site.titles,
    ]
    values = {"articles": site.n_articles, "pages": site.n_pages, "names": site.names}
    return _encode(arrays, _KNOWLEDGE_TYPES, values)


def decode_knowledge(data: bytes) -> SiteKnowledge:
    """Read what `encode_knowledge` wrote.

    Raises
    ------
    CodecError
        For anything else.
    """
    arrays, values = _decode(data, _KNOWLEDGE_TYPES)
    try:
        return SiteKnowledge(
            n_articles=int(values["articles"]),
            n_pages=int(values["pages"]),
            lines=_table(LINE_CAPACITY, 0, arrays[:4]),
            places=_table(PLACE_CAPACITY, 2, arrays[4:8]),
            minima=arrays[8],
            titles=arrays[9],
            names={str(name): int(count) for name, count in values["names"].items()},
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise CodecError("no knowledge of a site") from error


def encode_sketch(page: PageSketch) -> bytes:
    """Bytes of a page's sketch: some 2 kB for 200 lines."""
    keys = page.keys
    arrays: list[Array] = [
        keys.lines,
        keys.texts,
        keys.places,
        keys.lengths,
        page.probabilities,
        page.text.minima,
    ]
    return _encode(arrays, _SKETCH_TYPES, {"title": page.text.title, "names": page.names})


def decode_sketch(data: bytes) -> PageSketch:
    """Read what `encode_sketch` wrote; probabilities come back in half precision.

    Raises
    ------
    CodecError
        For anything else.
    """
    arrays, values = _decode(data, _SKETCH_TYPES)
    lines, texts, places, lengths, probabilities, minima = arrays
    if len({len(array) for array in arrays[:5]}) != 1:
        raise CodecError("columns of different length")
    try:
        return PageSketch(
            LineKeys(lines, texts, places, lengths),
            probabilities.astype(np.float32),
            TextSketch(minima, int(values["title"])),
            tuple(str(name) for name in values["names"]),
        )
    except (KeyError, TypeError) as error:
        raise CodecError("no sketch of a page") from error


def _table_arrays(table: RecurrenceTable) -> tuple[Array, Array, Array, Array]:
    return table.keys, table.counts, table.seen, table.sums


def _table(capacity: int, n_sums: int, arrays: Sequence[Array]) -> RecurrenceTable:
    keys, counts, seen, sums = arrays
    if not len(keys) == len(counts) == len(seen) == len(sums):
        raise CodecError("columns of different length")
    return RecurrenceTable(capacity, n_sums, keys, counts, seen, sums)


def _encode(arrays: Sequence[Array], types: Sequence[str], values: dict[str, Any]) -> bytes:
    shapes = [array.shape for array in arrays]
    header = json.dumps({"format": FORMAT, "shapes": shapes, **values}).encode()
    parts = [array.astype(kind).tobytes() for array, kind in zip(arrays, types, strict=True)]
    return zlib.compress(b"".join([len(header).to_bytes(4, "little"), header, *parts]), _LEVEL)


def _decode(data: bytes, types: Sequence[str]) -> tuple[list[Array], dict[str, Any]]:
    try:
        raw = zlib.decompress(data)
        start = 4 + int.from_bytes(raw[:4], "little")
        values = json.loads(raw[4:start])
        if values["format"] != FORMAT:
            raise CodecError(f"format {values['format']}, not {FORMAT}")
        arrays = []
        for shape, kind in zip(values["shapes"], types, strict=True):
            count = int(np.prod(shape))
            array = np.frombuffer(raw, kind, count, start).reshape(shape)
            arrays.append(array.astype(np.dtype(kind).newbyteorder("=")))
            start += array.nbytes
    except (zlib.error, KeyError, TypeError, ValueError) as error:
        raise CodecError(str(error)) from error
    return arrays, values
