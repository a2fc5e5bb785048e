"""Any filter lets through what a slow, obvious evaluator does, however the corpus is cut."""

import datetime as dt
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.engine.index.documents import TEXT_KINDS, UNIX_EPOCH, DocumentKind, DocumentRights
from search.engine.index.selection import Base
from search.engine.query.filters import Copies, DocumentFilter, DocumentSet, Stories, select

COLUMNS = ("publication", "section", "author", "language")
VALUES = ("x", "y", "z")
DAYS = 40  # more than a month, so that segments of months are cut by day
KEYS = st.integers(1, 8)
IDENTITIES = st.tuples(st.sampled_from(DocumentKind), KEYS)

documents = st.lists(
    st.builds(
        lambda identity, day, columns, copy_of, story, n_words, marks: document(
            identity[1], " ".join(["rain"] * n_words), kind=identity[0],
            published_seconds=day * 86_400, duplicate_cluster=copy_of, story_cluster=story,
            is_changed=marks[0], rights=marks[1], is_undated=marks[2],
            **dict(zip(COLUMNS, columns, strict=True)),
        ),
        IDENTITIES, st.integers(0, DAYS), st.tuples(*[st.sampled_from(VALUES)] * 4),
        st.sampled_from((0, 0, 1, 2, 9)), st.sampled_from((0, 0, 1, 2)), st.integers(1, 4),
        st.tuples(st.booleans(), st.sampled_from(DocumentRights), st.booleans()),
    ),
    max_size=12,
)  # fmt: skip
chosen = st.lists(st.sampled_from((*VALUES, "unknown")), max_size=2).map(tuple)
days = st.none() | st.integers(0, DAYS).map(lambda day: UNIX_EPOCH + dt.timedelta(days=day))
sets = st.none() | st.lists(IDENTITIES, max_size=6).map(DocumentSet.of)
filters = st.builds(
    DocumentFilter,
    kinds=st.frozensets(st.sampled_from(DocumentKind)),
    first_day=days,
    last_day=days,
    least_tokens=st.none() | st.integers(1, 4),
    most_tokens=st.none() | st.integers(1, 4),
    is_changed=st.none() | st.booleans(),
    is_undated=st.none() | st.booleans(),
    rights=st.none() | st.sampled_from(DocumentRights),
    without_reserved=chosen,
    among=st.none() | chosen,
    agencies=chosen,
    without_agencies=chosen,
    copies=st.sampled_from(Copies),
    stories=st.sampled_from(Stories),
    documents=sets,
    without_documents=sets,
    texts=sets,
    **{f"{name}s": chosen for name in COLUMNS},
    **{f"without_{name}s": chosen for name in COLUMNS},
)


def passes(item, wanted):
    """Whether the conditions on a document alone hold."""
    day = UNIX_EPOCH + dt.timedelta(days=item.day_number)
    values = [(getattr(item, name), name) for name in COLUMNS]
    identity = DocumentSet.of([(item.kind, item.key)]).identities[0]
    is_copy = item.duplicate_cluster not in (0, item.key)
    return (
        item.kind in (wanted.kinds or TEXT_KINDS)
        and all(value in (getattr(wanted, f"{name}s") or VALUES) for value, name in values)
        and not any(value in getattr(wanted, f"without_{name}s") for value, name in values)
        and (wanted.first_day or dt.date.min) <= day <= (wanted.last_day or dt.date.max)
        and not (item.is_undated and (wanted.first_day or wanted.last_day))
        and wanted.is_undated in (None, item.is_undated)
        and (wanted.least_tokens or 0) <= len(item.tokens) <= (wanted.most_tokens or 9)
        and (not wanted.agencies or item.author in wanted.agencies)
        and not (wanted.agencies and item.kind is DocumentKind.COMMENT)
        and item.author not in wanted.without_agencies
        and wanted.is_changed in (None, item.is_changed)
        and wanted.rights in (None, item.rights)
        and (wanted.among is None or item.publication in wanted.among)
        and not (
            item.rights is DocumentRights.RESERVED and item.publication in wanted.without_reserved
        )
        and not (wanted.copies is Copies.ORIGINALS and is_copy)
        and (wanted.documents is None or identity in wanted.documents.identities)
        and (
            wanted.without_documents is None or identity not in wanted.without_documents.identities
        )
        and (wanted.texts is None or text_of(item) in wanted.texts.identities)
    )


def text_of(item):
    """The identity of a text: a part's is that of its article."""
    is_comment = item.kind is DocumentKind.COMMENT
    kind = DocumentKind.COMMENT if is_comment else DocumentKind.ARTICLE
    return DocumentSet.of([(kind, item.key)]).identities[0]


def plain_selection(items, wanted):
    """Documents that a filter lets through."""
    kept = sorted(
        (item for item in items if passes(item, wanted)),
        key=lambda item: (item.published_seconds, item.key),
    )
    if wanted.copies is Copies.ONCE:
        kept = [item for item in kept if not _has_better_copy(item, kept)]
    if wanted.stories is Stories.ONCE:
        seen = set()
        first = []
        for item in kept:
            story = (item.kind, item.story_cluster)
            if not item.story_cluster or story not in seen:
                first.append(item)
            seen.add(story)
        kept = first
    return {(item.kind, item.key) for item in kept}


def _has_better_copy(item, kept):
    cluster = item.duplicate_cluster
    if cluster in (0, item.key):
        return False
    same = [other for other in kept if other.kind == item.kind]
    copies = [
        other for other in same if other.duplicate_cluster == cluster and other.key != cluster
    ]
    return copies[0] is not item or any(other.key == cluster for other in same)


@settings(deadline=None, max_examples=120)
@given(documents, st.sampled_from((1, 300_000)), filters)
def test_filters_equal_the_plain_evaluator(tmp_path_factory, items, tail, wanted):
    current = {(item.kind, item.key): item for item in items}
    folder = tmp_path_factory.mktemp("corpus")
    snapshot = snapshot_of(folder, *[[item] for item in items], tail_tokens=tail)

    selection = select(snapshot, wanted)

    found = set()
    for view, mask in zip(snapshot.segments, selection.masks, strict=True):
        columns = view.segment.documents
        rows = range(len(columns)) if mask is None else mask.nonzero()[0].tolist()
        found |= {(int(columns.kind[row]), int(columns.key[row])) for row in rows}
    assert found == plain_selection(current.values(), wanted)
    n_tokens = sum(len(current[identity].tokens) for identity in found)
    assert selection.base == Base(n_tokens, len(found))


def test_document_sets_of_the_same_documents_are_equal():
    pairs = [(DocumentKind.ARTICLE, 2), (DocumentKind.COMMENT, 1)]

    assert DocumentSet.of(pairs) == DocumentSet.of([*reversed(pairs), pairs[0]])
    assert len(DocumentSet.of(pairs)) == 2


def test_story_is_represented_by_its_earliest_selected_article(tmp_path):
    article = document(1, "rain falls", story_cluster=5)
    later = replace(document(2, "rain falls", story_cluster=5), publication="cape")
    snapshot = snapshot_of(tmp_path, [article, later])

    bases = [
        select(snapshot, DocumentFilter(stories=Stories.ONCE, publications=names)).base.n_documents
        for names in ((), ("cape",), ("karoo",))
    ]

    assert bases == [1, 1, 1]
