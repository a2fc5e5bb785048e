"""The grammars that ship on sentences whose relations are known, tagged by hand."""

import pytest
from small_corpora import document, snapshot_of

from search.engine.query.filters import DocumentFilter, select
from search.engine.sketches.counting import Keys
from search.engine.sketches.grammar import read_grammar
from search.engine.sketches.shipped import FOLDER, GENERIC
from search.engine.sketches.sketch import word_counts

ENGLISH = (
    "The/the/DT baker/baker/NN ate/eat/VBD the/the/DT fresh/fresh/JJ bread/bread/NN ././.",
    "She/she/PRP will/will/MD eat/eat/VB brown/brown/JJ wheat/wheat/NN bread/bread/NN ././.",
    "Bread/bread/NN was/be/VBD quickly/quickly/RB eaten/eat/VBN by/by/IN mice/mouse/NNS ././.",
    "Bread/bread/NN and/and/CC salty/salty/JJ butter/butter/NN cost/cost/VBP us/us/PRP ././.",
    "The/the/DT bread/bread/NN is/be/VBZ stale/stale/JJ ././.",
    "Salt/salt/NN is/be/VBZ a/a/DT mineral/mineral/NN ././.",
    "The/the/DT smell/smell/NN of/of/IN the/the/DT bread/bread/NN rose/rise/VBD ././.",
    "Anna/Anna/NNP 's/'s/POS old/old/JJ bread/bread/NN fell/fall/VBD off/off/RP",
    "They/they/PRP ate/eat/VBD it/it/PRP up/up/RP with/with/IN forks/fork/NNS ././.",
    "He/he/PRP wants/want/VBZ to/to/TO eat/eat/VB his/his/PRP$ bread/bread/NN ././.",
    "The/the/DT men/man/NNS who/who/WP have/have/VBP eaten/eat/VBN slept/sleep/VBD ././.",
    "They/they/PRP eat/eat/VBP and/and/CC drink/drink/VBP very/very/RB slowly/slowly/RB ././.",
    "A/a/DT decision/decision/NN to/to/TO leave/leave/VB surprised/surprise/VBD us/us/PRP ././.",
    "Mothers/mother/NNS are/be/VBP eating/eat/VBG ././.",
)  # fmt: skip

OF_ENGLISH = {
    ("eat", "VERB"): {
        "object": {"bread": 4},
        "subject": {"baker": 1, "man": 1, "mother": 1},
        "modifier": {"quickly": 1},
        "and/or": {"drink": 1},
        "infinitive of": {"want": 1},
        "particle": {"up": 1},
        "by …": {"mouse": 1},
    },
    ("bread", "NOUN"): {
        "object of": {"eat": 4},
        "subject of": {"rise": 1, "fall": 1},
        "modifier": {"fresh": 1, "brown": 1, "wheat": 1, "old": 1},
        "and/or": {"butter": 1},
        "predicate adjective": {"stale": 1},
        "possessor": {"Anna": 1},
        "possessive pronoun": {"his": 1},
        "… of": {"smell": 1},
    },
    ("mineral", "NOUN"): {"subject in predicate": {"salt": 1}},
    ("smell", "NOUN"): {"of …": {"bread": 1}},
    ("stale", "ADJ"): {"predicate of": {"bread": 1}},
    ("fresh", "ADJ"): {"modifies": {"bread": 1}},
    ("wheat", "NOUN"): {"modifies": {"bread": 1}},
    ("decision", "NOUN"): {"infinitive": {"leave": 1}},
    ("slowly", "ADV"): {"modifies verb": {"drink": 1}},
    ("Anna", "NOUN"): {"possession": {"bread": 1}},
    ("quickly", "ADV"): {"modifies verb": {"eat": 1}},
    ("fork", "NOUN"): {},
}


