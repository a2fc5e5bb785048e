"""Commands on a database that was never made say so and end."""

import os
import subprocess
import sys

from processes.conftest import ROOT


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
