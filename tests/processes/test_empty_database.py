"""Commands on a database that was never made, or without a place to work in, say so and end."""

import os
import socket
import subprocess
import sys

from processes.conftest import ROOT
from services import free_port


def test_commands_without_tables_end_with_a_sentence(tmp_path):
    environment = os.environ | {"DATA_DIR": str(tmp_path)}
    environment.pop("DATABASE_URL", None)
    running = {
        name: subprocess.Popen(
            [sys.executable, "manage.py", name],
            cwd=ROOT,
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in ("status", "sweep", "work", "reread")
    }
    said = {name: process.communicate(timeout=120)[1] for name, process in running.items()}

    assert {name: process.returncode for name, process in running.items()} == dict.fromkeys(said, 1)
    for name, words in said.items():
        assert words.startswith("CommandError: The database "), name
        assert "“manage.py migrate” makes" in words, name


def test_up_without_its_port_its_folder_or_its_database_ends_with_a_sentence(tmp_path):
    (tmp_path / "file").touch()
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        cases = {
            f"Port {port} of 127.0.0.1 cannot be used": {"DATA_DIR": str(tmp_path), "PORT": port},
            "Broadsheet cannot start: DATA_DIR": {"DATA_DIR": str(tmp_path / "file" / "data")},
            "CommandError: The database cannot be used": {
                "DATA_DIR": str(tmp_path / "without database"),
                "DATABASE_URL": "postgres://nobody:secret@127.0.0.1:9/broadsheet",
            },
        }
        running = {
            words: subprocess.Popen(
                [sys.executable, "manage.py", "up"],
                cwd=ROOT,
                env=os.environ | {"DATABASE_URL": ""} | changes,
                stderr=subprocess.PIPE,
                text=True,
            )
            for words, changes in cases.items()
        }
        said = {words: process.communicate(timeout=120)[1] for words, process in running.items()}

    assert {process.returncode for process in running.values()} == {1}
    for words, lines in said.items():
        assert words in lines
        assert "Traceback" not in lines
        assert "secret" not in lines


def test_up_on_tables_that_are_there_checks_the_settings_first(site_on):
    up = site_on("", WORKER_PROCESSES="0").start("manage.py", "up", "--port", str(free_port()))
    said, _ = up.communicate(timeout=120)

    assert up.returncode == 1
    assert "corpus_site.E001" in said
    assert "Traceback" not in said
    assert "password" not in said
