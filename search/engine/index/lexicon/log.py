"""Lexicon on disk: a base container plus a log to which each commit appends one block.

Input → output: ``encode_block`` / ``decode_blocks`` turn a ``LexiconBlock`` into bytes and back;
``write_base`` / ``read_base`` keep the whole as one container. Readers read the log only as far as
the manifest says, so a half-written block at its end is never seen. ``load_lexicon`` puts the
lexicon of a generation together from both. Layout in FORMAT.md.
"""

import os
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import xxhash

from search.engine.index.codec import Container, write_container
from search.engine.index.errors import DamagedFileError
from search.engine.index.lexicon.lexicon import Lexicon, LexiconBlock
from search.engine.index.manifest import LexiconFiles

BASE_MAGIC = b"BSLEXBAS"
BLOCK_MAGIC = 0x4B4C4253  # "SBLK" little-endian
BLOCK_HEADER = struct.Struct("<IIQ")  # magic, payload bytes, checksum of payload
PAYLOAD_HEADER = struct.Struct("<IIIII")  # bytes of forms, variants, types, values, tags


def encode_block(block: LexiconBlock) -> bytes:
    """Return a block as bytes (its sort order is not part of a log)."""
    parts = (
        block.forms,
        block.variants.astype("<u4").tobytes(),
        block.types.astype("<u4").tobytes(),
        block.values,
        block.tags,
    )
    payload = PAYLOAD_HEADER.pack(*(len(part) for part in parts)) + b"".join(parts)
    checksum = xxhash.xxh64_intdigest(payload)
    return BLOCK_HEADER.pack(BLOCK_MAGIC, len(payload), checksum) + payload


def decode_blocks(name: str, data: bytes) -> Iterator[LexiconBlock]:
    """Read all blocks of a stretch of log.

    Raises
    ------
    DamagedFileError
        If the stretch does not consist of whole, unaltered blocks.
    """
    at = 0
    while at < len(data):
        if at + BLOCK_HEADER.size > len(data):
            raise DamagedFileError(name, f"cut short at byte {at}")
        magic, length, checksum = BLOCK_HEADER.unpack_from(data, at)
        payload = data[at + BLOCK_HEADER.size : at + BLOCK_HEADER.size + length]
        if magic != BLOCK_MAGIC or len(payload) != length:
            raise DamagedFileError(name, f"no whole block at byte {at}")
        if xxhash.xxh64_intdigest(payload) != checksum:
            raise DamagedFileError(name, f"the block at byte {at} has changed bytes")
        yield _decode_payload(payload)
        at += BLOCK_HEADER.size + length


def _decode_payload(payload: bytes) -> LexiconBlock:
    lengths = PAYLOAD_HEADER.unpack_from(payload, 0)
    parts = []
    at = PAYLOAD_HEADER.size
    for length in lengths:
        parts.append(payload[at : at + length])
        at += length
    forms, variants, types, values, tags = parts
    return LexiconBlock(
        forms, np.frombuffer(variants, "<u4"), np.frombuffer(types, "<u4"), values, tags
    )


def write_base(path: Path, lexicon: Lexicon) -> int:
    """Write the whole lexicon with its sort order; returns the size in bytes."""
    block = lexicon.as_block()
    return write_container(
        path,
        BASE_MAGIC,
        {
            "forms": np.frombuffer(block.forms, np.uint8),
            "variants": block.variants,
            "types": block.types,
            "values": np.frombuffer(block.values, np.uint8),
            "tags": np.frombuffer(block.tags, np.uint8),
            "order": block.order if block.order is not None else np.empty(0, np.uint32),
        },
    )


def read_base(path: Path) -> LexiconBlock:
    """Read what ``write_base`` wrote, all of it checked: a wrong number would spoil every answer.

    Raises
    ------
    FileNotFoundError, DamagedFileError
    """
    container = Container.open(path, BASE_MAGIC)
    container.verify()
    return LexiconBlock(
        forms=container["forms"].tobytes(),
        variants=container["variants"],
        types=container["types"],
        values=container["values"].tobytes(),
        tags=container["tags"].tobytes(),
        order=container["order"],
    )


def load_lexicon(folder: Path, entry: LexiconFiles) -> Lexicon:
    """Read base and log as far as a manifest says.

    Raises
    ------
    FileNotFoundError, DamagedFileError
    """
    lexicon = Lexicon(folder / entry.stems_name)
    if entry.epoch:
        lexicon.extend(read_base(folder / entry.base_name))
    for block in read_log(folder, entry, 0):
        lexicon.extend(block)
    if lexicon.size != entry.size:
        raise DamagedFileError(entry.log_name, f"holds {lexicon.size}, expected {entry.size}")
    return lexicon


def read_log(folder: Path, entry: LexiconFiles, start: int) -> Iterator[LexiconBlock]:
    """Read the blocks of the log between a byte offset and the manifest's end of it."""
    if entry.log_bytes <= start:
        return
    with (folder / entry.log_name).open("rb") as file:
        file.seek(start)
        data = file.read(entry.log_bytes - start)
    if len(data) != entry.log_bytes - start:
        raise DamagedFileError(entry.log_name, f"is shorter than {entry.log_bytes} bytes")
    yield from decode_blocks(entry.log_name, data)


def append_block(folder: Path, entry: LexiconFiles, block: LexiconBlock) -> int:
    """Write a block behind what a manifest knows of the log, durably; returns its bytes."""
    data = encode_block(block)
    with (folder / entry.log_name).open("r+b") as file:
        file.seek(entry.log_bytes)
        file.write(data)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
    return len(data)


def cut_log(folder: Path, entry: LexiconFiles) -> None:
    """Cut off what a dead writer appended to the log without committing it.

    Raises
    ------
    DamagedFileError
        If the log is cut short itself; writing on would make it worse.
    """
    path = folder / entry.log_name
    wanted = entry.log_bytes
    if not wanted:
        path.touch()
    n_bytes = path.stat().st_size if path.exists() else 0
    if n_bytes < wanted:
        raise DamagedFileError(path.name, f"is shorter than {wanted} bytes")
    if n_bytes > wanted:
        os.truncate(path, wanted)
