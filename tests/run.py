"""The whole test suite, as `make test` runs it, in three processes.

Units, tables, running programs and quality gates on SQLite; then the browser; then what touches
tables once more on PostgreSQL and Redis. Where those are not installed the last part is left out by
name; with REQUIRE_SERVICES=1 that is a failure.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import services

ROOT = Path(__file__).resolve().parent.parent


def run_pytest(environment: dict[str, str], *arguments: str) -> int:
    with tempfile.TemporaryDirectory(prefix="broadsheet-test-") as data:
        command = [sys.executable, "-m", "pytest", "-q", *arguments]
        env = os.environ | {"DATA_DIR": data} | environment
        return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode


def main() -> int:
    with services.environment() as (found, missing):
        failed = run_pytest(found, *sys.argv[1:])
        failed = run_pytest(found, "tests/browser", *sys.argv[1:]) or failed
        if missing:
            print(f"not run on PostgreSQL and Redis: {', '.join(missing)}")  # noqa: T201 (a command)
            return failed or int(os.environ.get("REQUIRE_SERVICES") == "1")
        servers = found | {
            "DATABASE_URL": found["TEST_DATABASE_URL"],
            "REDIS_URL": found["TEST_REDIS_URL"],
        }
        return run_pytest(servers, "tests/integration", *sys.argv[1:]) or failed


if __name__ == "__main__":
    sys.exit(main())