AFRIKAANS = (
    "Die/die/DET bakker/bakker/NOUN bak/bak/VERB vars/vars/ADJ brood/brood/NOUN ././PUNCT",
    "Die/die/DET man/man/NOUN het/het/AUX gister/gister/ADV brood/brood/NOUN gekoop/koop/VERB",
    "Die/die/DET brood/brood/NOUN is/is/AUX baie/baie/ADV vars/vars/ADJ ././PUNCT",
    "Brood/brood/NOUN en/en/CCONJ botter/botter/NOUN ././PUNCT",
    "Anna/Anna/PROPN se/se/PART brood/brood/NOUN ruik/ruik/VERB lekker/lekker/ADV ././PUNCT",
    "Die/die/DET prys/prys/NOUN van/van/ADP brood/brood/NOUN styg/styg/VERB ././PUNCT",
    "Ek/ek/PRON wil/wil/VERB om/om/ADP die/die/DET brood/brood/NOUN te/te/PART sny/sny/VERB",
    "Hulle/hulle/PRON staan/staan/VERB op/op/ADP ././PUNCT",
)
OF_AFRIKAANS = {
    ("brood", "NOUN"): {
        "object of": {"bak": 1, "koop": 1, "sny": 1},
        "subject of": {"ruik": 1, "styg": 1},
        "modifier": {"vars": 1},
        "and/or": {"botter": 1},
        "predicate adjective": {"vars": 1},
        "possessor": {"Anna": 1},
        "… van": {"prys": 1},
    },
    ("koop", "VERB"): {"object": {"brood": 1}, "subject": {"man": 1}},
    ("wil", "VERB"): {"infinitive": {"sny": 1}},
    ("staan", "VERB"): {"particle": {"op": 1}},
    ("vars", "ADJ"): {
        "modifies": {"brood": 1},
        "modifier": {"baie": 1},
        "predicate of": {"brood": 1},
    },
}
# A language that no grammar knows: relations by place and by universal tags alone.
DUTCH = (
    "De/de/DET bakker/bakker/NOUN bakt/bakken/VERB vers/vers/ADJ brood/brood/NOUN ././PUNCT",
    "Brood/brood/NOUN en/en/CCONJ boter/boter/NOUN ././PUNCT",
    "Het/het/DET brood/brood/NOUN is/zijn/AUX heel/heel/ADV oud/oud/ADJ ././PUNCT",
    "De/de/DET prijs/prijs/NOUN van/van/ADP brood/brood/NOUN stijgt/stijgen/VERB snel/snel/ADV",
)  # fmt: skip
OF_DUTCH = {
    ("brood", "NOUN"): {
        "verb before": {"bakken": 1},
        "verb behind": {"stijgen": 1},
        "modifier": {"vers": 1},
        "and/or": {"boter": 1},
        "predicate adjective": {"oud": 1},
        "… van": {"prijs": 1},
    },
    ("bakken", "VERB"): {"noun behind": {"brood": 1}, "noun before": {"bakker": 1}},
    ("oud", "ADJ"): {"predicate of": {"brood": 1}, "modifier": {"heel": 1}},
}
CORPORA = {
    "en": (ENGLISH, OF_ENGLISH),
    "af": (AFRIKAANS, OF_AFRIKAANS),
    GENERIC: (DUTCH, OF_DUTCH),
}


@pytest.fixture(scope="module")
def selections(tmp_path_factory):
    found = {}
    for language, (sentences, _) in CORPORA.items():
        folder = tmp_path_factory.mktemp(language)
        snapshot = snapshot_of(folder, [document(1, " | ".join(sentences))])
        found[language] = select(snapshot, DocumentFilter())
    return found


@pytest.mark.parametrize(
    ("language", "word"), [(code, word) for code, (_, known) in CORPORA.items() for word in known]
)
def test_word_has_exactly_the_known_relations(selections, language, word):
    grammar = read_grammar((FOLDER / f"{language}.sketch").read_text(encoding="utf-8"))

    assert sketch_of(selections[language], grammar, *word) == CORPORA[language][1][word]


def sketch_of(selection, grammar, lemma, word_class):
    """All collocates with their hits by name of the relation."""
    counted = word_counts(selection, grammar, word_class, lemma)
    keys = Keys(selection.snapshot.lexicon)
    found = {}
    for each, counts in zip(grammar.lists_of(word_class), counted.collocates, strict=True):
        for key, n in zip(counts.keys.tolist(), counts.counts.tolist(), strict=True):
            by, collocate = keys.names(key)
            found.setdefault(each.named(by), {})[collocate] = n
    return found
