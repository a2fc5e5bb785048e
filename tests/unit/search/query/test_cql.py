"""CQL: what it parses to, how it is written back, and what is said about mistakes."""

import pytest

from search.query.ast import (
    Alternatives,
    And,
    Anything,
    Attribute,
    Edge,
    LabelEqual,
    LabelMatch,
    Match,
    Meet,
    Not,
    Or,
    Query,
    Repetition,
    SameAs,
    Sequence,
    TextMatch,
    Token,
    Union,
    Within,
)
from search.query.errors import QueryError
from search.query.parser import Language, parse
from search.query.to_cql import to_cql


def word(pattern, **flags):
    return Match(Attribute.WORD, pattern, **flags)


def lemma(pattern, **flags):
    return Match(Attribute.LEMMA, pattern, **flags)


def tag(pattern, **flags):
    return Match(Attribute.TAG, pattern, **flags)


RAIN = Token(word("rain"))
PARSED = {
    '"rain"': Query(RAIN),
    "'rain'": Query(RAIN),
    '[word="rain"]': Query(RAIN),
    '"rain"%c': Query(Token(word("rain", ignore_case=True))),
    '"rain"%cd': Query(Token(word("rain", ignore_case=True, ignore_accents=True))),
    '"."%l': Query(Token(word(".", literal=True))),
    "[]": Query(Token(Anything())),
    '[lemma="go" & pos="VBD"]': Query(Token(And((lemma("go"), tag("VBD"))))),
    '[tag="NN"]': Query(Token(tag("NN"))),
    '[word!="the" | !(pos="DT")]': Query(Token(Or((word("the", negated=True), Not(tag("DT")))))),
    '[lemma="a" & pos="b" | word="c"]': Query(
        Token(Or((And((lemma("a"), tag("b"))), word("c"))))
    ),
    '"a" "b"': Query(Sequence((Token(word("a")), Token(word("b"))))),
    '"a" | "b" "c"': Query(
        Alternatives((Token(word("a")), Sequence((Token(word("b")), Token(word("c"))))))
    ),
    '("a" "b")+': Query(Repetition(Sequence((Token(word("a")), Token(word("b")))), 1, None)),
    '"a"? []* "b"{2} "c"{2,} "d"{,3} "e"{1,4}': Query(
        Sequence(
            (
                Repetition(Token(word("a")), 0, 1),
                Repetition(Token(Anything()), 0, None),
                Repetition(Token(word("b")), 2, 2),
                Repetition(Token(word("c")), 2, None),
                Repetition(Token(word("d")), 0, 3),
                Repetition(Token(word("e")), 1, 4),
            )
        )
    ),
    '<s> "rain" </text>': Query(
        Sequence((Edge("s", is_start=True), RAIN, Edge("text", is_start=False)))
    ),
    '<text_kind="comment"> "rain"': Query(
        Sequence((Edge("text", is_start=True, test=TextMatch("kind", "comment")), RAIN))
    ),
    '"rain" within s': Query(RAIN, Within("s")),
    '"rain" within 3 s': Query(RAIN, Within("s", 3)),
    '"rain" within 20': Query(RAIN, Within("token", 20)),
    '"rain" within 20 words': Query(RAIN, Within("token", 20)),
    '"rain" within text': Query(RAIN, Within("text")),
    '[word="rain" & _.text_section="News"]': Query(
        Token(And((word("rain"), TextMatch("section", "News"))))
    ),
    '"rain" :: match.text_date = "2026-.*" within s': Query(
        RAIN, Within("s"), LabelMatch("match", TextMatch("day", "2026-.*"))
    ),
    'a:[] b:"x" :: a.lemma != b.lemma': Query(
        Sequence((Token(Anything(), "a"), Token(word("x"), "b"))),
        None,
        LabelEqual("a", Attribute.LEMMA, "b", Attribute.LEMMA, negated=True),
    ),
    "a:[] [lemma = a.lemma]": Query(
        Sequence((Token(Anything(), "a"), Token(SameAs(Attribute.LEMMA, "a", Attribute.LEMMA))))
    ),
    '[_.text_section!="news"%c]': Query(
        Token(TextMatch("section", "news", ignore_case=True, negated=True))
    ),
    '@"rain"': Query(Token(word("rain"), "target")),
    'MU(meet "a" "b" -3 3)': Query(Meet(Token(word("a")), Token(word("b")), -3, 3)),
    'MU(meet (union "a" "b") "c" s)': Query(
        Meet(Union(Token(word("a")), Token(word("b"))), Token(word("c")), 0, 0, "s")
    ),
    'MU(not meet "a" "b" 1 2)': Query(
        Meet(Token(word("a")), Token(word("b")), 1, 2, negated=True)
    ),
    r'"say \"x\" ""y"""': Query(Token(word('say "x" "y"'))),
}  # fmt: skip


