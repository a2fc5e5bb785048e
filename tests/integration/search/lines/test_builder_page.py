"""The query builder: its form says the drawing, buttons change it, mistakes are in words."""

from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from factories import index_all, make_article
from pages import fields, has, parsed, texts, values, words

from search.engine.drawing.fields import read_fields
from search.engine.drawing.reading import read
from search.engine.drawing.writing import write
from search.engine.query.language.parser import Language, parse

pytestmark = pytest.mark.django_db

PATH = "/search/builder/"
DRAWN = (
    '"braai"%c',
    '[lemma="go" & pos="VB.*|MD|VERB|AUX"] []{0,3} a:"home"',
    '[word=".*ness" | pos!="NN" & word!="x|y"%cd]{2,} @[]? <s>',
    '("rain" | "hail" ("or" | "and")+ "snow"){0,2} </text>',
    '"the" within 2 s !within quote within (<s/> containing ("fire")) !containing "x" cut 5',
    "(?longest) a:[] b:[lemma=a.lemma] :: a.pos != b.pos & distabs(a, b) <= 4",
    '<s/> containing [_.text_kind="article"]',
    '[: pos="NN" :] [word=lemma] "x" show match[1] .. matchend expand to 1 s',
    'MU(meet "braai" "fire" s) within text',
)


@pytest.fixture
def corpus():
    make_article("Nobody came. The braai was cold and the dog has the wors.")
    make_article("They braai snoek. A braai is a fire.")
    index_all()


def see(reader, pairs=(), **own):
    return reader.get(f"{PATH}?{urlencode([*pairs, *own.items()])}")


def form_of(page):
    """What the form of the page sends, in order, without what its buttons say."""
    return [(name, value or "") for name, value in fields(page) if name.startswith("p.")]


def cql_of(page):
    return texts(page, ".made")


def test_the_form_says_what_was_drawn(reader, corpus):
    for query in DRAWN:
        page = see(reader, q=query, ql="cql")

        drawing, mistakes = read_fields(form_of(page))

        assert (drawing, mistakes) == (read(parse(query, Language.CQL)), ()), query
        assert cql_of(page) == cql_of(see(reader, form_of(page))), query


def press(reader, page, **pressed):
    """Press a button of the form as a browser without scripts does."""
    return see(reader, form_of(page), **pressed)


def filled(page, **changed):
    """The fields of the form with the last of some names changed."""
    sent = form_of(page)
    for name, value in changed.items():
        at = max(i for i, (key, _) in enumerate(sent) if key == f"p.{name}")
        sent[at] = (f"p.{name}", value)
    return sent


def test_a_query_is_built_without_scripts(reader, corpus):
    page = see(reader)
    assert "Say in a card what to look for" in words(page)

    page = see(reader, filled(page, value="braai"), do="add:gap:m")
    page = press(reader, page, do="add:token:m")
    page = see(reader, filled(page, what="class"))
    assert has(page, 'select[name="p.value"]')
    page = see(reader, filled(page, value="ADJ"), do="line::m.2")
    page = see(reader, filled(page, how="not", value="hot"))
    assert cql_of(page) == ['"braai"%c []{0,3} [pos="JJ.*|ADJ" & word!="hot"%c]']
    assert texts(page, "#answer strong") == ["1"]

    answer = see(reader, [*form_of(page), ("in", "both")], do="search")
    assert answer.status_code == 302
    assert dict(parse_qsl(urlsplit(answer.url).query)) == {
        "q": cql_of(page)[0], "ql": "cql", "in": "both",
    }  # fmt: skip


def test_cards_are_moved_removed_and_gone_on_with(reader, corpus):
    page = see(reader, q='"a" ("b" | "c") "d"', ql="cql")

    moved = press(reader, page, do="move:-1:m.2")
    assert cql_of(moved) == ['"a" "d" ("b" | "c")']
    assert values(moved, "[autofocus]", "value") == ["d"]
    wider = press(reader, moved, do="choice::m.2")
    wider = see(reader, filled(wider, how="starts"))
    assert cql_of(wider) == ['"a" "d" ("b" | "c" | [])']
    inner = press(reader, wider, do="remove::m.2.2.0")
    inner = press(reader, inner, do="drop-choice:0:m.2")
    assert cql_of(inner) == ['"a" "d" ("c")']
    assert cql_of(press(reader, inner, do="remove::m.0")) == ['"d" ("c")']


SENSELESS = "add:x:m remove::m.9.1 move:x:m.0 drop:7.7:m.0 free::5 :: line::q choice::m.0"


def test_a_button_that_makes_no_sense_changes_nothing(reader, corpus):
    page = see(reader, q='"braai" "was"', ql="cql")

    found = {pressed: cql_of(press(reader, page, do=pressed)) for pressed in SENSELESS.split()}

    assert found == dict.fromkeys(SENSELESS.split(), cql_of(page))


