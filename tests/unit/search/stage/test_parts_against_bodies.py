"""Parts taken from random bodies hold what a walk over the body finds, and lead back to it."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.answers.part_places import place_in_body
from search.engine.index.documents import IN_BODY, DocumentKind
from search.engine.query.filters import DocumentFilter
from search.engine.query.language.cql import parse_cql
from search.engine.query.run import run
from search.stage.text_parts import parts_of_body

WORDS = ("rain", "snow", "mist")
KINDS = st.sampled_from([0, 0, *(int(block) for block in IN_BODY.values())])
# Runs of words of one kind of block, some of them beginning a sentence.
blocks = st.lists(
    st.tuples(KINDS, st.lists(st.sampled_from(WORDS), min_size=1, max_size=4)),
    min_size=1, max_size=6,
)  # fmt: skip


def body_of(key, runs):
    text = " | ".join(" ".join(words) for _, words in runs)
    kinds = [kind for kind, words in runs for _ in words]
    return replace(document(key, text), blocks=kinds)


def plain_words(body, block):
    pairs = zip(body.tokens, body.blocks, strict=True)
    return [token[0] for token, kind in pairs if kind == block]


@settings(deadline=None, max_examples=20)
@given(st.lists(blocks, min_size=1, max_size=3), st.sampled_from(sorted(IN_BODY)))
def test_parts_equal_a_walk_over_the_body(tmp_path_factory, texts, kind):
    bodies = [body_of(key, runs) for key, runs in enumerate(texts, 1)]
    parts = [part for body in bodies for part in parts_of_body(body)]
    snapshot = snapshot_of(tmp_path_factory.mktemp("corpus"), [*bodies, *parts])

    alone = run(snapshot, parse_cql('[word="rain"]'), DocumentFilter(kinds=frozenset({kind})))
    within = run(snapshot, parse_cql(f'[word="rain"] within {kind.label}'))

    plain = {body.key: plain_words(body, IN_BODY[kind]) for body in bodies}
    assert alone.total == within.total == sum(words.count("rain") for words in plain.values())
    assert alone.base.n_tokens == sum(map(len, plain.values()))
    assert alone.base.n_documents == sum(bool(words) for words in plain.values())
    for body in bodies:
        for number, word in enumerate(plain[body.key]):
            place = place_in_body(snapshot, kind, body.key, number)
            assert (body.tokens[place][0], body.blocks[place]) == (word, IN_BODY[kind])


@settings(deadline=None, max_examples=40)
@given(blocks)
def test_sentences_of_parts_are_those_of_the_body_cut_at_blocks(runs):
    body = body_of(1, runs)

    for part in parts_of_body(body):
        wanted = [words for kind, words in runs if kind == IN_BODY[part.kind]]
        starts = [sum(map(len, wanted[:number])) for number in range(len(wanted))]
        assert list(part.sentence_starts) == starts


def test_a_part_above_the_body_has_no_place_in_it(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "rain")])

    assert place_in_body(snapshot, DocumentKind.HEADLINE, 1, 0) is None
    assert place_in_body(snapshot, DocumentKind.QUOTE, 1, 0) is None
