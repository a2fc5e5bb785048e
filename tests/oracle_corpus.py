"""The corpus of two million tokens whose hits CQP has counted; made once for all tests."""

import hashlib
import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from made_once import made_once
from shared_data import shared
from vertical_files import CORPUS_NAME, make_corpus

N_TOKENS = 2_000_000
_folder = tempfile.TemporaryDirectory(prefix="oracle-")  # gone when the tests are over


@cache
def oracle() -> dict[str, Any]:
    """CQP's hits and digests; skips the test where they are absent."""
    return json.loads(shared("bench/search/oracle_cqp.json").read_text())


@cache
def oracle_vertical() -> Path:
    """The corpus as a vertical file, byte for byte the one CQP was asked about."""
    shared("data/search/lexicon.tsv.gz")
    folder = made_once("oracle", _make) or _make(Path(_folder.name))
    vertical = folder / CORPUS_NAME
    assert hashlib.md5(vertical.read_bytes()).hexdigest() == oracle()["corpus"]["md5"]  # noqa: S324 (the oracle's)
    return vertical


def _make(folder: Path) -> Path:
    make_corpus(shared("."), folder, N_TOKENS)
    return folder