@pytest.mark.parametrize("text", PARSED)
def test_cql_parses_to_the_tree(text):
    assert parse(text, Language.CQL) == PARSED[text]


@pytest.mark.parametrize("text", PARSED)
def test_tree_is_written_as_cql_that_means_the_same(text):
    assert parse(to_cql(PARSED[text]), Language.CQL) == PARSED[text]


MISTAKES = {
    '[lemma="go"] [pos="V.*] within s': (18, "The quote opened here is never closed.", ('"',)),
    '[lemma="go"': (11, "The query ends too early.", ("&", "]", "|")),
    '"a"{5,2}': (3, "{5,2} has its numbers in the wrong order.", ()),
    '"a"{9999}': (3, "More than 500 repetitions are not possible.", ()),
    '[wrod="x"]': (1, "There is no token attribute “wrod”.", ("word", "lemma", "pos", "tag")),
    '"a" within': (10, "Within what?", ("s", "text", "20")),
    '"a" within page': (
        11, "A match cannot be kept within “page”.", ("s", "text", "a number of tokens"),
    ),
    '[word="a" & ]': (12, "“]” cannot stand here.", ("!", "(", "a name")),
    '"a"%x': (3, "There is no flag %x.", ("%c", "%d", "%l")),
    '"a" within s within s': (13, "There is more than one “within”.", ()),
    "   ": (0, "The query is empty.", ("a word",)),
    'MU(meet "a" "b" 3 -3)': (16, "The window ends before it starts.", ()),
    'MU(meet "a" "b" p)': (16, "There is no structure “p”.", ("s", "text")),
    '"a" :: word = "b"': (
        7, "Say of which token, as in a.lemma or match.text_kind.", (),
    ),
    '[_.text_section="é"%d]': (16, "Of the flags only %c works on text attributes.", ("%c",)),
    '(<s>)* "a"': (0, "An edge such as <s> cannot be repeated.", ()),
}  # fmt: skip


@pytest.mark.parametrize("text", MISTAKES)
def test_mistake_is_explained_at_its_position(text):
    with pytest.raises(QueryError) as caught:
        parse(text, Language.CQL)

    error = caught.value
    assert (error.position, error.message, error.expected) == MISTAKES[text]


def test_unknown_text_attribute_lists_those_there_are():
    with pytest.raises(QueryError) as caught:
        parse('<text_title="x"> "a"', Language.CQL)

    assert caught.value.position == 1
    assert "text_publication" in caught.value.expected


def test_query_of_a_megabyte_is_refused():
    with pytest.raises(QueryError, match="longer than 20000 characters"):
        parse('"a" ' * 250_000, Language.CQL)


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ('[lemma="go"] [pos="V.*] within s', '[lemma="go"] [pos="V.*"] within s'),
        ('[lemma="go"', '[lemma="go"]'),
        ('("a" | "b"', '("a" | "b")'),
        ("heavy rain", '"heavy" "rain"'),
        ('"a" )', '"a" '),
        ("[[[[", ""),
    ],
)
def test_nearest_readable_query_is_suggested(text, suggestion):
    with pytest.raises(QueryError) as caught:
        parse(text, Language.CQL)

    assert caught.value.suggestion == suggestion
