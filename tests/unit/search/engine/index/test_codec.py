"""Container files: what is written comes back, damage is named."""

import resource

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from search.engine.index.codec import Container, write_container
from search.engine.index.errors import DamagedFileError

MAGIC = b"BSTESTXX"
NAMES = st.text("abcdefghij_0123456789", min_size=1, max_size=24)
ARRAYS = st.one_of(
    npst.arrays(dtype, st.integers(0, 40)) for dtype in ("<u1", "<u4", "<i4", "<i8", "<u8")
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("containers")


@settings(deadline=None)
@given(st.dictionaries(NAMES, ARRAYS, max_size=5))
def test_container_gives_back_what_was_written(folder, arrays):
    path = folder / "any.bin"

    write_container(path, MAGIC, arrays)
    container = Container.open(path, MAGIC)

    assert set(container.arrays) == set(arrays)
    for name, array in arrays.items():
        assert container[name].tolist() == array.tolist()
        assert container[name].dtype.newbyteorder("<") == array.dtype
    container.verify()


def test_sections_start_at_multiples_of_64(tmp_path):
    path = tmp_path / "aligned.bin"

    write_container(path, MAGIC, {"a": np.arange(3, dtype="<u1"), "b": np.arange(5, dtype="<u4")})

    data = path.read_bytes()
    assert data[64:67] == bytes([0, 1, 2])
    assert data[128:132] == bytes([0, 0, 0, 0])
    assert data[132:136] == bytes([1, 0, 0, 0])


def test_big_endian_arrays_are_written_little_endian(tmp_path):
    path = tmp_path / "order.bin"

    write_container(path, MAGIC, {"a": np.array([1], dtype=">u4")})

    assert path.read_bytes()[64:68] == b"\x01\x00\x00\x00"


def test_file_that_does_not_fit_leaves_nothing_behind(tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(OSError, match="File too large"):
            write_container(tmp_path / "big", MAGIC, {"a": np.zeros(10_000, "<u4")})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert list(tmp_path.iterdir()) == []


def test_container_cut_anywhere_is_refused(tmp_path):
    path = tmp_path / "cut.bin"
    write_container(path, MAGIC, {"a": np.arange(100, dtype="<u4")})
    data = path.read_bytes()

    for length in range(len(data)):
        path.write_bytes(data[:length])
        with pytest.raises(DamagedFileError):
            Container.open(path, MAGIC)


def test_altered_byte_is_found_by_frame_or_checksum(tmp_path):
    path = tmp_path / "altered.bin"
    write_container(path, MAGIC, {"a": np.arange(20, dtype="<u4")})
    data = path.read_bytes()
    meaningful = [*range(8), *range(64, len(data))]

    for at in meaningful:
        path.write_bytes(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :])
        if _is_reserved(at, len(data)):
            continue
        with pytest.raises(DamagedFileError):
            Container.open(path, MAGIC).verify()


def _is_reserved(at, size):
    trailer = size - 32
    return trailer + 12 <= at < trailer + 16


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: b"OTHERMAG" + data[8:], "starts with b'OTHERMAG', expected b'BSTESTXX'"),
        (lambda data: data[:8] + b"\x03\x00" + data[10:], "version 3 is newer than 2"),
        (lambda data: data[:20], "only 20 bytes long"),
        (lambda data: data[:-1] + b"?", "cut short: the closing mark is missing"),
    ],
)
def test_wrong_frame_is_named(tmp_path, change, reason):
    path = tmp_path / "frame.bin"
    write_container(path, MAGIC, {"a": np.arange(4, dtype="<u4")})
    path.write_bytes(change(path.read_bytes()))

    with pytest.raises(DamagedFileError) as caught:
        Container.open(path, MAGIC)

    assert (caught.value.name, caught.value.reason) == ("frame.bin", reason)


def test_missing_section_is_named(tmp_path):
    path = tmp_path / "missing.bin"
    write_container(path, MAGIC, {"a": np.arange(4, dtype="<u4")})

    with pytest.raises(DamagedFileError, match="section b is missing"):
        Container.open(path, MAGIC)["b"]
