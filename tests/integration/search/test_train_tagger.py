"""`manage.py train_tagger`: what it says when it cannot train. Training itself is a unit test."""

import pytest
from django.core.management import CommandError, call_command

from search.engine.annotation.training.train import TRAINING_FILES


@pytest.fixture
def folder(tmp_path):
    for name in TRAINING_FILES:
        (tmp_path / name).write_bytes(b"no treebank")
    return tmp_path


def test_missing_files_are_named(folder):
    (folder / "clusters.tsv.gz").unlink()
    (folder / "af-train.conllu.gz").unlink()

    with pytest.raises(CommandError, match=r"holds no af-train\.conllu\.gz, clusters\.tsv\.gz\."):
        call_command("train_tagger", str(folder))


def test_a_missing_folder_for_the_results_is_named(folder):
    with pytest.raises(CommandError, match="nowhere is no folder"):
        call_command("train_tagger", str(folder), out=folder / "nowhere")


def test_broken_data_stop_the_training(folder, capfd):
    with pytest.raises(CommandError, match="Training stopped"):
        call_command("train_tagger", str(folder), out=folder)

    assert "BadGzipFile" in capfd.readouterr().err


def test_help_needs_no_data(capsys):
    with pytest.raises(SystemExit):
        call_command("train_tagger", "--help")

    assert "usage: " in capsys.readouterr().out
