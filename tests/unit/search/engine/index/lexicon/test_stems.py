"""Stems of the lexicon's forms: worked out when asked for, kept for the next process."""

import pytest
from small_corpora import document, snapshot_of, write

from search.engine.index.lexicon import stems
from search.engine.index.lexicon.stems import stem_of
from search.engine.index.reader import IndexReader


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