NONSENSE = (
    "p.part=token&p.test=line&p.value=a%00b",
    "p.part=token&p.test=line&p.value=%ed%a0%80&use=pos:&at=m.7",
    "p.part=end&p.part=end&p.part=choice&p.part=token&p.test=or&p.how=x&use=word:a&at=r.9.0",
    "p.part=" + "&p.part=".join(["group", "choice"] * 40) + "&use=class:x&do=add:token:m.0.0.0",
    "p.part=around&p.bond=x&p.part=around&p.part=tail&p.within=x&p.count=-1&p.cut=1e9&p.outside=x",
    "p.value=lost&p.part=&p.part=written&p.value=)(&p.part=pair&p.what=class&p.apart=99999999999",
)


def test_whatever_is_sent_is_drawn(reader, corpus):
    for query in NONSENSE:
        page = reader.get(f"{PATH}?{query}")

        assert page.status_code in {200, 400}, query
        if page.status_code == 200:
            drawing, _ = read_fields(form_of(page))
            written = [write(drawing).cql] if cql_of(page) else []
            assert cql_of(see(reader, form_of(page))) == written, query


MISTAKES = {
    ("how", "like", "value", "(a"): "a round bracket is opened and never closed",
    ("how", "like", "value", "a\\"): "“a\\” ends with a backslash, which belongs before a sign.",
    ("from", "3", "to", "2"): "“from 3 to 2” has its numbers in the wrong order.",
    ("from", "x", "to", "2"): "“x” is not a whole number.",
    ("from", "1", "to", "501"): "More than 500 is not possible.",
    ("what", "class", "value", "thing"): "There is no word class “thing”. There are: noun, name",
    ("label", "match", "value", "a"): "“match” has a meaning of its own",
    ("label", "1", "value", "a"): "“1” cannot be a label",
    ("how", "same", "value", "z"): "“z”",
    ("how", "same", "value", ""): "Say of which token",
    ("rest", "within within", "value", "a"): "Within what?",
}


def test_a_mistake_is_said_in_words_at_its_card(reader, corpus):
    page = see(reader, q='"braai"', ql="cql")

    for (first, one, second, other), words_of in MISTAKES.items():
        answer = see(reader, filled(page, **{first: one, second: other}))

        assert answer.status_code == 200
        assert words_of in " ".join(texts(answer, "#answer .error")), (first, one)
        assert not has(answer, "#answer strong")


def test_what_cannot_be_taken_stays_as_it_was_typed(reader, corpus):
    typed = {"from": "x", "to": "600", "label": "match", "value": "braai"}
    page = see(reader, filled(see(reader), **typed))

    sent = dict(form_of(page))
    assert {name: sent[f"p.{name}"] for name in typed} == typed
    assert len(texts(page, "#p-m-0 > .error")) == 3


def test_two_words_in_a_card_find_nothing_and_are_told_apart(reader, corpus):
    page = see(reader, filled(see(reader), value="braai snoek"))

    assert "make a card of each word of “braai snoek”" in words(page)


def test_a_query_that_cannot_be_read_is_shown_with_its_mistake(reader, corpus):
    page = see(reader, q='[lemma="braai', ql="cql")

    assert "never closed" in words(page)
    assert values(page, "#q", "value") == ['[lemma="braai']


def test_what_stays_text_is_said(reader, corpus):
    page = see(reader, q='MU(meet "braai" "was" s)', ql="cql")

    assert "No card shows a meet or union of tokens" in words(page)
    assert values(page, ".card .cql", "value") == ['MU(meet "braai" "was" s)']
    assert texts(page, "#answer strong") == ["1"]


def test_lists_count_what_a_click_finds(reader, corpus):
    page = see(reader)
    rows = {row.split()[0]: row for row in texts(page, "#d-tags-1 tbody tr")}
    used = press(reader, page, use="pos:NN")
    of_class = press(reader, used, use="class:VERB")

    assert cql_of(used) == ['[pos="NN"]']
    n_hits = texts(used, "#answer strong")[0]
    assert f" {n_hits} " in rows["NN"]
    assert cql_of(of_class) == ['[pos="NN"] [pos="VB.*|MD|VERB|AUX"]']
    pattern = press(reader, page, use=r"pattern:.*ness")
    assert cql_of(pattern) == ['".*ness"%c']
    into = press(reader, used, use="word:braai", at="m.0")
    assert cql_of(into) == ['[pos="NN" & word="braai"%c]']


def test_the_search_form_leads_here_with_its_query(reader, corpus):
    search = reader.get("/search/?q=lemma:braai")

    assert values(search, "[formaction]", "formaction") == [PATH]
    asked = {"in": "both", "near": "fire", "reach": "9,9", "asof": "1", "sort": "l1"}
    page = see(reader, q="lemma:braai", **asked)
    assert cql_of(page) == ['[lemma="braai"%c]']
    assert texts(page, "#answer strong") == ["1"]  # one stands in a sentence with a fire
    drawing = parsed(page).get_element_by_id("drawing")
    sent = [(name, value) for name, value in drawing.form_values() if value]
    assert asked.items() <= dict(sent).items()
    answer = see(reader, sent, do="search")
    assert asked.items() <= dict(parse_qsl(urlsplit(answer.url).query)).items()
