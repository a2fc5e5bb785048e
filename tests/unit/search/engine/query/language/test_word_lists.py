"""Word lists in CQL: the same as their words written out; mistakes at their place."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.engine.query.errors import QueryError
from search.engine.query.language.parser import Language, parse
from search.engine.query.language.to_cql import to_cql

LISTS = (
    ("days", ("Monday", "Sunday")),
    ("odd", ("a.b", "5$", 'say "so"', "back\\slash")),
    ("ends", (".*day", "a|b", r"x\"", 'y"')),
    ("broken", ("a", "b)(c")),
    ("hedges", ("maybe", "I think", "perhaps", "it ’s 5$")),
)


def written(text, lists=LISTS):
    return to_cql(parse(text, Language.CQL, lists=lists))


@pytest.mark.parametrize(
    ("with_list", "written_out"),
    [
        ("$days", '"Monday|Sunday"'),
        ("$days %c", '"Monday|Sunday"%c'),
        ("[lemma = $days]", '[lemma = "Monday|Sunday"]'),
        ("[lemma != $days %cd & pos = 'N.*']", "[lemma != 'Monday|Sunday' %cd & pos = 'N.*']"),
        (
            'a:$days []{0,3} "x" :: a.lemma = $days',
            'a:"Monday|Sunday" []{0,3} "x" :: a.lemma = "Monday|Sunday"',
        ),
        ('MU(meet $days "x" -2 2)', 'MU(meet "Monday|Sunday" "x" -2 2)'),
        ("$odd", r"""('a\.b|5\$|back\\slash' | 'say' '["“”]so["“”]')"""),
        ('"$days"', '"$days"'),
        ("$hedges", """("maybe|perhaps" | "I" "think" | "it" "['’‘]s" "5\\$")"""),
        (
            "[lower = $hedges %c]? $days",
            """([lower="maybe|perhaps" %c] | [lower="I" %c] [lower="think" %c]
            | [lower="it" %c] [lower="['’‘]s" %c] [lower="5\\$" %c])? "Monday|Sunday\"""",
        ),
        ("RE($days)", '"(?:Monday)|(?:Sunday)"'),
        ("[lemma != RE( $ends ) %c]", """[lemma != '(?:.*day)|(?:a|b)|(?:x")|(?:y")' %c]"""),
    ],
)
def test_a_list_is_its_words_written_out(with_list, written_out):
    assert written(with_list) == written(written_out)


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1), min_size=1)
)
def test_words_of_a_list_are_literal(words):
    found = parse("$list", Language.CQL, lists=(("list", tuple(words)),))

    pattern = found.pattern.condition.pattern
    assert all(re.fullmatch(pattern, word) for word in words)


@pytest.mark.parametrize(
    ("text", "position", "message", "expected"),
    [
        (
            "[lemma = $weeks]",
            9,
            "There is no word list “weeks”.",
            ("$broken", "$days", "$ends", "$hedges", "$odd"),
        ),
        ('"a" $days %l', 10, "The words of a list are literal anyway.", ("%c", "%d")),
        ('"a" RE($days) %l', 14, "RE(…) is not literal.", ("%c", "%d")),
        (
            '"a" [word = RE($broken)]',
            12,
            (
                "“b)(c” in the list “broken”: This is not a regular expression: a round bracket "
                "is closed and was never opened (“b)(c”)."
            ),
            (),
        ),
        (
            'a:"x" [lower = $hedges & pos = "NN"]',
            15,
            "The list “hedges” has phrases, such as “I think”, which are no single token.",
            ("$hedges", "[lower = $hedges]"),
        ),
        (
            '"x" :: match.lower = $hedges',
            21,
            "The list “hedges” has phrases, such as “I think”, which are no single token.",
            ("$hedges", "[lower = $hedges]"),
        ),
        ("a:$hedges", 2, "“$hedges” has phrases, such as “I think”, and takes no label.", ()),
        (
            '"a" /np[]',
            4,
            "There is no macro “/np”.",
            ("one that is kept beside the word lists",),
        ),
    ],
)
def test_mistakes_are_explained_at_their_place(text, position, message, expected):
    with pytest.raises(QueryError) as caught:
        parse(text, Language.CQL, lists=LISTS)

    error = caught.value
    assert (error.position, error.message, error.expected) == (position, message, expected)


def test_a_changed_list_is_another_query():
    before = parse("$days", Language.CQL, lists=LISTS)

    assert parse("$days", Language.CQL, lists=(("days", ("Friday",)),)) != before
