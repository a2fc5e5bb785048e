"""A drawing is read back from its CQL as it was; a query that is drawn has the hits it had."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from small_corpora import document, snapshot_of

from search.engine.drawing.drawing import (
    CLASS_NAMES,
    DISTANCE,
    OF_LABELS,
    TEXT_PROPERTIES,
    TOKEN_PROPERTIES,
    WORD_CLASS,
    Bond,
    Border,
    Comparison,
    Drawing,
    Gap,
    Group,
    Pair,
    Relation,
    Restriction,
    Side,
    TokenCard,
    TokenTest,
    Written,
)
from search.engine.drawing.fields import WITHINS
from search.engine.drawing.reading import STRATEGIES, read
from search.engine.drawing.writing import write
from search.engine.query.attributes import BLOCKS
from search.engine.query.errors import QueryError
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run

# What people type: signs that regular expressions and CQL give a meaning to, quotes, accents.
VALUES = (
    "go",
    "U.S.",
    'say "x"',
    "it's",
    "a+b",
    "PRP$",
    "^x",
    "(a",
    "naïve",
    "\\",
    "%",
    "a#b",
    "{2}",
)
PATTERNS = (".*a.*b", "[ab]", "a{2,3}", r"\d+", "(a|b)c", "a.c", "gr[ae]y", 'a""b?')
LABELS = ("a", "b", "x-1")
plain = st.sampled_from(sorted({*TOKEN_PROPERTIES, *TEXT_PROPERTIES} - {WORD_CLASS}))
flags = st.booleans()
literal_relations = st.sampled_from(
    (Relation.IS, Relation.IS_NOT, Relation.STARTS, Relation.ENDS, Relation.HAS)
)
tests = (
    st.builds(TokenTest, plain, literal_relations, st.sampled_from(VALUES), flags, flags)
    | st.builds(
        TokenTest, plain, st.sampled_from((Relation.LIKE, Relation.UNLIKE)),
        st.sampled_from(PATTERNS), flags, flags,
    )
    | st.builds(
        TokenTest, plain, st.sampled_from((Relation.ONE_OF, Relation.NONE_OF)),
        st.lists(st.sampled_from(VALUES), min_size=2, max_size=3).map("|".join), flags, flags,
    )
    | st.builds(
        TokenTest, st.just(WORD_CLASS), st.sampled_from((Relation.IS, Relation.IS_NOT)),
        st.sampled_from(sorted(CLASS_NAMES)),
    )
    | st.builds(TokenTest, plain, st.sampled_from(sorted(OF_LABELS)), st.sampled_from(LABELS))
)  # fmt: skip
bounds = st.sampled_from(((1, 1), (0, 1), (0, None), (1, None), (2, 2), (2, 5), (0, 3), (3, None)))


@st.composite
def tokens(draw):
    """A card as reading makes it: all lines of one test are alternatives only if one is enough."""
    lines = tuple(
        tuple(line) for line in draw(st.lists(st.lists(tests, min_size=1, max_size=3), max_size=3))
    )
    is_any = draw(flags) and len(lines) > 1
    if len(lines) == 1:  # one line is written as its tests alone
        lines = (lines[0][:1],)
    label, is_node = draw(st.sampled_from(("", "", *LABELS))), draw(flags)
    least, most = draw(bounds)
    if not (lines or label or is_node):
        least, most = 1, 1  # else it is a gap
    return TokenCard(lines, is_any, label, is_node, least, most)


gaps = bounds.filter(lambda pair: pair != (1, 1)).map(lambda pair: Gap(*pair))
borders = st.builds(Border, st.sampled_from(("s", "text")), st.sampled_from(Side))
leaves = tokens() | tokens() | gaps | borders


def several(parts):
    return st.lists(parts, min_size=1, max_size=3).map(tuple)


@st.composite
def groups(draw, inner):
    """One choice needs to be repeated and to be several parts, else it is no group."""
    least, most = draw(bounds)
    choices = draw(st.lists(several(inner), min_size=2, max_size=3))
    choices = [choice for choice in choices if not is_group_alone(choice)] or [(TokenCard(), Gap())]
    if len(choices) == 1 and (len(choices[0]) == 1 or (least, most) == (1, 1)):
        choices = [choices[0], (TokenCard(((TokenTest(value="x"),),)),)]
    return Group(tuple(choices), least, most)


def is_group_alone(choice):
    return len(choice) == 1 and isinstance(choice[0], Group)


parts = several(st.recursive(leaves, groups, max_leaves=5))
restrictions = st.builds(Restriction, st.sampled_from(Bond), parts)
labels = st.sampled_from(("a", "match"))
pairs = st.builds(
    Pair, labels, plain, st.sampled_from((Comparison.SAME, Comparison.OTHER)), labels
) | st.builds(
    Pair, labels, st.just(DISTANCE), st.sampled_from(Comparison), labels, st.integers(0, 99)
)


@st.composite
def drawings(draw):
    within = draw(st.sampled_from(("", *WITHINS)))
    counted = within in ("s", "text", "token")
    return Drawing(
        draw(parts),
        within,
        draw(st.integers(1, 20)) if counted else 1,
        tuple(draw(st.lists(st.sampled_from(sorted(BLOCKS)), max_size=2, unique=True))),
        tuple(draw(st.lists(restrictions, max_size=2))),
        tuple(draw(st.lists(pairs, max_size=2))),
        draw(st.sampled_from(STRATEGIES)),
        draw(st.none() | st.integers(1, 500)),
    )


@settings(deadline=None, max_examples=25)
@given(drawings())
def test_a_drawing_is_read_back_from_its_cql(drawing):
    query = parsed(write(drawing).cql)
    assume(query is not None)  # it names a label that no token has, or none before it

    assert read(query) == drawing


def parsed(cql):
    try:
        return parse(cql, Language.CQL)
    except QueryError as error:
        if "label" in error.message:
            return None
        raise


# Queries of all kinds; what no card shows among them.
QUERIES = (
    '[word="a"] "b"',
    '"a"%c | "b" "a"',
    '[lemma="a" & (pos="NN" | word!="b")] []{0,2} "a"+',
    '[!(word="a") & !(pos="VB")]',
    '[pos="NN" -> lemma="b"] "b"?',
    '("a" "b"){1,2} </s>',
    '<s> ([] | "a" [])',
    '"a" within 2 s',
    '"a" []* "b" within 3',
    '[word="a|A"] within (<s/> containing "b")',
    '"a" !within (<text/> containing "b")',
    '"a" within ("a" "b") !containing "A"',
    '<s/> containing "A" !containing "b"',
    "a:[] [] b:[lemma=a.lemma] :: a.pos = b.pos & distabs(a, b) < 3",
    "a:[] []* [word=a.word] within s cut 2",
    '(?longest) [pos="NN"]+',
    '(?traditional) "a" []* "b"',
    '@"a" [: word="b" :]',
    '[word="a.*" & word != ".*b"]',
    'MU(meet "a" "b" -2 2)',
    'TAB "a" {0,1} "b"',
    '"a" [] show match[1] .. matchend',
    '"b" expand left to 1 s',
    '[_.text_publication="karoo" & word="a"]',
    '[_.text_day >= "1970"] "a"',
    "[word=lemma] 'a'",
)
TEXTS = ("a/a/NN b/b/VB a/a/VB | A/a/NN b/b/NN", "b/a/NN b/b/VB | a/b/NN ab/ab/NN a/a/NN A/b/VB")


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    documents = [document(number, text) for number, text in enumerate(TEXTS, 1)]
    return snapshot_of(tmp_path_factory.mktemp("index"), documents)


def spans_of(snapshot, query):
    parts = run(snapshot, query).parts
    return [(part.spans.starts.tolist(), part.spans.ends.tolist()) for part in parts]


@pytest.mark.parametrize("text", QUERIES)
def test_a_drawn_query_has_the_hits_it_had(snapshot, text):
    query = parse(text, Language.CQL)
    drawing = read(query)
    drawn = parse(write(drawing).cql, Language.CQL)

    assert spans_of(snapshot, drawn) == spans_of(snapshot, query)
    assert read(drawn) == drawing


UNDRAWN = {
    '[: pos="NN" :] "a"': ('[: pos="NN" :]', "a look at the next token"),
    "[word=lemma]": ("[word=lemma]", "a token with a comparison or function"),
    '[(word="a" & (pos="b" | pos="c")) | lemma="x"]': (
        '[(word="a" & (pos="b" | pos="c")) | lemma="x"]',
        "a token with conditions nested more than twice",
    ),
    'MU(meet "a" "b" s)': ('MU(meet "a" "b" s)', "a meet or union of tokens"),
    '"a" show match .. matchend': ("show match .. matchend", "which part of the match is shown"),
    '"a" :: f(match.lemma) > 3': (":: f(match.lemma) > 3", "a condition on labelled tokens"),
}


@pytest.mark.parametrize("text", UNDRAWN)
def test_what_no_card_shows_is_named_and_stays(text):
    cql, words = UNDRAWN[text]
    drawing = read(parse(text, Language.CQL))

    assert [(each.cql, each.words) for each in drawing.undrawn] == [(cql, words)]
    written = [part.cql for part in drawing.parts if isinstance(part, Written)]
    assert [*written, drawing.rest] in ([cql, ""], [cql])
    assert cql in write(drawing).cql


def test_a_card_to_be_filled_is_any_token_and_asks_for_nothing_around():
    blank = TokenCard(((TokenTest(),),))
    drawing = Drawing((blank, Gap(), blank), restrictions=(Restriction(parts=(blank,)),))

    assert write(drawing).cql == "[] []{0,3} []"


def test_a_character_of_the_cql_leads_to_its_card():
    drawing = read(parse('"a" ("b" | "c" "d") within (<s/> containing ("e"))', Language.CQL))
    drawn = write(drawing)

    paths = [drawn.path_at(drawn.cql.index(word)) for word in ("a", "b", "c", "d", "e")]

    assert paths[:4] == ["m.0", "m.1.0.0", "m.1.1.0", "m.1.1.1"]
    assert drawn.path_at(drawn.cql.index('"e"')) == "r.0.0"


def test_simple_queries_are_drawn_too():
    drawing = read(parse("lemma:go ..3.. NOUN"))

    assert write(drawing).cql == '[lemma="go"%c] []{0,3} [pos="NN.*|NOUN|PROPN"] within s'
    assert drawing.parts[-1] == TokenCard(((TokenTest(WORD_CLASS, Relation.IS, "NOUN"),),))


def nested(depth):
    return '"a"' if not depth else f'("b" | "c" {nested(depth - 1)})+'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (nested(9), "groups nested so deep"),
        (" | ".join(f'"w{number}"' for number in range(400)) + " within s", "so long a query"),
        ("[" + " | ".join(f'word="w{n}"' for n in range(400)) + "]", "so long a query"),
    ],
)
def test_what_would_fill_no_page_stays_text(text, words):
    query = parse(text, Language.CQL)
    drawing = read(query)
    drawn = parse(write(drawing).cql, Language.CQL)

    assert {each.words for each in drawing.undrawn} == {words}
    assert drawn == query
    assert read(drawn) == drawing
