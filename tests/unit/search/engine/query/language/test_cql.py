"""CQL: what it parses to, how it is written back, and what is said about mistakes."""

import pytest

from search.engine.query.ast import (
    Alternatives,
    Anchor,
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
    Expansion,
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
from search.engine.query.attributes import ATTRIBUTES, TEXT_COLUMNS
from search.engine.query.errors import QueryError
from search.engine.query.language.cql import REGIONS
from search.engine.query.language.cql_conditions import FUNCTIONS
from search.engine.query.language.parser import Language, parse
from search.engine.query.language.to_cql import to_cql


def word(pattern, **flags):
    return AttributeMatch(Attribute.WORD, pattern, **flags)


def lemma(pattern, **flags):
    return AttributeMatch(Attribute.LEMMA, pattern, **flags)


def tag(pattern, **flags):
    return AttributeMatch(Attribute.TAG, pattern, **flags)


RAIN = Token(word("rain"))
EQUAL, UNEQUAL = Operator.EQUAL, Operator.UNEQUAL
LEMMA = AttributeOf("", Attribute.LEMMA)
AUTHOR_X = Edge("text", is_start=True, test=TextMatch("author", "x"), name="text_author")
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
        Sequence(
            (Edge("text", is_start=True, test=TextMatch("kind", "comment"), name="text_kind"), RAIN)
        )
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
        RAIN, Within("s"), Compare(ColumnOf("match", "day"), EQUAL, String("2026-.*"))
    ),
    'a:[] b:"x" :: a.lemma != b.lemma': Query(
        Sequence((Token(Anything(), "a"), Token(word("x"), "b"))),
        None,
        Compare(AttributeOf("a", Attribute.LEMMA), UNEQUAL, AttributeOf("b", Attribute.LEMMA)),
    ),
    "a:[] [lemma = a.lemma]": Query(
        Sequence(
            (
                Token(Anything(), "a"),
                Token(
                    Compare(LEMMA, EQUAL, AttributeOf("a", Attribute.LEMMA))
                ),
            )
        )
    ),
    '[_.text_section!="news"%c]': Query(
        Token(TextMatch("section", "news", ignore_case=True, negated=True))
    ),
    '@"rain"': Query(Token(word("rain"), target=0)),
    '@0:"rain"': Query(Token(word("rain"), target=0)),
    '@1a:"rain" @:b:[]': Query(
        Sequence((Token(word("rain"), "a", 1), Token(Anything(), "b", 0)))
    ),
    'MU(meet "a" "b" -3 3)': Query(Meet(Token(word("a")), Token(word("b")), -3, 3)),
    'MU(meet (union "a" "b") "c" s)': Query(
        Meet(Union(Token(word("a")), Token(word("b"))), Token(word("c")), 0, 0, "s")
    ),
    'MU(meet "a" not "b" 1 2)': Query(
        Meet(Token(word("a")), Token(word("b")), 1, 2, negated=True)
    ),
    'MU(meet "a" "b")': Query(Meet(Token(word("a")), Token(word("b")), 1, 1)),
    'MU "a"': Query(Token(word("a"))),
    r'"say \"x\" ""y"""': Query(Token(word(r'say \"x\" "y"'))),
    "'it''s' \"''\"": Query(Sequence((Token(word("it's")), Token(word("''"))))),
    '"$"': Query(Token(word("$", literal=True))),
    '"^a"%c': Query(Token(word("^a", ignore_case=True))),
    '"a" # a remark': Query(Token(word("a"))),
    '"a";': Query(Token(word("a"))),
    '(?longest) "a"+': Query(
        Repetition(Token(word("a")), 1, None), strategy=Strategy.LONGEST
    ),
    '[: pos="NN" :] []': Query(
        Sequence((Token(tag("NN"), is_ahead=True), Token(Anything())))
    ),
    '"a" [::]': Query(Sequence((Token(word("a")), Token(Anything(), is_ahead=True)))),
    '"a" <<s>>': Query(Sequence((Token(word("a")), Region("s")))),
    '"a" <<@0 x: s y:>>': Query(
        Sequence((Token(word("a")), Region("s", start_label="x", start_target=0, end_label="y")))
    ),
    '<<text/>> "a"': Query(Sequence((Region("text", is_empty=True), Token(word("a"))))),
    '"a" /region[s]': Query(Sequence((Token(word("a")), Region("s")))),
    'TAB "a" {2} "b" "c" * "d"': Query(
        TokenTable(tuple(Token(word(w)) for w in "abcd"), ((2, 2), (0, 0), (0, None)))
    ),
    "<text_author 'x'> []": Query(
        Sequence((AUTHOR_X, Token(Anything())))
    ),
    '[pos="NN" -> lemma!="a"]': Query(
        Token(Or((Not(tag("NN")), lemma("a", negated=True))))
    ),
    '[word contains "a." & lemma not matches "b"]': Query(
        Token(
            And(
                (
                    word(r".*\|(a[^|])\|.*"),
                    lemma(r"\|((b)\|)+", negated=True),
                )
            )
        )
    ),
    "[word=lemma]": Query(
        Token(Compare(AttributeOf("", Attribute.WORD), EQUAL, AttributeOf("", Attribute.LEMMA)))
    ),
    "[f(lemma) >= 10 & lbound(s)]": Query(
        Token(
            And(
                (
                    Compare(
                        Call("f", (AttributeOf("", Attribute.LEMMA),)),
                        Operator.AT_LEAST,
                        Number(10),
                    ),
                    Exists(Call("lbound", (StructureOf("s"),))),
                )
            )
        )
    ),
    'a:"x"? "y" :: !(a) | distance(match, a) < 3': Query(
        Sequence((Repetition(Token(word("x"), "a"), 0, 1), Token(word("y")))),
        None,
        Or(
            (
                Not(Exists(PositionOf("a"))),
                Compare(
                    Call("distance", (PositionOf("match"), PositionOf("a"))),
                    Operator.LESS,
                    Number(3),
                ),
            )
        ),
    ),
    '[_.text_date >= "2026-02-01"]': Query(
        Token(Compare(ColumnOf("", "day"), Operator.AT_LEAST, String("2026-02-01")))
    ),
    '"a" within ("b" | "c") !containing "d"': Query(
        Token(word("a")),
        relatives=(
            Relative(Nesting.WITHIN, Alternatives((Token(word("b")), Token(word("c"))))),
            Relative(Nesting.CONTAINING, Token(word("d")), negated=True),
        ),
    ),
    '"a" within <s/>': Query(
        Token(word("a")), relatives=(Relative(Nesting.WITHIN, Region("s")),)
    ),
    '"a" within (<s/> containing "b")': Query(
        Token(word("a")),
        relatives=(
            Relative(
                Nesting.WITHIN,
                Region("s"),
                relatives=(Relative(Nesting.CONTAINING, Token(word("b"))),),
            ),
        ),
    ),
    'a:"x" [] show a[1] .. matchend cut 5': Query(
        Sequence((Token(word("x"), "a"), Token(Anything()))),
        shown=(Anchor("a", 1), Anchor("matchend")),
        cut=5,
    ),
    '"a" expand left to 2 s': Query(
        Token(word("a")), expansion=Expansion("s", 2, to_right=False)
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", PARSED)
def test_cql_parses_to_the_tree(text):
    assert parse(text, Language.CQL) == PARSED[text]


@pytest.mark.parametrize("text", PARSED)
def test_tree_is_written_as_cql_that_means_the_same(text):
    assert parse(to_cql(PARSED[text]), Language.CQL) == PARSED[text]


MISTAKES = {
    '[lemma="go"] [pos="V.*] within s': (18, "The quote opened here is never closed.", ('"',)),
    '[lemma="go"': (11, "The query ends too early.", ("%c or %d", "&", "->", "]", "|")),
    '"a"{5,2}': (3, "{5,2} has its numbers in the wrong order.", ()),
    '"a"{9999}': (3, "More than 500 repetitions are not possible.", ()),
    '[wrod="x"]': (1, "There is no token attribute “wrod”.", tuple(ATTRIBUTES)),
    '[text_wrong="x"]': (1, "There is no text attribute “text_wrong”.", tuple(TEXT_COLUMNS)),
    '"a" within': (10, "Within what?", REGIONS),
    '"a" within page': (
        11, "A match cannot be kept within “page”.", REGIONS,
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
    '[word < "a"]': (
        6, "< compares numbers and text_date, text_month, text_year.", ("=", "!="),
    ),
    "[word = 3]": (6, "A number and a string cannot be compared.", ()),
    "[f(lemma, word) > 3]": (
        1, "“f” takes 1 values, not 2.", ("an attribute such as lemma",),
    ),
    "[distance(word, 3) > 3]": (10, "“distance” needs a number here.", ()),
    '[x(word) = "a"]': (1, "There is no function “x”.", tuple(FUNCTIONS)),
    '[lemma = a.lemma] a:"x"': (9, "No token before this one has the label “a”.", ("match",)),
    '"a" :: b.word = "x"': (7, "No token has the label “b”.", ("match", "matchend")),
    'match:"a"': (0, "“match” has a meaning of its own.", ()),
    '(?fast) "a"': (
        0, "There is no matching strategy “fast”.",
        ("(?standard)", "(?shortest)", "(?longest)", "(?traditional)"),
    ),
    '"a"{-1}': (4, "A number from 0 on is needed here.", ("a number",)),
    '"a" cut 0': (8, "A number from 1 on is needed here.", ("a number",)),
    '"a" cut 2 cut 3': (10, "There is more than one “cut”.", ()),
    'TAB "a" [] "b"': (8, "[] cannot stand in TAB; write {1} instead.", ()),
    "<<page>>": (2, "There is no structure “page”.", ("s", "text")),
    '"a" expand to': (4, "Expand to what?", ("s", "text", "5")),
    "[" + 'pos="a"->' * 60 + 'pos="a"]': (1, "More than 50 conditions joined by ->.", ()),
    '"a" within 9999999999999': (11, "Numbers end at 2147483647.", ()),
    "[strlen(word) > " + "9" * 5000 + "]": (16, "Numbers end at 2147483647.", ()),
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
        ("“heavy” [lemma=‘rain’]", "\"heavy\" [lemma='rain']"),
        ("$days", ""),
        ('"a" )', '"a" '),
        ('[lema="go"]', '[lemma="go"]'),
        ('"a" [lemma="go" & wrod!="x"]', '"a" [lemma="go" & word!="x"]'),
        ('[text_autor="x"]', '[text_author="x"]'),
        ('[quality="x"]', ""),
        ('"a" :: text_author="x"', '"a" :: match.text_author="x"'),
        ('"a" :: word = "b"', '"a" :: match.word = "b"'),
        ("[[[[", ""),
    ],
)
def test_nearest_readable_query_is_suggested(text, suggestion):
    with pytest.raises(QueryError) as caught:
        parse(text, Language.CQL)

    assert caught.value.suggestion == suggestion


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ('(meet "a" "b" -3 3)', 'MU(meet "a" "b" -3 3)'),
        ('(meet [lc="a"] "b") within s', 'MU(meet [word="a"%c] "b") within s'),
        ("1:[] 2:[] & 1.lemma=2.lemma", "a:[] b:[] :: a.lemma=b.lemma"),
        (
            '1:[pos="N.*"] 2:[] & 1.word != 2.word within s',
            'a:[pos="N.*"] b:[] :: a.word != b.word within s',
        ),
        ('[lc="water"]', '[word="water"%c]'),
        ("[lemma_lc='say' & pos=\"VBD\"]", "[lemma='say'%c & pos=\"VBD\"]"),
        ("[word=water]", '[word="water"]'),
        ("[word=water %c & lemma!=be]", '[word="water" %c & lemma!="be"]'),
        ("[pos=/V.*/]", '[pos="V.*"]'),
        ('[lempos="say-v"]', '[(lemma="say" & pos="VB.*|MD|VERB|AUX")]'),
        ('[upos="noun"]', '[pos="NN.*|NOUN|PROPN"]'),
        ('[hw="go"] [form="home"]', '[lemma="go"] [word="home"]'),
        ('[lemma = a.lemma] a:"x"', ""),
        ("[word = 3]", ""),
        ("/wat.+/", '"wat.+"'),
    ],
)
def test_signs_of_other_tools_are_set_right(text, suggestion):
    with pytest.raises(QueryError) as caught:
        parse(text, Language.CQL)

    assert caught.value.suggestion == suggestion
    assert not suggestion or parse(suggestion, Language.CQL)


