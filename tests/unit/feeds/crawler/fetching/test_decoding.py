"""Bodies decoded while they arrive, with their caps."""

import gzip
import zlib

import pytest
from cpu_time import takes_less

from feeds.crawler.fetching.decoding import BodyDecoder
from feeds.crawler.fetching.exchange import FetchStoppedError
from feeds.crawler.outcomes import Outcome

TEXT = b"<p>Maas is sour milk.</p>\n" * 400


def decode(encoding: str, body: bytes, size: int = 7, cap: int = 10_000_000) -> bytes:
    decoder = BodyDecoder(encoding, cap)
    for start in range(0, len(body), size):
        decoder.feed(body[start : start + size])
    decoder.finish()
    return decoder.body


def raw_deflate(data: bytes) -> bytes:
    engine = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return engine.compress(data) + engine.flush()


@pytest.mark.parametrize("size", [1, 7, 100_000])
@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("", TEXT),
        ("identity", TEXT),
        ("gzip", gzip.compress(TEXT)),
        ("x-gzip", gzip.compress(TEXT)),
        ("GZIP", gzip.compress(TEXT)),
        ("deflate", zlib.compress(TEXT)),
        ("deflate", raw_deflate(TEXT)),
        ("gzip, gzip", gzip.compress(gzip.compress(TEXT))),
        ("deflate, gzip", gzip.compress(zlib.compress(TEXT))),
        ("gzip", gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:])),
        ("gzip", gzip.compress(TEXT) + b"rubbish behind the end"),
    ],
)
def test_decoder_gives_the_text_in_any_pieces(encoding, body, size):
    assert decode(encoding, body, size) == TEXT


def test_decoder_reads_gzip_that_does_not_say_so():
    assert decode("", gzip.compress(TEXT), 100_000) == TEXT


@pytest.mark.parametrize("encoding", ["gzip", "deflate", ""])
def test_decoder_of_nothing_is_nothing(encoding):
    assert decode(encoding, b"") == b""


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", b"not gzip at all"),
        ("gzip", b"\x1f\x8b\x08\x00" + b"x" * 50),
        ("gzip", gzip.compress(TEXT)[:-30]),
        ("deflate", b"not deflate either"),
        ("br", b"anything"),
        ("zstd", b"anything"),
        ("gzip, gzip, gzip", b"anything"),
    ],
)
def test_decoder_refuses_what_is_not_as_it_says(encoding, body):
    with pytest.raises(FetchStoppedError) as stopped:
        decode(encoding, body)

    assert stopped.value.outcome is Outcome.BAD_ENCODING


def test_decoder_stops_plain_bytes_at_the_cap_and_keeps_them():
    decoder = BodyDecoder("", 1000)

    with pytest.raises(FetchStoppedError) as stopped:
        decoder.feed(b"x" * 5000)

    assert stopped.value.outcome is Outcome.TOO_LARGE
    assert decoder.body == b"x" * 1000


def test_decoder_stops_unpacking_at_the_cap_whatever_the_rest_would_be():
    decoder = BodyDecoder("gzip", 500_000)

    with pytest.raises(FetchStoppedError) as stopped:
        decoder.feed(gzip.compress(bytes(50_000_000)))

    assert stopped.value.outcome is Outcome.TOO_LARGE
    assert len(decoder.body) == 500_000


def test_decoder_stops_a_bomb_by_its_ratio_before_the_cap():
    with pytest.raises(FetchStoppedError) as stopped:
        decode("gzip", gzip.compress(bytes(50_000_000)), 1000, 100_000_000)

    assert stopped.value.outcome is Outcome.BAD_ENCODING


def test_decoder_permits_a_high_ratio_of_a_small_body():
    assert decode("gzip", gzip.compress(bytes(900_000))) == bytes(900_000)


# Two layers stand between 9 kB on the wire and 200,000 members that hold nothing.
def test_decoder_takes_empty_members_inside_of_gzip_in_linear_time():
    packed = gzip.compress(gzip.compress(b"", mtime=0) * 200_000)

    assert takes_less(2, lambda: decode("gzip, gzip", packed, 65_536))


def test_decoder_stops_what_one_layer_gives_the_next_at_the_cap():
    name = b"\x1f\x8b\x08\x08" + bytes(5) + b"\x03" + b"a" * 20_000_000  # and no text behind it

    with pytest.raises(FetchStoppedError) as stopped:
        decode("gzip, gzip", gzip.compress(name), 1000)

    assert stopped.value.outcome is Outcome.TOO_LARGE
