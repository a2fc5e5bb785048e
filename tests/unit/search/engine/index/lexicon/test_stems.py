"""Stems of the lexicon's forms: worked out when asked for, kept for the next process."""

import pytest
from small_corpora import document, snapshot_of, write

from search.engine.index.lexicon import stems
from search.engine.index.lexicon.stems import stem_of
from search.engine.index.reader import IndexReader
from search.engine.query.language.parser import Language, parse
from search.engine.query.run import run


def stems_of(snapshot):
    lexicon = snapshot.lexicon
    return {lexicon.form(i): lexicon.stem(n) for i, n in enumerate(lexicon.stems.tolist())}


# From the sample vocabulary of the English stemmer's page, snowballstem.org.
@pytest.mark.parametrize(
    ("word", "stem"),
    [("consign", "consign"), ("consignment", "consign"), ("consistency", "consist"),
     ("consolation", "consol"), ("consolingly", "consol"), ("knackeries", "knackeri"),
     ("knightly", "knight"), ("Knots", "knot"), ("R2-D2", "r2-d2"), ("1,000", "1,000")],
)  # fmt: skip
def test_stem_is_that_of_the_published_vocabulary(word, stem):
    assert stem_of(word) == stem


def test_each_form_of_the_lexicon_has_its_stem(tmp_path):
    snapshot = snapshot_of(tmp_path, [document(1, "Rains rained raining Café café 3rd")])

    found = stems_of(snapshot)

    assert found["Rains"] == found["rained"] == found["raining"] == "rain"
    assert found["Café"] == found["café"]
    assert found["3rd"] == "3rd"
    assert snapshot.lexicon.find_stem("rain") == snapshot.lexicon.stems[0]
    assert snapshot.lexicon.find_stem("raining") is None


def test_stems_of_new_forms_are_added_and_old_snapshots_keep_theirs(tmp_path):
    write(tmp_path, [document(1, "rains")])
    reader = IndexReader(tmp_path)
    old = reader.snapshot
    before = old.lexicon.stems.tolist()

    write(tmp_path, [document(2, "snows raining")])
    reader.refresh()

    assert reader.snapshot.lexicon.stems.tolist()[: len(before)] == before
    assert stems_of(reader.snapshot)["snows"] == "snow"
    assert old.lexicon.find_stem("snow") is None


def test_stems_are_kept_for_the_next_process(tmp_path, monkeypatch):
    monkeypatch.setattr(stems, "WORTH_KEEPING", 2)
    first = snapshot_of(tmp_path, [document(1, "rains raining snows")])
    wanted = stems_of(first)
    monkeypatch.setattr(stems, "_stemmer", None)

    found = stems_of(IndexReader(tmp_path).snapshot)

    assert found == wanted
    assert (tmp_path / "lexicon-000000.stems").exists()


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 400])
def test_damaged_stems_are_worked_out_anew(tmp_path, monkeypatch, damage):
    monkeypatch.setattr(stems, "WORTH_KEEPING", 2)
    wanted = stems_of(snapshot_of(tmp_path, [document(1, "rains raining snows")]))
    (tmp_path / "lexicon-000000.stems").write_bytes(damage)

    found = stems_of(IndexReader(tmp_path).snapshot)

    assert found == wanted


def test_stems_that_cannot_be_written_are_served_all_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(stems, "WORTH_KEEPING", 2)
    (tmp_path / "lexicon-000000.stems").mkdir()
    (tmp_path / "lexicon-000000.stems" / "something").touch()

    found = stems_of(snapshot_of(tmp_path, [document(1, "rains raining snows")]))

    assert found["raining"] == "rain"


def test_each_form_of_the_lexicon_has_its_ascii_form(tmp_path):
    write(tmp_path, [document(1, "Malmö malmø GROSS Groß “ – Ελλάς")])
    reader = IndexReader(tmp_path)
    old = reader.snapshot

    def ascii_forms(snapshot):
        lexicon = snapshot.lexicon
        return {lexicon.form(i): lexicon.ascii_form(n) for i, n in enumerate(lexicon.ascii)}

    found = ascii_forms(old)
    write(tmp_path, [document(2, "Łódź")])
    reader.refresh()

    assert found["Malmö"] == found["malmø"] == "malmo"
    assert found["GROSS"] == found["Groß"] == "gross"
    assert (found["“"], found["–"], found["Ελλάς"]) == ('"', "-", "ελλας")
    assert ascii_forms(reader.snapshot)["Łódź"] == "lodz"
    assert len(old.lexicon.ascii) == old.lexicon.size.n_forms


@pytest.mark.parametrize(
    ("pattern", "found"),
    [("malmo", 2), ("Malmö", 2), ("malm.*", 2), ("gro(ss|ß)", 2), ("[–x]", 1), ("…", 0),
     ("malm", 0), ("“", 1)],
)  # fmt: skip
def test_a_query_by_ascii_letters_finds_all_forms(tmp_path, pattern, found):
    snapshot = snapshot_of(tmp_path, [document(1, "Malmö malmø GROSS Groß “ – Ελλάς")])

    assert run(snapshot, parse(f'[ascii="{pattern}"]', Language.CQL)).total == found
