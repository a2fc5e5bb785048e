"""Private PostgreSQL and Redis servers for tests.

On free ports of 127.0.0.1, in a temporary folder, gone afterwards.

python tests/services.py COMMAND…    runs COMMAND with TEST_DATABASE_URL and TEST_REDIS_URL

Servers that the environment already names are used as they are; what is not installed is left out.
"""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

START_SECONDS = 240


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def postgres_bin() -> Path | None:
    """The folder of initdb and pg_ctl, or None where PostgreSQL's server is not installed."""
    folders = [
        *Path("/usr/lib/postgresql").glob("*/bin"),
        *map(Path, os.environ["PATH"].split(":")),
    ]
    for folder in sorted(folders, reverse=True):
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    return None


def _as_server_user() -> list[str]:
    """PostgreSQL refuses to run as root: become postgres or nobody then."""
    if os.geteuid() != 0:
        return []
    names = {entry.pw_name for entry in pwd.getpwall()}
    return ["runuser", "-u", "postgres" if "postgres" in names else "nobody", "--"]


@contextmanager
def postgres() -> Iterator[str]:
    """A running server's URL; RuntimeError when it is not installed."""
    folder = postgres_bin()
    if folder is None:
        raise RuntimeError("PostgreSQL is not installed")
    with tempfile.TemporaryDirectory(prefix="broadsheet-pg-") as name:
        prefix, port, data = _as_server_user(), free_port(), Path(name) / "data"
        if prefix:
            user = pwd.getpwnam(prefix[2])
            os.chown(name, user.pw_uid, user.pw_gid)
        subprocess.run(
            [*prefix, folder / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
             "--locale=C.UTF-8", "--no-sync"],
            check=True, stdout=subprocess.DEVNULL, cwd=name,
        )  # fmt: skip
        options = (
            f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={name} "
            "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
        )
        control = [*prefix, folder / "pg_ctl", "-D", data]
        subprocess.run(
            [*control, "-w", "-t", str(START_SECONDS), "-o", options, "-l", Path(name) / "log",
             "start"],
            check=True, stdout=subprocess.DEVNULL, cwd=name,
        )  # fmt: skip
        try:
            yield f"postgres://postgres@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run(
                [*control, "-m", "immediate", "stop"],
                check=False, stdout=subprocess.DEVNULL, cwd=name,
            )  # fmt: skip


@contextmanager
def redis() -> Iterator[str]:
    """A running server's URL; RuntimeError when it is not installed."""
    program = shutil.which("redis-server")
    if program is None:
        raise RuntimeError("Redis is not installed")
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="broadsheet-redis-") as name:
        server = subprocess.Popen(
            [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "",
             "--appendonly", "no", "--dir", name],
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            _wait_for(port)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            server.terminate()
            server.wait()


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise RuntimeError(f"nothing answers on port {port}")


@contextmanager
def environment() -> Iterator[tuple[dict[str, str], list[str]]]:
    """TEST_… variables of the servers that could be had, and the names of those that could not."""
    found, missing = {}, []
    with ExitStack() as stack:
        for name, start in (("TEST_DATABASE_URL", postgres), ("TEST_REDIS_URL", redis)):
            if os.environ.get(name):
                found[name] = os.environ[name]
                continue
            try:
                found[name] = stack.enter_context(start())
            except RuntimeError as error:
                missing.append(str(error))
        yield found, missing


def main() -> int:
    with environment() as (found, missing):
        for reason in missing:
            print(f"left out: {reason}", file=sys.stderr)  # noqa: T201 (a command)
        return subprocess.run(sys.argv[1:], env=os.environ | found, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
