"""Vertical files of all kinds that can be read, and how they are written."""

import bz2
import datetime as dt
import gzip
import lzma

import pytest
from corpus_texts import read_all

from search.engine.exchange.errors import CorpusFileError
from search.engine.exchange.texts import CorpusText, TextColumns
from search.engine.exchange.vertical import read_vertical, write_vertical
from search.engine.exchange.vertical_lines import read_tag, unescape
from search.engine.exchange.vertical_tokens import VerticalOptions
from search.engine.index.documents import DocumentKind

DAY = dt.date(2026, 11, 20)
FILE = """\
<?xml version="1.0" encoding="UTF-8"?>
<corpus name="x">
<text id="a1" publication="The &quot;Star&quot;" section='home "news"' date="2026-11-20" \
author="Ann Abbot" kind="comment" language="en" pages=3>
<p n="1">
<s id="1">
AT&amp;T\tAT&amp;T\tNNP
&lt;\t&lt;\tSYM
R&B\tR&B\tNN
</s>
<s>
end\tend\tNN
<g/>
.\t.\t.
</s>
</p>
</text>
</corpus>
"""
TOKENS = [("AT&T", "AT&T", "NNP"), ("<", "<", "SYM"), ("R&B", "R&B", "NN"),
          ("end", "end", "NN"), (".", ".", ".")]  # fmt: skip


def read(data, **options):
    return read_all(read_vertical, data, VerticalOptions(**options))


def test_columns_tokens_sentences_and_glue_are_read():
    (text,), report = read(FILE)

    columns, tokens, sentences, spaces = text
    assert columns == TextColumns(
        name="a1",
        kind=DocumentKind.COMMENT,
        publication='The "Star"',
        section='home "news"',
        author="Ann Abbot",
        language="en",
        day=DAY,
        published_seconds=(DAY - dt.date(1970, 1, 1)).days * 86_400,
    )
    assert (tokens, sentences) == (TOKENS, [(0, 3), (3, 5)])
    assert spaces == [False, True, True, True, False]
    assert report.sentences() == [
        "Attributes that are not kept: pages, s id.",
        "Tags that are not kept: corpus, p.",
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + FILE.encode(),
        FILE.replace("\n", "\r\n").encode(),
        FILE.rstrip("\n").encode(),
        gzip.compress(FILE.encode()),
        lzma.compress(FILE.encode()),
        bz2.compress(FILE.encode()),
    ],
    ids=["mark", "carriage returns", "no last line end", "gzip", "xz", "bzip2"],
)
def test_the_same_file_in_other_wrappings(data):
    assert read(data)[0] == read(FILE)[0]


@pytest.mark.parametrize(
    ("columns", "line", "token"),
    [
        (("word",), "Rain", ("Rain", "", "")),
        (("word",), "a < b", ("a < b", "", "")),
        (("word", "pos"), "Rain\tNN", ("Rain", "", "NN")),
        (("word", "pos", "lemma"), "Rain\tNN\train", ("Rain", "rain", "NN")),
        (("word", "-", "lemma"), "Rain\tx\train", ("Rain", "rain", "")),
        (("word", "lemma", "pos"), "<unk>\tunk\tNN", ("<unk>", "unk", "NN")),
        (("word", "lemma", "pos"), "<\t<\tSYM", ("<", "<", "SYM")),
        (("word", "lemma", "pos"), "</a\tb\tNN", ("</a", "b", "NN")),
        (("word", "lemma", "pos"), "Rain\t\t", ("Rain", "", "")),
    ],
)
def test_columns_in_any_order(columns, line, token):
    (text,), _ = read(f"<text>\n{line}\n</text>\n", columns=columns)

    assert text[1] == [token]


def test_columns_that_make_no_sense_are_refused():
    for columns in (("lemma",), ("word", "word"), ("word", "colour")):
        with pytest.raises(ValueError, match="columns are"):
            VerticalOptions(columns=columns)


def test_texts_may_be_marked_by_another_tag():
    (text,), report = read("<doc id='7'>\n<text>\na\tb\tc\n</text>\n</doc>\n", text_tag="doc")

    assert text[0].name == "7"
    assert report.tags == {"text"}


def test_entities_may_be_left_as_they_are():
    (text,), _ = read("<text>\n&lt;\t&lt;\tSYM\n</text>\n", has_entities=False)

    assert text[1] == [("&lt;", "&lt;", "SYM")]


