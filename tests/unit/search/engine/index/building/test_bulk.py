"""Building at one go: order kept, lines checked, nothing visible before the end."""

import pytest
from small_corpora import document, everything, snapshot_of, words_of, write

from search.engine.index.building.bulk import BuildReport, BulkBuilder
from search.engine.index.building.line_numbers import LineMark, parse_vertical_line
from search.engine.index.documents import DocumentKind, IndexDocument
from search.engine.index.errors import TokenLineError
from search.engine.index.reader import IndexReader, corpus_offsets

ARTICLE = DocumentKind.ARTICLE
LINES = ["<s>", "It\tit\tPRP", "rains\train\tVBZ", "</s>", "<s>", "Now\tnow\tRB", ".\t.\t.", "</s>"]


def text(key, **columns):
    return IndexDocument(key, ARTICLE, (), **columns)


def joined(lines):
    return "".join(f"{line}\n" for line in lines).encode()


def build(folder, *texts, **options):
    with BulkBuilder(folder, **options) as builder:
        for number, lines in enumerate(texts, 1):
            builder.add_lines(text(number), joined(lines), first_line=100 * number)
        return builder.publish()


def test_lines_come_back_as_tokens_sentences_and_columns(tmp_path):
    with BulkBuilder(tmp_path) as builder:
        builder.add_lines(text(7, publication="karoo", published_seconds=86_400), joined(LINES))
        report = builder.publish()

    stored = IndexReader(tmp_path).snapshot.document(ARTICLE, 7)

    assert [tuple(token) for token in stored.tokens] == [
        ("It", "it", "PRP"), ("rains", "rain", "VBZ"), ("Now", "now", "RB"), (".", ".", "."),
    ]  # fmt: skip
    assert stored.sentence_starts == [0, 2]
    assert stored.space_before == [False, True, True, False]
    assert (stored.info.publication, stored.info.day.isoformat()) == ("karoo", "1970-01-02")
    assert (stored.info.generation_in, stored.info.n_tokens) == (1, 4)
    assert report == BuildReport(1, 4, 4, 1, report.n_bytes, 1)
    assert report.n_bytes == sum(
        path.stat().st_size for path in tmp_path.iterdir() if path.suffix in (".segment", ".base")
    )


def test_bulk_build_equals_commits(tmp_path):
    documents = [
        document(1, "rain falls | `` now '' ."),
        document(2, ""),
        document(3, "snow", space_before=[True], author="A. Botha", kind=DocumentKind.COMMENT),
        document(4, "Café über alles | wo"),
    ]

    with BulkBuilder(tmp_path / "bulk", tokens_per_segment=2) as builder:
        for item in documents:
            builder.add(item)
        builder.publish()

    bulk = IndexReader(tmp_path / "bulk").snapshot
    assert everything(bulk) == everything(snapshot_of(tmp_path / "commits", documents))


def test_documents_keep_the_order_they_come_in(tmp_path):
    with BulkBuilder(tmp_path, tokens_per_segment=3) as builder:
        for key in (5, 2, 9, 1, 7):
            builder.add(document(key, f"a{key} b{key}"))
        builder.publish()

    snapshot = IndexReader(tmp_path).snapshot
    order = [view.segment.documents.key.tolist() for view in snapshot.segments]
    first = snapshot.segments[0].segment

    assert order == [[5, 2], [9, 1], [7]]
    assert corpus_offsets(snapshot) == [0, 4, 8]
    assert first.in_time_order is False
    assert first.rows_in_time.tolist() == [1, 0]
    assert all(view.entry.keeps_order for view in snapshot.segments)


def test_segments_of_a_bulk_build_are_never_merged(tmp_path):
    with BulkBuilder(tmp_path, tokens_per_segment=1) as builder:
        for key in (3, 2, 1):
            builder.add(document(key, "rain falls"))
        builder.publish()
    write(tmp_path, [document(4, "more rain")], tail_tokens=1)

    snapshot = IndexReader(tmp_path).snapshot

    assert [view.segment.documents.key.tolist() for view in snapshot.segments] == [
        [3], [2], [1], [4],
    ]  # fmt: skip
    assert snapshot.generation == 2


@pytest.mark.parametrize(
    ("lines", "line", "reason"),
    [
        (["a\tb"], 100, "2 columns, expected 3"),
        (["a\tb\tc", "word"], 101, "1 columns, expected 3"),
        (["a\tb\tc", "a\tb\tc\td"], 101, "4 columns, expected 3"),
        (["<s>", "a\tb\tc"], 100, "<s> is never closed in its text"),
        (["<s>", "a\tb\tc", "<s>"], 102, "<s> in a sentence that is not closed"),
        (["a\tb\tc", "</s>"], 101, "</s> without <s>"),
        (["<s>", "</s>", "</s>"], 102, "</s> without <s>"),
        ([""], 100, "1 columns, expected 3"),
    ],
)
def test_bad_line_is_named_and_nothing_is_imported(tmp_path, lines, line, reason):
    write(tmp_path, [document(1, "old")])

    with pytest.raises(TokenLineError) as caught:
        build(tmp_path, lines, LINES)

    assert (caught.value.line, caught.value.reason) == (line, reason)
    assert words_of(IndexReader(tmp_path).snapshot, ARTICLE, 1) == "old"
    assert len(list(tmp_path.glob("*.segment"))) == 1


