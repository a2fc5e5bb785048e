"""A language's folder: what is learnt, measured, written, and read again by whoever runs."""

import json

import pytest
from invented_treebank import treebank

from search.engine.annotation import own_languages
from search.engine.annotation.languages import tagged_language, tagged_languages, tags_of
from search.engine.annotation.learning.learn import (
    Accuracy,
    held_out,
    learn,
    measure,
    write_language,
)
from search.engine.annotation.learning.treebank import TreebankError, Word, read_treebank
from search.engine.annotation.tagset import UNIVERSAL_TAGS


@pytest.fixture(scope="module")
def sentences(tmp_path_factory):
    path = tmp_path_factory.mktemp("treebank") / "invented.conllu"
    path.write_text(treebank(), encoding="utf-8")
    return read_treebank([path]).sentences


@pytest.fixture(scope="module")
def learnt(sentences):
    return learn(sentences)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(own_languages, "_where", [lambda: tmp_path / "languages"])
    return tmp_path / "languages"


def test_every_tenth_sentence_is_held_out():
    numbered = [[Word(str(number), "NUM", None)] for number in range(1, 41)]

    known, unseen = held_out(numbered)

    assert [int(one[0].form) for one in unseen] == [10, 20, 30, 40]
    assert [int(one[0].form) for one in known] == [n for n in range(1, 41) if n % 10]


def test_too_few_sentences_are_refused(sentences):
    with pytest.raises(TreebankError, match="Only 29 sentences can be learnt from; 30 at least"):
        held_out(sentences[:29])


def test_accuracy_counts_words_and_lemmas(learnt):
    seen = [Word("Abantobo", "NOUN", "umuntobo"), Word("uyagala", "VERB", "pheka")]
    unseen = [Word("zwix", "VERB", None), Word("futhi", "NOUN", "futhi")]

    found = measure(learnt, [seen, unseen])

    assert found == Accuracy(
        n_sentences=2,
        n_words=4,
        n_tags_right=2 + (found.n_unknown_right == 1),
        n_unknown=1,
        n_unknown_right=found.n_unknown_right,
        n_lemmas=3,
        n_lemmas_right=2,
    )


def test_lemmas_are_those_of_the_treebank_and_of_endings():
    words = [("katten", "kat"), ("honden", "hond"), ("bomen", "boom"), ("boeken", "boek")]
    one = [Word(form, "NOUN", lemma) for form, lemma in words]
    names = [
        Word("Amsterdams", "PROPN", "Amsterdam"),
        Word("Zeeuws", "X", "_"),
        Word("IS", "AUX", "zijn"),
    ]

    learnt = learn([one, names])
    assert not learnt.is_turned
    model = learnt.in_use()

    forms = {"katten": "NOUN", "Bomen": "NOUN", "paarden": "NOUN", "Parijs": "PROPN"}
    forms |= {"Amsterdams": "PROPN", "Zeeuws": "X", "is": "AUX", "’s": "DET"}
    assert {form: model.lemma(form, tag) for form, tag in forms.items()} == {
        "katten": "kat",
        "Bomen": "boom",
        "paarden": "paard",
        "Parijs": "Parijs",
        "Amsterdams": "Amsterdam",
        "Zeeuws": "Zeeuws",
        "is": "zijn",
        "’s": "'s",
    }


def test_lemmas_of_a_language_that_changes_beginnings_are_made_of_these(learnt):
    model = learnt.in_use()

    assert learnt.is_turned
    assert model.lemma("abavila", "NOUN") == "umuvila"
    assert model.lemma("Bayagala", "VERB") == "gala"
    assert model.lemma("uyasebela", "VERB") == "sebela"
    assert model.lemma("Mandisa", "PROPN") == "Mandisa"
    assert model.lemma("Zandile", "PROPN") == "Zandile"


def test_what_is_written_is_in_the_table_of_languages_at_once(folder, learnt):
    assert tagged_language("zu") is None

    n_bytes = write_language(folder / "zu", learnt, {"files": ["invented.conllu"]})

    found = tagged_language("zu-ZA")
    assert [entry.code for entry in tagged_languages()] == ["en", "af", "zu"]
    assert tags_of("zu") == UNIVERSAL_TAGS
    words = ["Abantobo", "bayagala", "umuhleki", "."]
    tags = found.tagger().tag_sentences([words])[0]
    assert tags == ["NOUN", "VERB", "NOUN", "PUNCT"]
    assert found.lemmas(words, tags) == ["umuntobo", "gala", "umuhleki", "."]
    assert n_bytes == sum(path.stat().st_size for path in folder.glob("zu/*.npz")) < 100_000
    assert json.loads((folder / "zu/language.json").read_text())["files"] == ["invented.conllu"]


def test_a_model_that_is_learnt_anew_has_another_version_and_the_last_one_stays(
    folder, learnt, sentences
):
    write_language(folder / "zu", learnt, {})
    before = tagged_language("zu")
    first = set(folder.glob("zu/*.npz"))
    write_language(folder / "zu", learnt, {})
    assert tagged_language("zu").version() == before.version()

    write_language(folder / "zu", learn(sentences[:20]), {})

    assert tagged_language("zu").version() != before.version()
    # Who has read the former manifest reads its files.
    assert before.tagger().tag_sentences([["futhi"]]) == [["CCONJ"]]
    assert first < set(folder.glob("zu/*.npz"))
    write_language(folder / "zu", learn(sentences[:10]), {})
    assert not first & set(folder.glob("zu/*.npz"))


def test_a_language_that_is_taken_away_is_gone(folder, learnt):
    write_language(folder / "zu", learnt, {})
    assert tagged_language("zu") is not None

    (folder / "zu/language.json").unlink()

    assert tagged_language("zu") is None


@pytest.mark.parametrize(
    "manifest", ["", "{", "[]", "{}", '{"format": [0, 2], "code": "zu"}', '{"format": [1, 2]}']
)
def test_a_manifest_that_is_none_is_passed_over(folder, manifest):
    (folder / "zu").mkdir(parents=True)
    (folder / "zu/language.json").write_text(manifest)

    assert tagged_language("zu") is None
    assert [entry.code for entry in tagged_languages()] == ["en", "af"]
    assert own_languages.unusable_folders() == [folder / "zu"]


def test_a_folder_under_another_code_is_passed_over(folder, learnt):
    write_language(folder / "zu", learnt, {})

    (folder / "zu").rename(folder / "xh")

    assert tagged_language("xh") is None
    assert own_languages.unusable_folders() == [folder / "xh"]


@pytest.mark.parametrize("name", ["tagger", "lemmas"])
def test_a_model_that_is_cut_or_on_its_way_is_not_used_until_it_is_whole(folder, learnt, name):
    write_language(folder / "zu", learnt, {})
    [path] = folder.glob(f"zu/{name}-*.npz")
    whole = path.read_bytes()

    path.write_bytes(whole[:-1])
    assert tagged_language("zu") is None
    path.unlink()
    assert tagged_language("zu") is None
    path.write_bytes(whole)

    assert tagged_language("zu") is not None
    assert own_languages.unusable_folders() == []


@pytest.mark.parametrize("code", ["", "..", "../zu", "zu/", ".", "\0"])
def test_a_code_is_no_path(folder, learnt, code):
    write_language(folder / "zu", learnt, {})

    assert tagged_language(code) is None


def test_what_ships_is_not_replaced(folder, learnt):
    write_language(folder / "en", learnt, {})

    assert [entry.code for entry in tagged_languages()] == ["en", "af"]
    assert tagged_language("en").has_lexicon
