"""py3langid's tables, mapped from files: what the package says, whatever lies in the folder."""

import os
import shutil

import pytest

from extraction.text.unpacked_model import read_identifier

TEXTS = [
    "Der Stadtrat hat am Montag beschlossen, dass die Straße vor dem Winter repariert wird.",
    "El ayuntamiento decidió el lunes que la carretera se reparará antes del invierno.",
    "Городской совет решил в понедельник отремонтировать дорогу у больницы.",
    "Apolisi akufunafuna amuna awiri amene anaba m'sitolo usiku watha ku mzinda.",
    "1 2 3",
    "",
]


def answers(identifier):
    return [identifier.classify(text) for text in TEXTS], identifier.rank(TEXTS[0])


@pytest.fixture(scope="module")
def in_memory():
    return answers(read_identifier(None))


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unpacked") / "below"
    read_identifier(folder)
    return folder


@pytest.fixture
def folder(unpacked, tmp_path):
    """A folder that holds the tables, as one's own."""
    return shutil.copytree(unpacked, tmp_path / "unpacked")


def only(folder):
    (tables,) = folder.iterdir()
    return tables


def test_mapped_tables_answer_as_the_package(folder, in_memory):
    written = {path: path.stat().st_mtime_ns for path in only(folder).iterdir()}

    assert answers(read_identifier(folder)) == in_memory
    assert {path: path.stat().st_mtime_ns for path in only(folder).iterdir()} == written


@pytest.mark.parametrize("name", ["moves", "weights", "rows"])
def test_a_table_that_is_cut_or_gone_is_written_again(folder, in_memory, name):
    path = only(folder) / f"{name}.npy"
    size = path.stat().st_size
    os.truncate(path, size // 2)

    assert answers(read_identifier(folder)) == in_memory
    assert path.stat().st_size == size

    path.unlink()

    assert answers(read_identifier(folder)) == in_memory
    assert path.stat().st_size == size


def test_tables_of_another_model_and_what_a_killed_process_left_go(folder, in_memory):
    name = only(folder).name
    shutil.rmtree(folder / name)
    for other in ("py3langid-0123456789abcdef", "py3langid-unfinished"):
        (folder / other).mkdir()
        (folder / other / "moves.npy").write_bytes(b"cut")

    assert answers(read_identifier(folder)) == in_memory
    assert only(folder).name == name


def test_a_folder_that_cannot_be_made_is_done_without(tmp_path, in_memory):
    (tmp_path / "unpacked").write_text("a file where the folder should be")

    assert answers(read_identifier(tmp_path / "unpacked")) == in_memory
