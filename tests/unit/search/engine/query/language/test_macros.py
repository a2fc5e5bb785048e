"""Macros in CQL: the same as what they stand for; mistakes at the place of the call."""

import pytest

from search.engine.query.errors import QueryError
from search.engine.query.language.macros import write_out
from search.engine.query.language.parser import Language, check_macro, parse, parse_with_macros
from search.engine.query.language.to_cql import to_cql

MACROS = (
    ("adj", '[pos="JJ.*" & lemma="$0"]'),
    ("loop", '/loop[] "a"'),
    ("np", '[pos="DT"]? /adj["$0"]* [pos="NN.*" & lemma="$1"]'),
    ("verb", '[pos="VB.*"]'),
)


@pytest.mark.parametrize(
    ("with_macros", "written_out"),
    [
        ("/verb[]", '[pos="VB.*"]'),
        ("( /verb [ ] | 'x')+", "([pos='VB.*'] | 'x')+"),
        ('/np["old", "man"]', '[pos="DT"]? [pos="JJ.*" & lemma="old"]* [pos="NN.*" & lemma="man"]'),
        ('/adj["a,b[c]"] "x"', '[pos="JJ.*" & lemma="a,b[c]"] "x"'),
        ("/adj[old|new] within s", '[pos="JJ.*" & lemma="old|new"] within s'),
        ('"/verb[]" /region[s] </s>', '"/verb[]" /region[s] </s>'),
    ],
)
def test_a_macro_is_its_text_written_out(with_macros, written_out):
    found = to_cql(parse_with_macros(with_macros, MACROS))

    assert found == to_cql(parse(written_out, Language.CQL))


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ('"a" /vp[]', 4, "There is no macro “/vp”."),
        ('"a" /adj[]', 4, "“/adj” takes 1 argument, not 0."),
        ('"a" /np["b"]', 4, "“/np” takes 2 arguments, not 1."),
        ("/verb[x]", 0, "“/verb” takes no argument, not 1."),
        ("/verb[", 0, "The bracket of this macro is never closed."),
        ('"b" /loop[]', 4, "More than 10 macros inside one another; does “/loop” use itself?"),
        ('/verb[] "x" ]', 12, "“]” cannot stand here."),
    ],
)
def test_mistakes_are_explained_at_the_place_of_the_call(text, position, message):
    with pytest.raises(QueryError) as caught:
        parse_with_macros(text, MACROS)

    assert (caught.value.position, caught.value.message) == (position, message)


def test_macros_cannot_grow_without_end():
    doubling = tuple((f"m{i}", f"/m{i + 1}[] /m{i + 1}[]") for i in range(9))

    with pytest.raises(QueryError, match="longer than 500 characters"):
        write_out("/m0[]", (*doubling, ("m9", '"abcdefgh"')), 500)


@pytest.mark.parametrize(
    "text",
    ['[pos="JJ"]* [pos="NN"]', '[word="$0"] []{0,$1} $2', 'pos="NN.*" & word!="$0"', "within $0",
     ':: a.word = "$0"', "{2,3}", "<$0> []", '"JJ|NN"', '(meet "a" $0 s)'],
)  # fmt: skip
def test_piece_that_some_query_can_hold_is_kept(text):
    check_macro(text, ())


@pytest.mark.parametrize("text", ['[pos="NN', '[pos=="NN"]', '("a"', '[color="$0"]', "within page"])
def test_piece_that_no_query_can_hold_is_refused(text):
    with pytest.raises(QueryError):
        check_macro(text, ())