@pytest.mark.parametrize(
    ("texts", "line"),
    [((["<s>"], ["</s>"]), 100), ((LINES, ["<s>"], LINES), 200), ((LINES, LINES, ["<s>"]), 300)],
)
def test_sentence_left_open_is_named_in_its_own_text(tmp_path, texts, line):
    with pytest.raises(TokenLineError) as caught:
        build(tmp_path, *texts)

    assert caught.value.line == line


def test_tokens_outside_of_sentences_are_sentences_of_their_own(tmp_path):
    build(tmp_path, ["a\ta\tX", "<s>", "b\tb\tX", "</s>", "c\tc\tX", "d\td\tX"])

    assert IndexReader(tmp_path).snapshot.document(ARTICLE, 1).sentence_starts == [0, 1, 2]


def test_glue_says_where_no_white_space_stood(tmp_path):
    build(tmp_path, ["x\tx\tX", "<g/>", "y\ty\tX", ".\t.\t."], ["z\tz\tX", ".\t.\t."])

    snapshot = IndexReader(tmp_path).snapshot

    assert snapshot.document(ARTICLE, 1).space_before == [False, False, True]
    assert snapshot.document(ARTICLE, 2).space_before == [False, False]


def test_own_parser_sees_each_line_once(tmp_path):
    seen = []

    def parse(line):
        seen.append(line)
        return LineMark.IGNORED if line == "#" else (line, line, "X")

    build(tmp_path, ["a", "#", "b", "a"], ["b", "#", "c"], parse=parse)

    assert seen == ["a", "#", "b", "c"]
    assert words_of(IndexReader(tmp_path).snapshot, ARTICLE, 2) == "b c"


def test_leaving_without_publishing_changes_nothing(tmp_path):
    write(tmp_path, [document(1, "old")])
    before = sorted(path.name for path in tmp_path.iterdir())

    with BulkBuilder(tmp_path, tokens_per_segment=1) as builder:
        builder.add(document(2, "rain falls"))
        builder.add(document(3, "rain falls"))

    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert words_of(IndexReader(tmp_path).snapshot, ARTICLE, 1) == "old"


def test_readers_change_over_at_once_and_the_old_files_go(tmp_path):
    write(tmp_path, [document(1, "old")], [document(2, "old")])
    reader = IndexReader(tmp_path)

    build(tmp_path, LINES)
    reader.refresh()
    write(tmp_path, [document(9, "new")], [document(10, "new")])

    assert reader.generation == 3
    assert words_of(reader.snapshot, ARTICLE, 1) == "It rains Now ."
    assert words_of(reader.snapshot, ARTICLE, 2) is None
    assert not (tmp_path / "lexicon-000000.log").exists()


def test_documents_with_the_same_key_are_refused(tmp_path):
    with BulkBuilder(tmp_path, tokens_per_segment=1) as builder:
        builder.add(document(1, "rain"))
        builder.add(document(1, "snow"))

        with pytest.raises(ValueError, match="two documents of kind 1 have the key 1"):
            builder.publish()

    assert IndexReader(tmp_path).snapshot.generation == 0


def test_empty_build_is_an_empty_index(tmp_path):
    report = build(tmp_path)

    assert (report.n_documents, report.n_segments, report.generation) == (0, 0, 1)
    assert IndexReader(tmp_path).snapshot.size().n_tokens == 0


def test_number_of_segments_stays_small(tmp_path):
    with BulkBuilder(tmp_path, tokens_per_segment=1) as builder:
        for key in range(1, 400):
            builder.add(document(key, "rain"))
        report = builder.publish()

    assert report.n_segments < 80


@pytest.mark.parametrize(
    ("line", "mark"),
    [
        ("<s>", LineMark.SENTENCE_START),
        ('<s id="3">', LineMark.SENTENCE_START),
        ("</s>", LineMark.SENTENCE_END),
        ("<g/>", LineMark.GLUE),
        ("<g />", LineMark.GLUE),
        ("<p>", LineMark.IGNORED),
        ("<!-- note -->", LineMark.IGNORED),
        ("<sx>", LineMark.IGNORED),
    ],
)
def test_tags_are_told_apart(line, mark):
    assert parse_vertical_line(line) == mark


def test_token_that_looks_like_a_tag_is_a_token():
    assert parse_vertical_line("<s>\t<s>\tNN") == ("<s>", "<s>", "NN")
