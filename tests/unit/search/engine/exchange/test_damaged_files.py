"""Files damaged at random: every reader either reads them or says file, line and reason."""

import gzip

import pytest
from corpus_texts import SETTINGS, read_all, source_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

from search.engine.exchange.errors import CorpusFileError
from search.engine.exchange.formats import Format, read_texts, write_texts
from search.engine.exchange.texts import ReadingReport
from search.engine.exchange.vertical import read_vertical
from search.engine.exchange.vertical_tokens import VerticalOptions

FILE = """\
<text id="n1" publication="Star &amp; Sun" date="2026-11-01" published="2026-11-01T08:30:00Z">
<p>
<s>
Rain\train\tNN
<g/>
.\t.\t.
</s>
</p>
</text>
<text id='n2' kind="comment" date="2026" parent="n1">
<s>
No\tno\tDT
AT&amp;T\tAT&amp;T\tNNP
</s>
</text>
"""
PIECES = st.one_of(
    st.binary(max_size=4),
    st.sampled_from(
        [
            b"<",
            b">",
            b'"',
            b"&",
            b"\t",
            b"\n",
            b"\r",
            b"\0",
            b"</s>\n",
            b"<text>\n",
            b"{",
            b"]",
            b"\xff",
            b"\xe2\x80",
            b"&#x110000;",
            b"&x;",
            b"<!DOCTYPE a [",
            b"\\ud800",
            b"1e999",
        ]
    ),
)
EDITS = st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 12), PIECES), max_size=4)


def written(kind: Format) -> bytes:
    report = ReadingReport()
    texts = read_vertical(source_of(FILE), VerticalOptions(), report)
    return "".join(write_texts(kind, texts, VerticalOptions())).encode()


def damaged(data: bytes, edits) -> bytes:
    for at, length, piece in edits:
        begin = at % (len(data) + 1)
        data = data[:begin] + piece + data[begin + length :]
    return data


def read_or_fault(kind: Format, data: bytes) -> list | CorpusFileError:
    def reader(source, report):
        return read_texts(kind, source, VerticalOptions(), report)

    try:
        return read_all(reader, data)[0]
    except CorpusFileError as error:
        return error


@pytest.mark.parametrize("kind", Format)
@settings(SETTINGS, max_examples=150)
@given(edits=EDITS)
@example(edits=[(57, 0, b"}")])  # in the name space of a TEI file
def test_a_damaged_file_is_read_or_refused(kind, edits):
    data = damaged(written(kind), edits)

    found = read_or_fault(kind, data)

    if isinstance(found, CorpusFileError):
        assert 1 <= found.line <= data.count(b"\n") + 2
        assert found.reason
    else:
        assert all(word for _, tokens, *_ in found for word, _, _ in tokens)


@settings(SETTINGS, max_examples=60)
@given(edits=EDITS)
def test_a_damaged_packed_file_is_read_or_refused(edits):
    data = damaged(gzip.compress(written(Format.VERTICAL), mtime=0), edits)

    assert isinstance(read_or_fault(Format.VERTICAL, data), list | CorpusFileError)