def test_blocks_are_units_of_within():
    assert parse('"a" within quote', Language.CQL).within == Within("quote")
    assert parse('"a" !within quote !within caption', Language.CQL).outside == (
        "quote",
        "caption",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"a" within 2 quote', "“quote” can stand behind “within” alone, without a number."),
        ('"a" expand to quote', "“quote” can stand behind “within” alone, without a number."),
        ('"a" within paragraph', "A match cannot be kept within “paragraph”."),
        ('"a" !within nothing', "There is no kind of block “nothing”."),
    ],
)
def test_blocks_that_cannot_be_units_are_named(text, message):
    with pytest.raises(QueryError) as raised:
        parse(text, Language.CQL)

    assert raised.value.message == message


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("<quote/>", "[] within quote"),
        ('<quote/> containing "x"', '"x" within quote'),
        ('"x" within <quote/>', '"x" within quote'),
        ('"x" !within <heading/>', '"x" !within heading'),
        ('<caption> "x"', '"x" within caption'),
        ('"a" /np', '"a" /np[]'),
    ],
)
def test_block_or_macro_written_another_way_is_set_right(text, suggestion):
    with pytest.raises(QueryError) as caught:
        parse(text, Language.CQL)

    assert caught.value.suggestion == suggestion


def test_missing_brackets_of_a_macro_are_named():
    with pytest.raises(QueryError, match="Brackets are missing behind the macro “/np”") as caught:
        parse("/np", Language.CQL)

    assert caught.value.expected == ("/np[]", '/np["word"]')
