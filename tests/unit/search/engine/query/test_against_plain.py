"""Every kind of query equals a slow obvious evaluator on random small corpora, in any strategy."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_queries import plain_spans
from small_corpora import DAY_SECONDS, document, write

from search.engine.index.documents import TEXT_KINDS, DocumentKind
from search.engine.index.reader import IndexReader
from search.engine.query.ast import (
    Alternatives,
    And,
    Anything,
    Attribute,
    AttributeMatch,
    AttributeOf,
    Call,
    ColumnOf,
    Compare,
    Edge,
    Exists,
    Meet,
    Nesting,
    Not,
    Number,
    Operator,
    Or,
    PositionOf,
    Query,
    Region,
    Relative,
    Repetition,
    Sequence,
    Strategy,
    String,
    StructureOf,
    TextMatch,
    Token,
    TokenTable,
    Union,
    Within,
)
from search.engine.query.errors import QueryError
from search.engine.query.filters import DocumentFilter
from search.engine.query.run import run
from search.engine.query.running import cut_run, equal_tokens, meeting
from search.engine.query.walks import length_range


@pytest.fixture(scope="module", params=["as measured", "always from the rarest token"])
def planner(request):
    """The planner's thresholds: which way a query is run must not change what it finds."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param != "as measured":
            patch.setattr("search.engine.query.running.sequences.RARE_SHARE", 2.0)
            patch.setattr("search.engine.query.running.automaton_run.RARE_SHARE", 2.0)
            patch.setattr("search.engine.query.running.automaton_run.MUCH_RARER", 0)
            patch.setattr("search.engine.query.running.automaton_run.AROUND_COST", 0)
        yield


WORDS = ("a", "b", "c", "A", "ab", "abs")
LEMMAS = ("a", "b")
TAGS = ("NN", "VB")
PATTERNS = {
    Attribute.WORD: ("a", "b", "A", "a.*", "[ab]", ".", "x", "a|c", ".*b"),
    Attribute.LEMMA: ("a", "b", ".*"),
    Attribute.TAG: ("NN", "V.*", "NN|VB"),
    Attribute.LOWER: ("a", "A", "[ab]"),
    Attribute.FOLDED: ("a", "a.*"),
    Attribute.STEM: ("ab", "a.", "A"),
    Attribute.ASCII: ("a", "[ab]", ".*b"),
}
tokens = st.builds(
    "{}/{}/{}".format, st.sampled_from(WORDS), st.sampled_from(LEMMAS), st.sampled_from(TAGS)
)
sentences = st.lists(tokens, min_size=1, max_size=7).map(" ".join)
texts = st.lists(sentences, max_size=4).map(" | ".join)
corpora = st.lists(
    st.tuples(texts, st.sampled_from(DocumentKind), st.sampled_from(("x", "y"))), max_size=4
)


@st.composite
def matches(draw):
    attribute = draw(st.sampled_from(list(PATTERNS)))
    pattern = draw(st.sampled_from(PATTERNS[attribute]))
    ignore_case = attribute is Attribute.WORD and draw(st.booleans())
    return AttributeMatch(attribute, pattern, ignore_case, negated=draw(st.booleans()))


text_matches = st.builds(
    TextMatch, st.sampled_from(("publication", "kind")), st.sampled_from(("x", "comment", ".*")),
    negated=st.booleans(),
)  # fmt: skip
conditions = st.recursive(
    matches() | matches() | text_matches,
    lambda inner: (
        st.builds(Not, inner)
        | st.builds(And, st.tuples(inner, inner))
        | st.builds(Or, st.tuples(inner, inner))
    ),
    max_leaves=3,
)
any_token = st.builds(Token, st.just(Anything()) | matches() | matches() | conditions)
edges = st.builds(Edge, st.just("s"), st.booleans()) | st.builds(
    Edge, st.just("text"), st.booleans(), st.none() | text_matches
)
RANGES = ((0, 1), (0, None), (1, None), (2, 2), (0, 3), (1, 2), (2, None))


def repetitions(inner):
    return st.builds(lambda part, bounds: Repetition(part, *bounds), inner, st.sampled_from(RANGES))


def sequences(inner):
    return st.lists(inner, min_size=2, max_size=4).map(lambda parts: Sequence(tuple(parts)))


