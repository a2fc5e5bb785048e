"""Sketch grammars: what is read, and the place of each mistake."""

import pytest

from search.engine.sketches.grammar import GrammarError, read_grammar
from search.engine.sketches.shipped import shipped_languages, shipped_text

HEAD = 'language en English\nclass NOUN = [pos="NN.*"]\nclass VERB = [pos="VB.*"]\n'
RELATION = "relation object / object of\n"


def mistakes(text: str) -> list[tuple[int, int, str]]:
    with pytest.raises(GrammarError) as refused:
        read_grammar(text)
    return [(each.line, each.column, each.message) for each in refused.value.mistakes]


@pytest.mark.parametrize("language", shipped_languages())
def test_what_ships_is_read_and_has_lists_for_each_class(language):
    grammar = read_grammar(shipped_text(language))

    assert grammar.language == language
    assert all(grammar.lists_of(word_class) for word_class in grammar.classes)


@pytest.mark.parametrize(
    ("pattern", "column", "message"),
    [
        ("head:VERB dep:NOUNS", 19, "There is no class or definition NOUNS above this line."),
        ('head:VERB [pos="DT dep:NOUN', 20, "The quote that opens here is not closed."),
        ('head:VERB [pos="DT dep:[pos="NN"]', 36, "The quote that opens here is not closed."),
        ("head:VERB [pos=] dep:NOUN", 20, "Expected"),
        ("head:VERB [pos*] dep:NOUN", 19, "Expected"),
        ("head:VERB []* dep:NOUN", 15, "A repetition needs a bound, such as {0,4}."),
        ("head:VERB [: NOUN :] dep:NOUN", 15, "cannot look ahead"),
        ("head:VERB dep:NOUN within s", 5, "Only patterns of tokens can stand here"),
        ('head:VERB [_.text_year="2020"] dep:NOUN', 28, "Only word, lemma, pos"),
        ("head:VERB NOUN", 5, "one token head:, one dep:"),
        ("(head:VERB | dep:NOUN)", 5, "one token head:, one dep:"),
        ("head:VERB []{0,40} dep:NOUN", 5, "more than 40 tokens"),
        ('head:VERB dep:[pos="NN"]', 1, "dep: has no class"),
        ('head:VERB by:[pos="IN"] dep:NOUN', 1, "and by: need one another"),
    ],
)
def test_each_mistake_of_a_pattern_has_its_place(pattern, column, message):
    found = mistakes(f"{HEAD}{RELATION}    {pattern}\n    head:VERB dep:NOUN\n")

    assert [(line, at) for line, at, _ in found][:1] == [(5, column)]
    assert message in found[0][2]


def test_all_mistakes_are_named_in_order():
    found = mistakes(f'{HEAD}class NOUN = [pos="N"]\nrelations a / b\nrelation c / d\n')

    assert [(line, message.split(";")[0][:30]) for line, _, message in found] == [
        (4, "NOUN is there already."),
        (5, "A line begins with language, c"),
        (6, "This relation has no pattern."),
    ]


def test_a_relation_that_cannot_be_read_is_one_mistake():
    found = mistakes(f"{HEAD}relation object\n    head:VERB dep:NOUN\n{RELATION}    head:NOUN\n")

    assert [line for line, _, _ in found] == [4, 7]


def test_a_broken_class_is_one_mistake_wherever_it_is_named():
    broken = shipped_text("en").replace('class NOUN = [pos="NN|', "class NOUN = [pos=NN|")
    open_quote = shipped_text("en").replace('|NNPS"]', "|NNPS]", 1)

    for text in (broken, open_quote):
        assert [line for line, _, _ in mistakes(text)] == [5]
    used = f'{HEAD}define NP = [pos=]\ndefine OF = NP "of"\n{RELATION}    head:VERB OF dep:NOUN\n'
    assert [line for line, _, _ in mistakes(used)] == [4]


def test_a_grammar_says_its_language_and_has_a_relation():
    assert mistakes("")[0][2].startswith("The grammar does not say its language")
    assert mistakes("language en English\n")[0][2] == "There is no relation in the grammar."


def test_names_stand_for_what_is_behind_them_and_mistakes_point_at_the_name():
    text = f'{HEAD}define NP = [pos="DT"]?\n{RELATION}    head:[VERB & word!="x"] NP dep:NOUN\n'
    (of_verbs,) = read_grammar(text).lists_of("VERB")

    assert of_verbs.name == "object"
    assert of_verbs.sides[0][0].longest == 3
    assert mistakes(f"{HEAD}define NP = []\n{RELATION}    head:[NP & VERB] dep:NOUN\n")[0][:2] == (
        6,
        11,
    )
