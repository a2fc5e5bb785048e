"""Chromium for tests: its program, or a test that is skipped by name.

With REQUIRE_SERVICES=1 its absence is a failure.
"""

import os
import shutil

import pytest


def chromium_path() -> str:
    path = shutil.which("chromium")
    if path is not None:
        return path
    if os.environ.get("REQUIRE_SERVICES") == "1":
        pytest.fail("chromium is absent")
    pytest.skip("chromium is absent")
