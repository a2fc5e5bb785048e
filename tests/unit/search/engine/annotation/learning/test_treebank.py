"""CoNLL-U files as people have them: what is read of them, and what is said of the rest."""

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from invented_treebank import N_SENTENCES, treebank, words_of

from search.engine.annotation.learning.treebank import (
    BAD_ID,
    NO_FORM,
    NO_TAG,
    NOT_TEN,
    NOT_UTF8,
    OTHER_TAG,
    TOO_LONG,
    LeftOut,
    TreebankError,
    Word,
    read_treebank,
)


def row(number, form, tag="NOUN", lemma="_", misc="_"):
    return "\t".join([str(number), form, lemma, tag, *"_____", misc])


def read(tmp_path, *rows):
    path = tmp_path / "some.conllu"
    path.write_bytes(b"\n".join(one if isinstance(one, bytes) else one.encode() for one in rows))
    return read_treebank([path])


def test_sentences_are_read_with_their_words_tags_and_lemmas(tmp_path):
    path = tmp_path / "invented.conllu"
    path.write_text(treebank(), encoding="utf-8")

    found = read_treebank([path])

    assert [[tuple(word) for word in sentence] for sentence in found.sentences] == [
        [(form, tag, lemma) for form, lemma, tag in words_of(number)]
        for number in range(N_SENTENCES)
    ]
    assert (found.left_out, found.n_empty_nodes, found.n_multiword) == ({}, 0, 0)
    assert found.n_tokens == sum(map(len, found.sentences))


def test_a_packed_file_with_a_mark_and_line_ends_of_windows_is_the_same(tmp_path):
    plain, packed = tmp_path / "a.conllu", tmp_path / "b.conllu.gz"
    plain.write_text(treebank(), encoding="utf-8")
    packed.write_bytes(gzip.compress(("\ufeff" + treebank().replace("\n", "\r\n")).encode()))

    assert read_treebank([packed]).sentences == read_treebank([plain]).sentences


def test_the_last_sentence_needs_no_empty_line(tmp_path):
    assert read(tmp_path, row(1, "izolo", "ADV")).sentences == [[Word("izolo", "ADV", None)]]


def test_empty_nodes_are_no_words(tmp_path):
    found = read(tmp_path, row("0.1", "_"), row(1, "izolo", "ADV"), row("1.1", "e", "VERB"))

    assert found.sentences == [[Word("izolo", "ADV", None)]]
    assert (found.n_empty_nodes, found.left_out) == (2, {})


def test_a_multiword_token_has_the_tag_of_its_first_open_word(tmp_path):
    found = read(
        tmp_path,
        row("1-2", "della"),
        row(1, "di", "ADP", "di"),
        row(2, "la", "DET", "il"),
        row(3, "casa", "NOUN", "casa"),
        row("4-5", "vederlo", misc="SpaceAfter=No"),
        row(4, "vedere", "VERB", "vedere"),
        row(5, "lo", "PRON", "lo"),
        row(6, ".", "PUNCT", "."),
    )

    assert found.sentences == [
        [
            Word("della", "ADP", "di"),
            Word("casa", "NOUN", "casa"),
            Word("vederlo", "VERB", "vedere"),
            Word(".", "PUNCT", "."),
        ]
    ]
    assert found.n_multiword == 2


def test_words_that_the_tokenizer_parts_too_stay_words(tmp_path):
    found = read(
        tmp_path,
        row(1, "They", "PRON", "they"),
        row("2-3", "don't"),
        row(2, "do", "AUX", "do"),
        row(3, "n't", "PART", "not"),
    )

    assert found.sentences == [
        [Word("They", "PRON", "they"), Word("do", "AUX", "do"), Word("n't", "PART", "not")]
    ]


def test_pieces_of_a_word_have_its_tag_and_no_lemma(tmp_path):
    [sentence] = read(
        tmp_path, row(1, "Wes-Kaap", "PROPN", "Wes-Kaap"), row(2, "10 000", "NUM", "10000")
    ).sentences

    assert sentence == [
        Word("Wes", "PROPN", None), Word("-", "PUNCT", None), Word("Kaap", "PROPN", None),
        Word("10 000", "NUM", "10000"),
    ]  # fmt: skip


