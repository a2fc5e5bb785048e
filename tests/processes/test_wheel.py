"""The wheel: what git knows of the program is in it. That it runs: test_up.py."""

import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("corpus_site", "feeds", "extraction", "dedup", "search", "presentation")
INSIDE = ("templates", "static")  # of a checkout's root; in the wheel inside the site's package


def tracked(*folders):
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *folders],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return {line for line in listed.stdout.splitlines() if (ROOT / line).exists()}


def test_wheel_holds_what_git_knows_of_the_program_and_nothing_else(wheel):
    names = {name for name in wheel.namelist() if ".dist-info/" not in name}

    assert names == tracked(*PACKAGES) | {f"corpus_site/{name}" for name in tracked(*INSIDE)}


def test_metadata_asks_for_what_the_project_asks_for(wheel):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    folder = f"broadsheet-{project['version']}.dist-info"
    lines = wheel.read(f"{folder}/METADATA").decode().partition("\n\n")[0].splitlines()
    asked = {
        line.removeprefix("Requires-Dist: ") for line in lines if line.startswith("Requires-Dist")
    }

    extras = {line for line in asked if "; extra == " in line}
    needed = {name_of(line) for line in asked - extras}
    assert needed == {name_of(line) for line in project["dependencies"]}
    assert {(name_of(line), line.partition("; extra == ")[2].strip("'")) for line in extras} == {
        (name_of(line), extra)
        for extra, lines in project["optional-dependencies"].items()
        for line in lines
    }
    assert f"Requires-Python: {project['requires-python']}" in lines
    assert (
        "broadsheet = corpus_site.__main__:main"
        in wheel.read(f"{folder}/entry_points.txt").decode()
    )


def name_of(requirement):
    return requirement.partition(">")[0].partition("<")[0]
