"""Messages between a worker and its browser's driver: whole, or nothing, or an error."""

import asyncio
import struct

import pytest

from feeds.crawler.rendering.frames import (
    MAX_FRAME_BYTES,
    Frame,
    FrameError,
    read_frame,
    write_frame,
)


class Written:
    """Takes what is written, as a stream would."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: bytes) -> None:
        self.data += data


def read(data: bytes) -> list[Frame | None]:
    """Read all messages that a stream of these bytes holds, and what comes at its end."""

    async def run() -> list[Frame | None]:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        found = [await read_frame(reader)]
        while found[-1] is not None:
            found.append(await read_frame(reader))
        return found

    return asyncio.run(run())


def written(*frames: Frame) -> bytes:
    stream = Written()
    for frame in frames:
        write_frame(stream, frame.kind, frame.body, **frame.fields)
    return stream.data


FRAMES = (
    Frame("draw", {"url": "http://a.example/ë", "seconds": 2.5}, b"<p>Bront\xc3\xab</p>"),
    Frame("ready", {}),
    Frame("ask", {"id": 7}, bytes(range(256))),
)


def test_messages_come_as_they_were_sent():
    assert read(written(*FRAMES)) == [*FRAMES, None]


@pytest.mark.parametrize("n_bytes", range(1, len(written(FRAMES[1]))))
def test_message_that_is_cut_off_is_none(n_bytes):
    assert read(written(FRAMES[1])[:n_bytes]) == [None]


@pytest.mark.parametrize(
    "data",
    [
        struct.pack(">II", MAX_FRAME_BYTES, 1),
        struct.pack(">II", 2, 0) + b"[]",
        struct.pack(">II", 2, 0) + b"{}",
        struct.pack(">II", 3, 0) + b"no!",
    ],
    ids=["too long", "no object", "no kind", "no JSON"],
)
def test_what_is_no_message_is_an_error(data):
    with pytest.raises(FrameError):
        read(data)
