"""The hash of a list of hits, and what has come and gone between two generations."""

import hashlib

from small_corpora import document, write

from search.engine.concordance.hit_list import hits_digest, lines_digest
from search.engine.concordance.kwic import PageRequest, lines_of
from search.engine.concordance.list_changes import Fate, changes_of
from search.engine.concordance.places import Places
from search.engine.index.building.writer import IndexWriter
from search.engine.index.documents import DocumentKind
from search.engine.index.reader import IndexReader
from search.engine.query.filters import Copies, DocumentFilter
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run

ARTICLE, COMMENT = DocumentKind.ARTICLE, DocumentKind.COMMENT


def hits_at(snapshot, generation, query='"rain"', *, has_withdrawn=False):
    wanted = DocumentFilter(copies=Copies.ONCE, generation=generation, has_withdrawn=has_withdrawn)
    return run(snapshot, parse(query, Language.CQL), wanted)


def leave(folder, key, act="withdraw"):
    with IndexWriter(folder) as writer:
        getattr(writer, act)(ARTICLE, key)
        writer.commit()


def changes(folder, then=1):
    snapshot = IndexReader(folder).snapshot
    before = hits_at(snapshot, then, has_withdrawn=True)
    found = changes_of(before, hits_at(snapshot, None))
    assert found.n_same + found.n_gone == before.total
    assert found.n_same + found.n_came == hits_at(snapshot, None).total
    parts = ((fate, part.n_hits) for part_of in (found.came, found.gone)
             for fate, part in part_of.items())  # fmt: skip
    return found.n_same, sorted(parts)


def test_hash_is_that_of_the_lines_that_a_page_shows(tmp_path):
    first = [document(2, "a rain-falls rain falls ,"), document(10, "rain , rain")]
    write(tmp_path, first, [document(3, "rain falls", kind=COMMENT)])
    hits = hits_at(IndexReader(tmp_path).snapshot, None, '"rain" []')

    lines = lines_of(hits, PageRequest(count=99))
    shown = sorted((line.kind.label, line.key, line.position, line.length, line.node)
                   for line in lines)  # fmt: skip
    plain = "".join(f"{kind}-{key}\t{at}\t{node}\n" for kind, key, at, _, node in shown)
    assert len(lines) == 3
    assert "article-2\t2\train falls\n" in plain
    assert hits_digest(hits) == hashlib.sha256(plain.encode()).hexdigest()
    assert lines_digest(hits, Places.of([line.place for line in lines])) == hits_digest(hits)


def test_hash_outlasts_merges_and_texts_that_are_read_anew(tmp_path):
    write(tmp_path, [document(1, "rain falls"), document(2, "no rain")])
    before = hits_digest(hits_at(IndexReader(tmp_path).snapshot, None))

    write(tmp_path, [document(1, "rain/other/VB falls", author="Added later")])

    snapshot = IndexReader(tmp_path).snapshot
    assert hits_digest(hits_at(snapshot, None)) == before
    assert hits_digest(hits_at(snapshot, 1)) == before
    assert changes(tmp_path) == (2, [])


def test_hash_tells_a_withdrawal_and_another_word(tmp_path):
    write(tmp_path, [document(1, "rain falls"), document(2, "no rain")])
    before = hits_digest(hits_at(IndexReader(tmp_path).snapshot, 1))
    leave(tmp_path, 2)

    snapshot = IndexReader(tmp_path).snapshot
    assert hits_digest(hits_at(snapshot, 1)) != before
    assert hits_digest(hits_at(snapshot, 1, has_withdrawn=True)) == before


def test_each_hit_is_told_by_what_became_of_its_text(tmp_path):
    write(
        tmp_path,
        [
            document(1, "rain"),
            document(2, "rain rain"),
            document(3, "rain falls here"),
            document(4, "rain falls and rain"),
            document(5, "a copy of rain"),
            document(6, "a copy of rain", duplicate_cluster=5),
            document(7, "dry"),
        ],
    )
    write(
        tmp_path,
        [
            document(4, "rain falls and snow"),
            document(7, "dry no more : rain"),
            document(8, "rain"),
            document(3, "rain falls here", duplicate_cluster=1),
        ],
    )
    leave(tmp_path, 2)
    leave(tmp_path, 5, "remove")

    assert changes(tmp_path) == (
        2,  # that of 1, and one of 4
        sorted(
            [
                (Fate.NEW, 1),  # 8
                (Fate.CHANGED, 1),  # 7
                (Fate.COUNTED, 1),  # 6, as 5 has left
                (Fate.CHANGED, 1),  # 4
                (Fate.WITHDRAWN, 2),  # 2
                (Fate.LEFT, 1),  # 5
                (Fate.SET_ASIDE, 1),  # 3
            ]
        ),
    )


def test_put_back_with_the_same_words_is_the_same(tmp_path):
    write(tmp_path, [document(1, "rain"), document(2, "rain falls")])
    leave(tmp_path, 2)
    write(tmp_path, [document(2, "rain falls")])

    assert changes(tmp_path) == (2, [])
