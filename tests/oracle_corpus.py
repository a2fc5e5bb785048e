"""The corpus of two million tokens whose hits CQP has counted; made once for all tests."""

import hashlib
import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from shared_data import shared
from vertical_files import make_corpus

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
    vertical = make_corpus(shared("."), Path(_folder.name), N_TOKENS)
    assert hashlib.md5(vertical.read_bytes()).hexdigest() == oracle()["corpus"]["md5"]  # noqa: S324 (the oracle's)
    return vertical
