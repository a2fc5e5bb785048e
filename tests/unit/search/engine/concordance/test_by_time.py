"""Newest and oldest first: the order of plain sorting, whatever order segments keep."""

from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.engine.concordance.by_time import lines_by_time
from search.engine.index.building.bulk import BulkBuilder
from search.engine.index.documents import DocumentKind
from search.engine.index.reader import IndexReader
from search.engine.query.filters import DocumentFilter
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run

DAY_SECONDS = 86_400
TEXTS = ("rain", "rain falls rain", "snow", "rain rain rain rain | rain")

texts = st.dictionaries(
    st.integers(1, 30), st.tuples(st.sampled_from(TEXTS), st.integers(0, 60)), max_size=10
)


def documents_of(texts):
    return [
        document(
            key,
            text,
            published_seconds=day * DAY_SECONDS,
            kind=DocumentKind(1 + key % 2),
            publication="cape" if day % 3 else "karoo",
        )
        for key, (text, day) in texts.items()
    ]


def built_in_this_order(folder, documents):
    with BulkBuilder(folder, tokens_per_segment=4) as builder:
        for item in documents:
            builder.add(item)
        builder.publish()
    return IndexReader(folder).snapshot


def found(snapshot, query, wanted, stretch, *, newest):
    hits = run(snapshot, parse(query, Language.CQL), wanted)
    places = []
    for line in lines_by_time(hits, *stretch, newest=newest):
        segment = hits.parts[line.part].view.segment
        key = int(segment.documents.key[line.row])
        places.append((key, line.start - int(segment.bounds[line.row])))
    return places


def plain(documents, word, is_wanted, *, newest):
    documents = sorted(
        filter(is_wanted, documents),
        key=lambda item: (item.published_seconds, item.kind, item.key),
        reverse=newest,
    )
    return [
        (item.key, i)
        for item in documents
        for i, token in enumerate(item.tokens)
        if token[0] == word
    ]


@settings(deadline=None, max_examples=80)
@given(texts, st.booleans(), st.booleans(), st.integers(0, 8), st.integers(1, 9), st.booleans())
def test_lines_by_time_equal_sorting(
    tmp_path_factory, texts, in_own_order, newest, offset, count, of_cape
):
    documents = documents_of(texts)
    folder = tmp_path_factory.mktemp("corpus")
    if in_own_order and documents:
        snapshot = built_in_this_order(folder, documents)
    else:
        snapshot = snapshot_of(folder, *[[item] for item in documents], tail_tokens=5)
    wanted = DocumentFilter(publications=("cape",) if of_cape else ())

    for query in ('"rain"', '"rain" []{0}', '"rain|hail"'):
        lines = found(snapshot, query, wanted, (offset, count), newest=newest)

        expected = plain(
            documents,
            "rain",
            lambda item: not of_cape or item.publication == "cape",
            newest=newest,
        )
        assert lines == expected[offset : offset + count]