patterns = st.recursive(
    any_token,
    lambda inner: (
        repetitions(inner)
        | sequences(inner)
        | st.lists(inner, min_size=2, max_size=3).map(lambda choices: Alternatives(tuple(choices)))
    ),
    max_leaves=6,
)
ahead = conditions.map(lambda condition: Token(condition, is_ahead=True)) | st.just(
    Token(Anything(), is_ahead=True)
)
regions = st.builds(Region, st.sampled_from(("s", "text")), st.booleans())
with_edges = st.lists(patterns | edges | edges | ahead | regions, min_size=2, max_size=5).map(
    lambda parts: Sequence(tuple(parts))
)
withins = st.none() | st.sampled_from(
    (Within("s"), Within("s", 2), Within("text"), Within("token", 3), Within("quote"))
)
blocks_left_out = st.sampled_from(((), (), ("quote",), ("heading", "quote")))
BLOCKS_OF_TEXTS = (0, 2, 2, 1)  # two tokens each, beginning with another one in each text


def index(folder, corpus, tail_tokens):
    documents = [
        document(key, text, kind=kind, publication=publication)
        if text
        else replace(document(key, "x", kind=kind, publication=publication), tokens=[])
        for key, (text, kind, publication) in enumerate(corpus, 1)
    ]
    documents = [replace(item, blocks=blocks_of(item)) for item in documents]
    write(folder, *[[item] for item in documents], tail_tokens=tail_tokens)
    return documents, IndexReader(folder).snapshot


