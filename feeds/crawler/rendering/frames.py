"""Messages between a worker and the program that drives its browser: a head and bytes.

A message is two lengths (big-endian, 4 bytes each), a JSON object and bytes. JSON, not pickle: who
reads takes nothing on trust that came from a browser.
"""

import asyncio
import json
import struct
from dataclasses import dataclass
from typing import Any

_LENGTHS = struct.Struct(">II")
# A whole page of the largest size that is read, and room for what a script writes into it.
MAX_FRAME_BYTES = 64 << 20


class FrameError(Exception):
    """Raised where what comes is no message of ours; who reads ends the other side."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message: its kind, the fields of that kind, and bytes."""

    kind: str
    fields: dict[str, Any]
    body: bytes = b""


def write_frame(
    writer: asyncio.StreamWriter, kind: str, body: bytes = b"", **fields: object
) -> None:
    """Put a message into the writer's buffer; await its `drain` where many follow."""
    head = json.dumps({"kind": kind, **fields}).encode()
    writer.write(_LENGTHS.pack(len(head), len(body)) + head + body)


async def read_frame(reader: asyncio.StreamReader) -> Frame | None:
    """Read the next message; None where the other side has ended.

    Raises
    ------
    FrameError
        Where a length is beyond all measure or the head is no object with a kind.
    """
    try:
        lengths = await reader.readexactly(_LENGTHS.size)
        n_head, n_body = _LENGTHS.unpack(lengths)
        if n_head + n_body > MAX_FRAME_BYTES:
            raise FrameError(f"A message of {n_head + n_body} bytes is too long.")
        head, body = await reader.readexactly(n_head), await reader.readexactly(n_body)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    try:
        fields = json.loads(head)
        kind = str(fields.pop("kind"))
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise FrameError("A message has no head.") from error
    return Frame(kind, fields, body)
