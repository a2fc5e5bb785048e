"""Where the evaluation data lie, and what to do when they are absent.

The data are not part of the project. Tests that need them skip by name on a machine without them;
with `REQUIRE_SERVICES=1` (CI) that is a failure.
"""

import os
from pathlib import Path

import pytest

SHARED = Path(
    os.environ.get("SHARED_DATA_DIR", Path(__file__).resolve().parents[1].parent / "shared")
)


def shared(relative: str) -> Path:
    """Path below the shared folder; skips (or fails) when it is not there."""
    path = SHARED / relative
    if not path.exists():
        reason = f"evaluation data absent: {relative}"
        if os.environ.get("REQUIRE_SERVICES") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return path
