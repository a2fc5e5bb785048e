"""The deployment files run what is there, with settings that exist."""

import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from corpus_site.celery import QUEUES
from feeds.crawler.release import PRODUCT

ROOT = Path(__file__).resolve().parents[2]
UNITS = sorted((ROOT / "deploy/systemd").glob("*.service"))
PLACES = {
    "compose.yaml": (ROOT / "compose.yaml").read_text(),
    "systemd": "".join(unit.read_text() for unit in UNITS),
}


def queues(text):
    return [
        name for names in re.findall(r"--queues=([a-z,]+[a-z])", text) for name in names.split(",")
    ]


def test_every_queue_has_its_worker_and_the_index_one_alone():
    for place, text in PLACES.items():
        assert sorted(queues(text)) == sorted(QUEUES), place


def test_sites_and_archives_are_told_the_release_that_is_packed():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

    assert f"Broadsheet/{version.rpartition('.')[0]}" == PRODUCT


def test_arguments_with_commas_are_quoted_in_flow_lists():
    """A bare comma would end the item: celery would be told one queue and odd arguments."""
    assert re.findall(r"[\[ ]--[a-z]+=[^\", \]]*,[a-z]", PLACES["compose.yaml"]) == []


def test_named_commands_and_settings_exist():
    commands = {path.stem for path in ROOT.glob("*/management/commands/*.py")}
    settings = set(
        re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs/settings.md").read_text(), re.MULTILINE)
    )
    example = (ROOT / "deploy/broadsheet.env.example").read_text()
    texts = "".join(PLACES.values())

    assert set(re.findall(r"manage\.py,? ([a-z_]+)", texts)) - commands == set()
    assert set(re.findall(r"^#?([A-Z_]+)=", example, re.MULTILINE)) - settings == set()
    assert set(re.findall(r"\b(DATABASE_URL|REDIS_URL|DATA_DIR)\b", texts)) <= settings


def test_files_that_containers_and_units_name_exist():
    texts = "".join(PLACES.values()) + (ROOT / "Containerfile").read_text()
    named = set(re.findall(r"deploy/[a-z_.]+\.(?:py|conf)", texts))

    assert named == {"deploy/gunicorn.conf.py", "deploy/ask_health.py", "deploy/nginx.conf"}
    assert all((ROOT / name).exists() for name in named)
    assert "requirements.lock" in (ROOT / "Containerfile").read_text()


def test_units_run_as_their_own_user_on_a_read_only_system():
    for unit in UNITS:
        text = unit.read_text()
        assert "User=broadsheet" in text, unit.name
        assert "ProtectSystem=strict" in text, unit.name


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_takes_the_units_without_a_word(tmp_path):
    """The programs are those of this environment: systemd looks whether they can be executed."""
    programs = f"ExecStart={Path(sys.executable).parent}/"
    for unit in sorted((ROOT / "deploy/systemd").iterdir()):
        text = unit.read_text()
        assert unit.suffix != ".service" or "\nExecStart=/opt/broadsheet/.venv/bin/" in text
        (tmp_path / unit.name).write_text(
            text.replace("ExecStart=/opt/broadsheet/.venv/bin/", programs)
        )

    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *sorted(tmp_path.iterdir())],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (verified.returncode, verified.stderr) == (0, "")


def test_compose_file_writes_nothing_but_its_volumes():
    text = PLACES["compose.yaml"]
    services = re.findall(r"^  ([a-z]+):\n    (.*)", text, re.MULTILINE)
    ours = [name for name, first in services if first == "<<: *program"]
    program = text.partition("services:")[0]

    assert ours == [
        "setup",
        "web",
        "worker",
        "indexer",
        "beat",
        "uploader",
        "publisher",
        "follower",
    ]
    assert "read_only: true" in program
    assert "cap_drop: [ALL]" in program
    assert text.count("healthcheck:") == 5


def test_health_checks_ask_the_container_itself():
    """Any other worker would answer a ping to all; PostgreSQL's first server, on its socket."""
    checks = re.findall(r"^ +test: (.*)", PLACES["compose.yaml"], re.MULTILINE)
    pings = [line for line in checks if "inspect" in line]
    [server] = [line for line in checks if "pg_isready" in line]

    assert pings
    assert all("--destination=celery@$$(hostname)" in line for line in pings)
    assert "--host=127.0.0.1" in server


def test_image_installs_what_the_program_needs_and_no_tools_of_its_makers():
    """All that the dependencies ask for stands in the first lock file, the rest in the second."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {name for line in project["dependencies"] for name in _asked_for(Requirement(line))}

    assert wanted - _locked("requirements.lock") == set()
    assert _locked("requirements.lock") - wanted == set()
    assert _locked("requirements.lock") & _locked("requirements-dev.lock") == set()
    assert "requirements-dev" not in (ROOT / "Containerfile").read_text()


def _locked(name):
    return set(re.findall(r"^([a-z0-9-]+)==", (ROOT / name).read_text(), re.MULTILINE))


def _asked_for(requirement, seen=frozenset()):
    """Names that a requirement brings, on any Python that may run the program."""
    name = canonicalize_name(requirement.name)
    if name in seen:
        return {name}
    try:
        asked = map(Requirement, requires(name) or ())
    except PackageNotFoundError:  # of another Python alone
        return {name}
    return {name}.union(
        *(
            _asked_for(further, seen | {name})
            for further in asked
            if _is_asked_for(further, requirement.extras)
        )
    )


def _is_asked_for(further, extras):
    return further.marker is None or any(
        further.marker.evaluate({"extra": extra, "python_full_version": f"{version}.0"})
        for extra in ("", *extras)
        for version in ("3.11", "3.12", "3.13")
    )