def blocks_of(item):
    n_kinds = len(BLOCKS_OF_TEXTS)
    return [BLOCKS_OF_TEXTS[(item.key + i // 2) % n_kinds] for i in range(len(item.tokens))]


def found_by_engine(snapshot, query):
    hits = run(snapshot, query)
    found = {}
    for part in hits.parts:
        segment = part.view.segment
        for row in range(segment.n_documents):
            spans, start = part.spans_in(row), int(segment.bounds[row])
            if segment.documents.kind[row] not in TEXT_KINDS:
                assert len(spans) == 0
                continue
            pairs = zip((spans.starts - start).tolist(), (spans.ends - start).tolist(), strict=True)
            found[int(segment.documents.key[row])] = list(pairs)
            assert int(part.document_counts[row]) == len(spans)
        assert part.total == len(part.spans)
    assert hits.total == sum(map(len, found.values()))
    return found


def matches_nothing(pattern) -> bool:
    """Whether a pattern can do without any token or edge, or has no token in it."""
    if length_range(pattern)[1] == 0:
        return True
    return matches_nothing_at_all(pattern)


def matches_nothing_at_all(pattern) -> bool:
    match pattern:
        case Sequence(parts):
            return all(map(matches_nothing_at_all, parts))
        case Alternatives(choices):
            return any(map(matches_nothing_at_all, choices))
        case Repetition(part, least):
            return least == 0 or matches_nothing_at_all(part)
        case _:
            return False


def check(tmp_path_factory, corpus, tail_tokens, query):
    documents, snapshot = index(tmp_path_factory.mktemp("corpus"), corpus, tail_tokens)
    if matches_nothing(query.pattern):
        with pytest.raises(QueryError):
            run(snapshot, query)
        return

    found = found_by_engine(snapshot, query)

    texts = [item for item in documents if item.kind in TEXT_KINDS]  # parts are asked for by name
    assert found == {item.key: plain_spans(query, item) for item in texts}


def joined(documents):
    """All texts as one, for matches that run from one into the next."""
    tokens, starts = [], []
    for item in documents:
        starts += [len(tokens) + start for start in item.sentence_starts if item.tokens]
        tokens += item.tokens
    return replace(documents[0], tokens=tokens, sentence_starts=starts)


@settings(deadline=None, max_examples=100)
@given(
    corpora,
    st.sampled_from((1, 300_000)),
    st.builds(Query, patterns, withins, st.none(), st.sampled_from(Strategy)),
)
def test_patterns_equal_the_plain_evaluator(planner, tmp_path_factory, corpus, tail, query):
    check(tmp_path_factory, corpus, tail, query)


@settings(deadline=None, max_examples=150)
@given(
    corpora,
    st.sampled_from((1, 300_000)),
    st.builds(Query, with_edges, withins, st.none(), st.sampled_from(Strategy)),
)
def test_edges_and_lookahead_equal_the_plain_evaluator(tmp_path_factory, corpus, tail, query):
    check(tmp_path_factory, corpus, tail, query)


regions_around = st.builds(
    lambda structure, inner: Sequence(
        (Edge(structure, is_start=True), inner, Edge(structure, is_start=False))
    ),
    st.sampled_from(("s", "text")),
    patterns | repetitions(any_token),
)
openings = st.builds(
    lambda edge, inner: Sequence((edge, inner)),
    st.builds(Edge, st.just("s"), st.just(value=True))
    | st.builds(Edge, st.just("text"), st.just(value=True), st.none() | text_matches),
    patterns,
)


@settings(deadline=None, max_examples=150)
@given(
    corpora,
    st.sampled_from((1, 300_000)),
    st.builds(Query, regions_around | openings, withins, st.none(), st.sampled_from(Strategy)),
)
def test_patterns_that_begin_regions_or_fill_them(planner, tmp_path_factory, corpus, tail, query):
    check(tmp_path_factory, corpus, tail, query)


ways_with_edges = st.lists(
    st.builds(
        lambda edge, token, rest: Sequence((edge, token, *rest)),
        edges.filter(lambda edge: edge.is_start), any_token, st.lists(patterns, max_size=1),
    ) | patterns,
    min_size=2, max_size=3,
).map(lambda ways: Alternatives(tuple(ways)))  # fmt: skip
around_ways = st.lists(
    ways_with_edges | repetitions(ways_with_edges) | any_token | edges, min_size=1, max_size=3
).map(lambda parts: Sequence(tuple(parts)))


@settings(deadline=None, max_examples=150)
@given(
    corpora,
    st.sampled_from((1, 300_000)),
    st.builds(Query, around_ways, withins, st.none(), st.sampled_from(Strategy)),
)
def test_edges_within_some_ways_equal_the_plain_evaluator(
    planner, tmp_path_factory, corpus, tail, query
):
    check(tmp_path_factory, corpus, tail, query)


@pytest.mark.parametrize("edges", [(True, False), (False, True, False)])
def test_edges_that_contradict_each_other_find_nothing(edges, tmp_path_factory):
    items = (*(Edge("s", is_start) for is_start in edges), Token(Anything()))
    query = Query(Sequence(items), None, None, Strategy.STANDARD)

    text = ("a/a/NN b/b/VB | A/a/NN", DocumentKind.ARTICLE, "x")
    check(tmp_path_factory, [text], 1, query)


mu_tokens = st.builds(Token, matches())
meet_unions = st.recursive(
    mu_tokens,
    lambda inner: st.builds(Union, inner, inner)
    | st.builds(
        lambda left, right, window, negated: Meet(left, right, *window, negated=negated),
        inner, inner, st.sampled_from(((-1, 1), (1, 2), (0, 0), (-3, -1))), st.booleans(),
    )
    | st.builds(Meet, inner, inner, st.just(0), st.just(0), st.sampled_from(("s", "text"))),
    max_leaves=4,
).filter(lambda pattern: not isinstance(pattern, Token))  # fmt: skip


@pytest.mark.parametrize("cost", [meeting.GATHER_COST, 0])
@settings(deadline=None, max_examples=50)
@given(st.data())
def test_meet_and_union_equal_the_plain_evaluator(tmp_path_factory, cost, data):
    corpus, pattern = data.draw(corpora), data.draw(meet_unions)
    tail = data.draw(st.sampled_from((1, 300_000)))
    within = data.draw(st.sampled_from((None, Within("quote"))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(meeting, "GATHER_COST", cost)
        check(tmp_path_factory, corpus, tail, Query(pattern, within))


gaps = st.sampled_from(((0, 0), (0, 2), (1, 1), (1, None), (0, None)))
tables = st.lists(mu_tokens, min_size=2, max_size=4).flatmap(
    lambda tokens: st.builds(
        lambda between: TokenTable(tuple(tokens), tuple(between)),
        st.lists(gaps, min_size=len(tokens) - 1, max_size=len(tokens) - 1),
    )
)


@settings(deadline=None, max_examples=50)
@given(corpora, st.sampled_from((1, 300_000)), tables, withins)
def test_tables_equal_the_plain_evaluator(tmp_path_factory, corpus, tail, pattern, within):
    check(tmp_path_factory, corpus, tail, Query(pattern, within))


labels = st.sampled_from(("a", "b", "match", "matchend"))
attributes = st.sampled_from(Attribute)
equality = st.sampled_from((Operator.EQUAL, Operator.UNEQUAL))


def attribute_of(label):
    return st.builds(AttributeOf, label, attributes)


def comparisons(label):
    """Comparisons of values of labelled tokens (or, with an empty label, of the token itself)."""
    values = attribute_of(label)
    position = st.builds(PositionOf, label)
    number = (
        st.builds(lambda a, b: Call("distance", (a, b)), position, position)
        | st.builds(lambda a, b: Call("distabs", (a, b)), position, position)
        | st.builds(lambda a: Call("strlen", (a,)), values)
        | st.builds(lambda a, b: Call("is_prefix", (a, b)), values, values)
        | st.builds(Number, st.integers(0, 3))
    )
    return (
        st.builds(Compare, values, equality, values)
        | st.builds(
            Compare, values, equality, st.builds(String, st.sampled_from(("a", "[ab]", "N.*")))
        )
        | st.builds(
            Compare,
            st.builds(ColumnOf, label, st.sampled_from(("publication", "kind"))),
            equality,
            st.builds(String, st.sampled_from(("x", "comment"))),
        )
        | st.builds(Compare, number, st.sampled_from(Operator), number)
        | st.builds(Exists, position)
        | st.builds(Exists, number)
    )


def composed(leaves):
    return st.recursive(
        leaves,
        lambda inner: (
            st.builds(Not, inner)
            | st.builds(And, st.tuples(inner, inner))
            | st.builds(Or, st.tuples(inner, inner))
        ),
        max_leaves=3,
    )


constraints = composed(comparisons(labels))
bounds_of_regions = st.builds(
    lambda name, structure: Exists(Call(name, (StructureOf(structure),))),
    st.sampled_from(("lbound", "rbound")),
    st.sampled_from(("s", "text")),
)
on_itself = composed(comparisons(st.just("")) | bounds_of_regions | matches())
on_first = composed(comparisons(st.sampled_from(("a", "", "match"))) | matches())


@settings(deadline=None, max_examples=60)
@given(corpora, st.lists(st.builds(Token, on_itself), min_size=1, max_size=2))
def test_comparisons_equal_the_plain_evaluator(tmp_path_factory, corpus, tokens):
    check(tmp_path_factory, corpus, 300_000, Query(Sequence(tuple(tokens))))


@st.composite
def labelled_queries(draw):
    """Labels at fixed places, in a part that may be left out or is repeated, or looked back at."""
    first, last = draw(any_token), draw(any_token)
    middle = draw(st.none() | repetitions(any_token))
    a = replace(first, label="a")
    b = draw(
        st.just(replace(last, label="b"))
        | st.just(Repetition(replace(last, label="b"), 0, 1))
        | st.just(Repetition(replace(last, label="b"), 1, None))
        | st.builds(Token, on_first, st.just("b"))
    )
    c = draw(st.none() | any_token)
    is_fixed = isinstance(b, Token)
    parts = (a, middle if is_fixed else None, b, None if is_fixed and middle else c)
    pattern = Sequence(tuple(part for part in parts if part is not None))
    constraint = draw(st.none() | constraints)
    return Query(pattern, draw(withins), constraint, draw(st.sampled_from(Strategy)))


@settings(deadline=None, max_examples=120)
@given(corpora, labelled_queries())
def test_labels_equal_the_plain_evaluator(planner, tmp_path_factory, corpus, query):
    check(tmp_path_factory, corpus, 300_000, query)


@st.composite
def equal_tokens_queries(draw):
    """Two tokens with a gap, equal in something, with or without a further constraint."""
    first = draw(any_token)
    first = draw(st.just(ANY) | st.just(first))
    second = draw(st.just(first) | st.just(first) | any_token)
    gap = Repetition(ANY, *draw(st.sampled_from(((0, 1), (0, 3), (1, 2), (2, 2), (1, 5)))))
    attribute = draw(attributes)
    left, right = draw(st.permutations(["a", "b"]))
    equal = Compare(AttributeOf(left, attribute), Operator.EQUAL, AttributeOf(right, attribute))
    constraint = draw(st.just(equal) | constraints.map(lambda other: And((other, equal))))
    pattern = Sequence((replace(first, label="a"), gap, replace(second, label="b")))
    return Query(pattern, draw(withins), constraint, draw(st.sampled_from(Strategy)))


@settings(deadline=None, max_examples=120)
@given(corpora, st.sampled_from((1, 300_000)), equal_tokens_queries())
def test_equal_tokens_equal_the_plain_evaluator(tmp_path_factory, corpus, tail, query):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equal_tokens, "MOST_SHARE", 1.0)
        check(tmp_path_factory, corpus, tail, query)


START, END = Edge("s", is_start=True), Edge("s", is_start=False)
ANY = Token(Anything())


@pytest.mark.parametrize(
    "pattern",
    [
        Sequence((ANY, START, END)),
        Sequence((ANY, END, START)),
        Sequence((ANY, START, Repetition(ANY, 0, 1), END)),
        Sequence((START, Repetition(ANY, 0, None), END, START, ANY, END)),
    ],
)
def test_a_region_that_opens_holds_a_token_before_it_closes(tmp_path_factory, pattern):
    corpus = [("a/a/NN | a/a/NN b/b/NN | a/a/NN", DocumentKind.ARTICLE, "x")]

    check(tmp_path_factory, corpus, 300_000, Query(pattern))


def test_a_label_that_is_not_set_stands_nowhere(tmp_path_factory):
    corpus = [("a/a/NN", DocumentKind.ARTICLE, "x")] * 2
    pattern = Sequence((Token(Anything(), "a"), Repetition(Token(Anything(), "b"), 0, 1)))
    apart = Call("distance", (PositionOf("b"), PositionOf("a")))

    for number in (0, 1, 2):
        query = Query(pattern, None, Compare(apart, Operator.EQUAL, Number(number)))
        check(tmp_path_factory, corpus, 300_000, query)


sentence_edges = st.builds(Edge, st.just("s"), st.booleans())
without_texts = patterns | st.lists(patterns | sentence_edges | ahead, min_size=2, max_size=4).map(
    lambda parts: Sequence(tuple(parts))
)


@settings(deadline=None, max_examples=60)
@given(
    corpora.filter(bool),
    st.builds(
        Query,
        without_texts,
        st.none() | st.sampled_from((Within("s"), Within("s", 2), Within("token", 3))),
        st.none(),
        st.sampled_from(Strategy),
    ),
)
def test_across_texts_all_texts_are_as_one(tmp_path_factory, corpus, query):
    folder = tmp_path_factory.mktemp("corpus")
    same = [(text, DocumentKind.ARTICLE, "x") for text, _, _ in corpus]
    documents, _ = index(folder / "apart", same, 1)
    write(folder / "one", documents)
    snapshot = IndexReader(folder / "one").snapshot
    if matches_nothing(query.pattern):
        return

    (part,) = run(snapshot, query, across_texts=True).parts

    assert part.view.segment.documents.key.tolist() == [item.key for item in documents]
    found = list(zip(part.spans.starts.tolist(), part.spans.ends.tolist(), strict=True))
    assert found == plain_spans(query, joined(documents))


relatives = st.lists(
    st.builds(Relative, st.sampled_from(Nesting), patterns, st.booleans()), min_size=1, max_size=2
).map(tuple)


@settings(deadline=None, max_examples=60)
@given(
    corpora,
    st.builds(
        Query, patterns, withins, st.none(), st.sampled_from(Strategy), relatives=relatives,
        outside=blocks_left_out,
    ),
)  # fmt: skip
def test_relatives_equal_the_plain_evaluator(planner, tmp_path_factory, corpus, query):
    if any(matches_nothing(relative.pattern) for relative in query.relatives):
        return
    check(tmp_path_factory, corpus, 300_000, query)


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.tuples(texts, st.sampled_from(("x", "y"))), min_size=3, max_size=9),
    st.integers(min_value=1, max_value=8),
    st.builds(
        Query,
        without_texts,
        st.none() | st.sampled_from((Within("s"), Within("text", 2), Within("token", 3))),
        st.none(),
        st.sampled_from(Strategy),
        cut=st.integers(min_value=1, max_value=4),
        relatives=st.just(()) | relatives,
    ),
    st.sampled_from(("x", "")),
    st.booleans(),
)
def test_a_cut_finds_the_same_in_the_first_texts(
    tmp_path_factory, corpus, n_first, query, publication, across_texts
):
    patterns_of = [query.pattern, *(relative.pattern for relative in query.relatives)]
    if any(map(matches_nothing, patterns_of)):
        return
    documents = [
        document(key, text, publication=of, published_seconds=key // 2 * DAY_SECONDS)
        for key, (text, of) in enumerate(corpus, 1)
        if text
    ]
    folder, middle = tmp_path_factory.mktemp("corpus"), min(n_first, len(documents))
    write(folder, documents[:middle], documents[middle:], tail_tokens=1)
    snapshot = IndexReader(folder).snapshot
    wanted = DocumentFilter(publications=(publication,) if publication else ())

    def found():
        hits = run(snapshot, query, wanted, across_texts=across_texts)
        return hits.total, [
            (part.view.segment.name, part.spans.starts.tolist(), part.spans.ends.tolist())
            for part in hits.parts
            if part.total
        ]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cut_run, "STRETCHES", ())
        of_all = found()
        patch.setattr(cut_run, "STRETCHES", (1, 2, 5, 20))
        patch.setattr(cut_run, "LONGEST", 1)

        assert found() == of_all
