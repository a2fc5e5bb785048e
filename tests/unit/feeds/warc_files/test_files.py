"""WARC files inside a WACZ, stored and packed: the same records as outside, each byte read once."""

import io
import zipfile

import pytest
from foreign_warcs import Answer, endless_list, warc_file
from hypothesis import given
from hypothesis import strategies as st

from feeds.crawler.archive.foreign_warc import Place, records
from feeds.warc_files.files import WarcFileError, _Unpacked, opened, warc_files

MEMBER = "archive/pages.warc.gz"
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def answers(n):
    return [
        Answer(f"https://karoo.example/{number}", f"Story {number} of rain. ".encode() * 200)
        for number in range(n)
    ]


@pytest.fixture(params=PACKINGS, ids=["stored", "deflated"])
def wacz(request, tmp_path):
    """A WACZ with a member in front of the one that is read, and the bytes of that one."""
    whole = warc_file(answers(40))
    path = tmp_path / "pages.wacz"
    with zipfile.ZipFile(path, "w", request.param) as file:
        file.writestr("datapackage.json", "{}" * 100)
        file.writestr(MEMBER, whole)
        file.writestr("archive/behind.warc", b"WARC/1.0\r\n")
    return path, whole


def test_records_are_those_of_the_file_outside(wacz):
    path, whole = wacz

    with opened(str(path), MEMBER) as file:
        found = list(records(file))

    assert found == list(records(io.BytesIO(whole)))
    assert not any(record.problem for record in found)
    assert [file.member for file in warc_files(path)] == [MEMBER, "archive/behind.warc"]


def test_reading_goes_on_behind_any_record(wacz):
    path, whole = wacz
    places = [record.next_place for record in records(io.BytesIO(whole))]

    for place in (places[0], places[11], places[-1], Place(len(whole) + 9)):
        with opened(str(path), MEMBER) as file:
            assert list(records(file, place)) == list(records(io.BytesIO(whole), place))


class Counting(io.BytesIO):
    """Bytes that count what is read of them; going back begins anew, as in a packed member."""

    def __init__(self, whole):
        super().__init__(whole)
        self.n_read = 0

    def read(self, n_bytes=-1):
        found = super().read(n_bytes)
        self.n_read += len(found)
        return found

    def seek(self, offset, whence=0):
        if offset < self.tell():
            self.n_read += offset
        return super().seek(offset, whence)


def test_a_packed_file_is_unpacked_once_whatever_its_number_of_records():
    whole = warc_file([Answer(f"https://a.example/{n}", bytes(99)) for n in range(6_000)])
    inside = Counting(whole)

    n_records = sum(1 for _ in records(_Unpacked(inside)))

    assert n_records == sum(1 for _ in records(io.BytesIO(whole)))
    assert len(whole) > 1 << 20
    assert inside.n_read == len(whole)


@given(st.lists(st.tuples(st.integers(0, 3_000_000), st.integers(0, 400_000)), max_size=12))
def test_reads_at_any_place_are_those_of_the_bytes_themselves(reads):
    whole = bytes(range(256)) * 10_000
    plain, packed = io.BytesIO(whole), _Unpacked(io.BytesIO(whole))

    for offset, n_bytes in reads:
        plain.seek(offset)
        packed.seek(offset)
        assert packed.read(n_bytes) == plain.read(n_bytes)
        assert packed.read(100) == plain.read(100)


def test_a_wacz_with_a_list_of_a_million_files_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "a.wacz"
    path.write_bytes(endless_list())

    with pytest.raises(WarcFileError, match="its list of files is longer"):
        warc_files(path)
