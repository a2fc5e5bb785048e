"""What is written is read back the same, as far as each format can hold it."""

import pytest
from corpus_texts import SETTINGS, plain, read_all, texts
from hypothesis import given, settings
from hypothesis import strategies as st

from search.engine.exchange.conllu import read_conllu, write_conllu
from search.engine.exchange.json_lines import read_json_lines, write_json_lines
from search.engine.exchange.tei_reader import read_tei
from search.engine.exchange.tei_writer import write_tei
from search.engine.exchange.vertical import read_vertical, write_vertical
from search.engine.exchange.vertical_tokens import VerticalOptions

ANYTHING = st.characters(codec="utf-8", exclude_characters="\0")
# Line ends and tabs become spaces in files of lines.
ONE_LINE = st.characters(codec="utf-8", exclude_characters="\0\t\n\r")
# CoNLL-U: spaces in tags become underscores, and a lone underscore means nothing.
NO_BLANKS = st.characters(codec="utf-8", exclude_characters="\0\t\n\r _#|=")
# XML 1.0 allows no control characters; white space in TEI becomes single spaces.
IN_XML = st.characters(
    codec="utf-8",
    exclude_categories=["Cc", "Zs", "Zl", "Zp", "Cn"],
    exclude_characters="\ufffe\uffff",
)


@settings(SETTINGS, max_examples=40)
@given(st.lists(texts(ANYTHING)))
def test_json_lines_hold_everything(written):
    # White space of a text without tokens is neither known nor unknown.
    expected = [plain(text) for text in written]
    read, _ = read_all(read_json_lines, "".join(write_json_lines(written)))

    assert [without_spaces_of_nothing(text) for text in read] == [
        without_spaces_of_nothing(text) for text in expected
    ]


def without_spaces_of_nothing(text: tuple) -> tuple:
    return text if text[1] else (*text[:3], None)


@pytest.mark.parametrize("has_glue", [False, True])
@settings(SETTINGS, max_examples=40)
@given(data=st.data())
def test_vertical_holds_all_but_white_space_and_that_with_glue(has_glue, data):
    options = VerticalOptions(has_glue=has_glue)
    written = data.draw(st.lists(texts(ONE_LINE, has_spaces=has_glue)))
    read, report = read_all(read_vertical, "".join(write_vertical(written, options)), options)

    assert read == [plain(text) for text in written]
    assert report.tags == report.attributes == set()


@settings(SETTINGS, max_examples=40)
@given(st.lists(texts(NO_BLANKS, has_spaces=True)))
def test_conllu_holds_texts_with_known_white_space(written):
    read, _ = read_all(read_conllu, "".join(write_conllu(written)))

    assert read == [plain(text) for text in written]


@settings(SETTINGS, max_examples=40)
@given(st.lists(texts(IN_XML)))
def test_tei_holds_texts(written):
    read, _ = read_all(read_tei, "".join(write_tei(written)))

    assert [without_spaces_of_nothing(text) for text in read] == [
        without_spaces_of_nothing(titled(text)) for text in written
    ]


def titled(text) -> tuple:
    """A text without a title takes its id for one."""
    columns, *rest = plain(text)
    title = columns.title or columns.name
    return (
        type(columns)(**{n: getattr(columns, n) for n in columns.__slots__} | {"title": title}),
        *rest,
    )