GOOD = row(1, "izolo", "ADV")


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (["1\tizolo\tADV"], NOT_TEN),
        (["just some prose about a language"], NOT_TEN),
        ([GOOD + "\t_"], NOT_TEN),
        (["<html><body>404</body></html>"], NOT_TEN),
        ([row(2, "izolo")], BAD_ID),
        ([row("x", "izolo")], BAD_ID),
        ([row("١", "izolo")], BAD_ID),
        ([GOOD, row(1, "izolo")], BAD_ID),
        ([row("2-3", "ab"), GOOD], BAD_ID),
        ([row("1-2", "ab"), row("1-2", "ab"), GOOD, row(2, "b")], BAD_ID),
        ([row("1-3", "ab"), GOOD, row(2, "b")], BAD_ID),
        ([row("2-1", "ab"), GOOD, row(2, "b")], BAD_ID),
        ([row("0.1", "izolo")], BAD_ID),
        ([row("9" * 5000, "izolo")], BAD_ID),
        ([row(1, "")], NO_FORM),
        ([row(1, "\u200b")], NO_FORM),
        ([row(1, "_"), row(2, "_")], NO_FORM),
        ([row(1, "izolo", "_")], NO_TAG),
        ([row(1, "izolo", "")], NO_TAG),
        ([row(1, "izolo", "NN")], OTHER_TAG),
        ([row(number, "a") for number in range(1, 2002)], TOO_LONG),
        ([GOOD.encode() + b"\xff"], NOT_UTF8),
        (["x" * 250_000], NOT_TEN),
    ],
)
def test_a_sentence_that_cannot_be_used_is_left_out_with_its_place(tmp_path, rows, reason):
    found = read(tmp_path, GOOD, "", "# text = bad", *rows, "", GOOD)

    assert found.sentences == [[Word("izolo", "ADV", None)]] * 2
    assert found.left_out == {reason: LeftOut("some.conllu, line 4", 1)}


def test_what_is_beyond_the_most_tokens_is_counted(tmp_path):
    path = tmp_path / "invented.conllu"
    path.write_text(treebank(), encoding="utf-8")

    found = read_treebank([path, path], most_tokens=10)

    assert found.n_tokens <= 10
    assert len(found.sentences) + found.n_beyond == 2 * N_SENTENCES


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x1f\x8b no gzip", "damaged gzip file"),
        (gzip.compress(treebank().encode())[:-20], "damaged gzip file"),
    ],
)
def test_a_damaged_file_is_named(tmp_path, content, said):
    path = tmp_path / "some.conllu.gz"
    path.write_bytes(content)

    with pytest.raises(TreebankError, match=f"some.conllu.gz is a {said}"):
        read_treebank([path])


def test_what_is_no_file_is_named(tmp_path):
    with pytest.raises(TreebankError, match=r"nowhere cannot be read: No such file"):
        read_treebank([tmp_path / "nowhere"])
    with pytest.raises(TreebankError, match="cannot be read: Is a directory"):
        read_treebank([tmp_path])


_CELL = st.sampled_from(
    ["1", "2", "1-2", "1.1", "_", "", "NOUN", "é ", "\u0301", "don't", "#", "\x85"]
)
_LINE = st.lists(_CELL, min_size=8, max_size=11).map("\t".join)


@given(st.lists(st.one_of(_LINE, st.just(""), st.just(GOOD)), max_size=12), st.binary(max_size=20))
@settings(max_examples=300)
def test_whatever_is_in_a_file_each_sentence_is_read_or_counted(tmp_path_factory, lines, rubbish):
    path = tmp_path_factory.mktemp("any") / "any.conllu"
    path.write_bytes("\n".join(lines).encode() + b"\n\n" + rubbish.replace(b"\x1f\x8b", b""))

    found = read_treebank([path])

    assert all(word.form and word.tag for sentence in found.sentences for word in sentence)


@pytest.mark.parametrize("line", [b"\n", b"# " + b"a" * 50_000 + b"\n"])
def test_a_packed_file_that_goes_on_and_on_is_no_treebank(tmp_path, monkeypatch, line):
    monkeypatch.setattr("search.engine.annotation.learning.treebank.MOST_READ_LINES", 1_000)
    monkeypatch.setattr("search.engine.annotation.learning.treebank.MOST_READ_BYTES", 1_000_000)
    path = tmp_path / "long.conllu.gz"
    path.write_bytes(gzip.compress(line * 2_000))

    with pytest.raises(TreebankError, match="is no treebank"):
        read_treebank([path])


def test_what_is_read_is_bounded_for_all_files_together(tmp_path, monkeypatch):
    monkeypatch.setattr("search.engine.annotation.learning.treebank.MOST_READ_LINES", 3)
    paths = [tmp_path / "a.conllu", tmp_path / "b.conllu"]
    for path in paths:
        path.write_text(f"{GOOD}\n\n")

    with pytest.raises(TreebankError, match=r"b\.conllu is no treebank"):
        read_treebank(paths)
