"""The documents keep step with the code."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT_CALL = re.compile(r"(?:env\.\w+|_networks)\(\s*\"([A-Z_]+)\"")


def test_every_setting_has_a_row_in_the_readme():
    read = set(ENVIRONMENT_CALL.findall((ROOT / "corpus_site/settings.py").read_text()))
    rows = set(re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE))

    assert rows == read


def test_every_make_target_of_the_documents_exists():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    texts = "".join((ROOT / name).read_text() for name in ("README.md", "CONTRIBUTING.md"))

    assert (
        set(re.findall(r"(?:`|^)make ([a-z]+(?:-[a-z]+)?)\b", texts, re.MULTILINE)) - targets
        == set()
    )


def test_only_settings_read_the_environment():
    product = [
        path
        for app in ("corpus_site", "feeds", "extraction", "dedup", "search", "presentation")
        for path in (ROOT / app).rglob("*.py")
    ]
    readers = {
        str(path.relative_to(ROOT))
        for path in product
        if re.search(r"os\.environ\[|os\.environ\.get|getenv", path.read_text())
    }

    assert readers == set()


@pytest.mark.parametrize(
    "name", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/running.md"]
)
def test_every_link_to_a_file_leads_to_one(name):
    path = ROOT / name
    links = re.findall(r"\]\(([^)#:]+)\)", path.read_text())

    assert [link for link in links if not (path.parent / link).exists()] == []


def test_every_file_of_the_demands_exists():
    """A bare name stands in the folder of the path before it."""
    text = (ROOT / "ARCHITECTURE.md").read_text()
    demands = re.findall(r"^\| (?:[A-Z]{3}-?\d[^|]*) \| `([^`]+)` \|", text, re.MULTILINE)
    missing = []
    for row in demands:
        folder = ROOT
        for name in re.findall(r"[\w/]+(?:\.py|\.tsv|/(?=,| |$))", row):
            path = ROOT / name if "/" in name else folder / name
            folder = path.parent
            if not path.exists():
                missing.append(name)

    assert len(demands) > 50
    assert missing == []
