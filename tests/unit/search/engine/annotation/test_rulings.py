"""Who decides a token: its own correction, that of the text, the lexicon, then the tagger."""

from search.engine.annotation.annotate import TextToAnnotate, annotate_many, annotate_sentences
from search.engine.annotation.lexicon import LexiconOverrides, LexiconWord, parse_entry
from search.engine.annotation.rulings import DecidedBy, TextRulings, rulings_of_words
from search.engine.annotation.tagger import shared_tagger

TEXT = "They drank maas. Then maas was gone."
NOTHING = LexiconOverrides.none()
LEXICON = LexiconOverrides.build([LexiconWord("maas", ("NN",))])
IN_TEXT = LexiconOverrides.build([LexiconWord("maas", ("NNS",), "amasi")])


def tags_of_maas(overrides, corrections):
    item = TextToAnnotate(TEXT, "en", corrections)
    [found] = annotate_many([item], shared_tagger(), overrides)
    return [
        (token.tag, token.lemma, getattr(found.rulings.get(number), "by", None))
        for number, token in enumerate(found.tokens)
        if token.word == "maas"
    ]


def test_the_lexicon_decides_everywhere():
    decided = ("NN", "maas", DecidedBy.LEXICON)

    assert tags_of_maas(LEXICON, TextRulings()) == [decided, decided]


def test_a_correction_of_the_text_stands_over_the_lexicon():
    decided = ("NNS", "amasi", DecidedBy.TEXT)

    assert tags_of_maas(LEXICON, TextRulings(words=IN_TEXT)) == [decided, decided]


def test_a_correction_of_one_token_stands_over_all_and_leaves_the_others():
    own = TextRulings({TEXT.rindex("maas"): LexiconWord("maas", ("JJ",), "sour")}, IN_TEXT)

    assert tags_of_maas(LEXICON, own) == [
        ("NNS", "amasi", DecidedBy.TEXT),
        ("JJ", "sour", DecidedBy.TOKEN),
    ]


def test_a_correction_of_a_place_where_another_word_stands_now_is_left_out():
    own = TextRulings({TEXT.rindex("maas"): LexiconWord("braai", ("JJ",))})

    assert [row[2] for row in tags_of_maas(NOTHING, own)] == [None, None]


def test_an_editor_may_say_that_r_is_no_money():
    words = ["R", "2", "came"]

    assert rulings_of_words(words, NOTHING)[0].by == DecidedBy.MONEY
    lexicon = LexiconOverrides.build([LexiconWord("R", ("NN",))])
    assert rulings_of_words(words, lexicon)[0].entry.tags == ("NN",)


def test_sentences_of_words_are_tagged_as_texts_are():
    sentences = [["They", "drank", "maas", "."], ["Then", "maas", "was", "gone", "."]]
    [found] = annotate_many([TextToAnnotate(TEXT)], shared_tagger(), LEXICON)

    tagged = annotate_sentences(sentences, shared_tagger(), LEXICON)

    assert [pair for sentence in tagged for pair in sentence] == [
        (token.tag, token.lemma) for token in found.tokens
    ]


def test_an_expression_rules_over_entries_of_its_words_and_under_corrections():
    words = ["Just", "now", "maas", "came", "just", "now", "."]
    entries = [
        parse_entry("just now", "RB|JJ UH", "just nou"),
        LexiconWord("now", ("NN",)),
        LexiconWord("maas", ("NN",)),
    ]
    in_text = LexiconOverrides.build([LexiconWord("just", ("JJ",))])

    found = rulings_of_words(words, LexiconOverrides.build(entries), in_text)

    assert [(place, found[place].entry.tags, found[place].name) for place in sorted(found)] == [
        (0, ("JJ",), "just"),
        (1, ("UH",), "just now"),
        (2, ("NN",), "maas"),
        (4, ("JJ",), "just"),
        (5, ("UH",), "just now"),
    ]


def test_an_expression_gives_its_tokens_tags_and_lemmas_in_its_sentences_only():
    lexicon = LexiconOverrides.build([parse_entry("ja-nee", "UH", "ja - nee")])
    text = "Ja-nee, he said. She said ja. Nee was a name."

    [found] = annotate_many([TextToAnnotate(text)], shared_tagger(), lexicon)

    assert sorted(found.rulings) == [0, 1, 2]
    assert [(token.tag, token.lemma) for token in found.tokens[:3]] == [
        ("UH", "ja"), ("UH", "-"), ("UH", "nee"),
    ]  # fmt: skip