def test_tokens_outside_of_sentences_make_sentences_of_their_own():
    lines = ["Title\tt\tN", "<s>", "a\ta\tN", "</s>", "b\tb\tN", "c\tc\tN"]
    (text,), _ = read("\n".join(["<text>", *lines, "</text>"]))

    assert text[2] == [(0, 1), (1, 2), (2, 4)]


def test_texts_without_tokens_are_texts():
    (first, second), _ = read('<text id="a">\n</text>\n<text id="b">\n<s>\n</s>\n</text>\n')

    assert (first[1], second[1]) == ([], [])
    assert (first[2], second[2]) == ([], [])


def test_what_cannot_be_kept_is_said():
    long = "x" * 600
    file = f'<text kind="blog">\n\n{long}\tx\tNN\n</text>\n'

    _, report = read(file)

    assert report.sentences() == [
        "Empty lines were passed over.",
        "Texts of the kind “blog” count as articles.",
        "Texts without a date are in no filter or count by time.",
        "Tokens of more than 512 characters are cut in the index.",
    ]


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2026-11-20", DAY),
        ("20261120", DAY),
        ("2026-11", dt.date(2026, 11, 1)),
        ("2026", dt.date(2026, 1, 1)),
        ("2026-11-20T08:30:00+05:00", DAY),
    ],
)
def test_dates_of_all_lengths(written, day):
    (text,), _ = read(f'<text date="{written}">\n</text>\n')

    assert text[0].day == day


def test_a_moment_and_a_day_are_kept_apart():
    (text,), _ = read('<text date="2026-11-20" published="2026-11-19T23:30:00Z">\n</text>\n')

    assert text[0].day == DAY
    assert text[0].published_seconds == 1_795_131_000
    (line, *_rest) = "".join(write_vertical([as_text(text)], VerticalOptions())).split("\n")
    assert 'date="2026-11-20"' in line
    assert 'published="2026-11-19T23:30:00Z"' in line


def as_text(values: tuple) -> CorpusText:
    columns, tokens, sentences, spaces = values
    return CorpusText(columns, tokens, [start for start, _ in sentences], spaces)


def test_a_text_is_written_as_other_tools_read_it():
    (text,), _ = read(FILE)

    written = "".join(write_vertical([as_text(text)], VerticalOptions()))

    assert written == (
        '<text id="a1" publication="The &quot;Star&quot;" section="home &quot;news&quot;" '
        'date="2026-11-20" author="Ann Abbot" kind="comment" language="en">\n'
        "<s>\nAT&amp;T\tAT&amp;T\tNNP\n&lt;\t&lt;\tSYM\nR&amp;B\tR&amp;B\tNN\n</s>\n"
        "<s>\nend\tend\tNN\n.\t.\t.\n</s>\n</text>\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("&amp;lt;", "&lt;"),
        ("&#8364;&#x20AC;", "€€"),
        ("&nbsp; & &;", "&nbsp; & &;"),
        ("&#0; &#xD800; &#x110000;", "&#0; &#xD800; &#x110000;"),
    ],
)
def test_entities(text, expected):
    assert unescape(text) == expected


def test_attributes_with_all_kinds_of_quotes():
    tag = read_tag("""<text a="x > y" b='"' c=plain d = "" é="1"/>""")

    assert tag is not None
    assert tag.attributes == {"a": "x > y", "b": '"', "c": "plain", "d": "", "é": "1"}


def test_a_megabyte_of_attributes_is_read_in_linear_time():
    assert read_tag("<text " + 'a="' + " b=" * 300_000 + '">') is not None
    with pytest.raises(ValueError, match="no proper end"):
        read_tag("<text" + " a" * 500_000)


DECODED = """\
<text_publication Star &amp; Sun>
<text>
<text_id a1>
<text_date 2026-11-20>
<text_pages 3>
<s>
Rain\train\tNN
<text_author nobody>
</s>
</text_date>
</text_id>
</text>
</text_publication>
<text>
<s>
Rain\train\tNN
</s>
</text>
"""


def test_regions_with_values_as_cwb_writes_them_out():
    (first, second), report = read(DECODED)

    columns = first[0]
    assert (columns.name, columns.publication, columns.day) == ("a1", "Star & Sun", DAY)
    assert columns.author == ""
    assert second[0].name == ""
    assert report.attributes == {"pages"}
    assert report.tags == set()


def test_a_date_in_a_region_of_its_own_is_checked():
    with pytest.raises(CorpusFileError, match="1: the date 'soon' is not like"):
        read("<text>\n<text_date soon>\n</text>\n")
