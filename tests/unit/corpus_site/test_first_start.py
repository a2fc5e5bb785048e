"""The first processes of an empty data folder, all at once."""

import os
import subprocess
import sys

from run import ROOT


def test_processes_that_start_at_once_agree_on_the_secret_key(tmp_path):
    program = "from django.conf import settings; print(settings.SECRET_KEY)"
    environment = {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "corpus_site.settings"}
    starting = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            env=os.environ | environment,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(8)
    ]
    said = [process.communicate(timeout=60) for process in starting]

    assert [errors for _, errors in said if errors] == []
    assert len({key for key, _ in said}) == 1
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.glob("secret_key*")] == ["secret_key"]
