"""Concordance lines: text as it was, context, columns."""

from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.engine.concordance.kwic import PageRequest, lines_of
from search.engine.index.documents import DocumentKind
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run


def lines(snapshot, query, **page):
    hits = run(snapshot, parse(query, Language.CQL))
    return lines_of(hits, PageRequest(**page))


def test_line_is_a_stretch_of_the_text(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(3, "He said : `` no '' ( maybe ) , and left .")])

    (line,) = lines(snapshot, '"maybe" []', context=4)

    assert line.left + line.node + line.right == "``no'' (maybe), and left."
    assert (line.left, line.node, line.right) == ("``no'' (", "maybe)", ", and left.")
    assert line.left_words == ("``", "no", "''", "(")
    assert line.node_words == ("maybe", ")")
    assert line.right_words == (",", "and", "left", ".")
    assert (line.kind, line.key, line.position, line.length) == (DocumentKind.ARTICLE, 3, 7, 2)
    assert line.info.publication == "karoo"


def test_context_ends_with_the_text(tmp_path):
    snapshot = snapshot_of(
        tmp_path, [document(1, "snow"), document(2, "rain"), document(3, "hail")]
    )

    (line,) = lines(snapshot, '"rain"')

    assert (line.left, line.node, line.right) == ("", "rain", "")


def test_white_space_stands_where_it_stood(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "heavy rain falls")])

    (line,) = lines(snapshot, '"rain"')

    assert (line.left, line.node, line.right) == ("heavy ", "rain", " falls")


def test_sentence_view_shows_the_sentences_of_the_match(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "one two | three rain | four five | six")])

    (line,) = lines(snapshot, '"rain" "four"', whole_sentence=True)

    assert line.left + line.node + line.right == "three rain four five"


def test_page_is_a_stretch_of_the_lines(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(key, "rain rain") for key in range(1, 6)])

    everything = [(line.key, line.position) for line in lines(snapshot, '"rain"')]
    page = [(line.key, line.position) for line in lines(snapshot, '"rain"', offset=3, count=4)]

    assert everything == [(key, at) for key in (5, 4, 3, 2, 1) for at in (0, 1)]
    assert page == everything[3:7]
    assert lines(snapshot, '"rain"', offset=10) == []


def test_sentences_around_are_shown_when_asked(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "one two | three rain | four five | six")])

    (line,) = lines(snapshot, '"rain"', whole_sentence=True, sentences=1)
    (first,) = lines(snapshot, '"one"', whole_sentence=True, sentences=5)

    assert line.left + line.node + line.right == "one two three rain four five"
    assert first.left + first.node + first.right == "one two three rain four five six"


def plain_line(stored, position, length, context):
    """Left, node and right context of a hit, word by word."""
    low = max(0, position - context)
    high = min(len(stored.tokens), position + length + context)
    fields = ["", "", ""]
    for i in range(low, high):
        which = (i >= position) + (i >= position + length)
        space = " " if stored.space_before[i] and i > low else ""
        if i == position and low < position:
            fields[0] += space
            space = ""
        fields[which] += space + stored.tokens[i].word
    return tuple(fields)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.lists(st.sampled_from(("a", "b", ".", "(", "'s")), min_size=1), max_size=4),
    st.integers(0, 4),
    st.integers(1, 3),
)
def test_lines_equal_those_written_word_by_word(tmp_path_factory, texts, context, length):
    documents = [document(key, " ".join(words)) for key, words in enumerate(texts, 1)]
    folder = tmp_path_factory.mktemp("corpus")
    snapshot = snapshot_of(folder, *[[item] for item in documents], tail_tokens=3)

    for line in lines(snapshot, "[]" * length, context=context):
        stored = snapshot.document(line.kind, line.key)

        expected = plain_line(stored, line.position, line.length, context)
        assert (line.left, line.node, line.right) == expected
