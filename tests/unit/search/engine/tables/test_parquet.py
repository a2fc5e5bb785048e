"""Parquet files, read back by a reader that stands here, which reads those of pyarrow too."""

import struct
import zlib
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from search.engine.tables import parquet
from search.engine.tables.parquet import write_parquet

COLUMNS = {"number": int, "node": str, "big": int}


class Thrift:
    """Reads structs of the compact protocol as dictionaries by number of the field."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def struct(self):
        found, field = {}, 0
        while head := self.byte():
            field += head >> 4
            found[field] = self.value(head & 15)
        return found

    def value(self, kind):
        if kind in (5, 6):
            n = self.varint()
            return (n >> 1) ^ -(n & 1)
        if kind == 8:
            n = self.varint()
            self.at += n
            return self.data[self.at - n : self.at]
        if kind == 9:
            head = self.byte()
            n = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 15) for _ in range(n)]
        assert kind == 12
        return self.struct()

    def varint(self):
        found = shift = 0
        while True:
            one = self.byte()
            found |= (one & 127) << shift
            shift += 7
            if one < 128:
                return found

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]


def read(data):
    """Return names, rows and metadata of a file."""
    assert data[:4] == data[-4:] == b"PAR1"
    footer = Thrift(data, len(data) - 8 - struct.unpack("<I", data[-8:-4])[0]).struct()
    names = [one[4].decode() for one in footer[2][1:]]
    rows = []
    for group in footer[4]:
        columns = [values(data, chunk[3]) for chunk in group[1]]
        rows += zip(*columns, strict=True)
        assert len(columns[0]) == group[3]
    assert len(rows) == footer[3]
    return names, rows, {pair[1].decode(): pair[2].decode() for pair in footer.get(5, [])}


def values(data, chunk):
    head = Thrift(data, chunk[9])
    page = head.struct()
    plain = zlib.decompress(data[head.at : head.at + page[3]], 31)
    assert len(plain) == page[2]
    assert chunk[7] == head.at - chunk[9] + page[3]
    if chunk[1] == 2:
        return [n for (n,) in struct.iter_unpack("<q", plain)]
    found, at = [], 0
    while at < len(plain):
        n = struct.unpack_from("<I", plain, at)[0]
        found.append(plain[at + 4 : at + 4 + n].decode())
        at += 4 + n
    return found


rows_of_any_kind = st.lists(
    st.tuples(st.integers(-(2**63), 2**63 - 1), st.text(), st.integers(0, 9)), max_size=30
)


@settings(max_examples=50)
@given(rows_of_any_kind, st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=20))
def test_what_is_written_is_read_again(rows, about):
    assert read(b"".join(write_parquet(COLUMNS, rows, about))) == (list(COLUMNS), rows, about)


def sample():
    return [(i, f"té={i}\n'" if i % 3 else "", -i * 10**12) for i in range(45)]


def test_groups_of_rows_come_one_by_one(monkeypatch):
    monkeypatch.setattr(parquet, "GROUP_ROWS", 20)
    wide = {f"c{n}": str for n in range(16)}

    pieces = list(write_parquet(COLUMNS, iter(sample()), {"query": "rain"}))

    assert len(pieces) == 1 + 3 * len(COLUMNS) + 1
    assert read(b"".join(pieces)) == (list(COLUMNS), sample(), {"query": "rain"})
    assert read(b"".join(write_parquet(wide, [["x"] * 16], {})))[1] == [("x",) * 16]


def test_this_reader_reads_what_pyarrow_wrote():
    file = Path(__file__).parents[4] / "data" / "by_pyarrow.parquet"

    assert read(file.read_bytes())[:2] == (list(COLUMNS), sample())
