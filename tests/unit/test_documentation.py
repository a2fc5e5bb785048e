"""The documents keep step with the code."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT_CALL = re.compile(r"(?:env\.\w+|_networks)\(\s*\"([A-Z_]+)\"")


def test_every_setting_has_a_row_in_the_readme():
    read = set(ENVIRONMENT_CALL.findall((ROOT / "corpus_site/settings.py").read_text()))
    rows = set(
        re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs/settings.md").read_text(), re.MULTILINE)
    )

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


DOCUMENTS = sorted(
    str(path.relative_to(ROOT)) for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_link_to_a_file_leads_to_one(name):
    path = ROOT / name
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text())

    assert [link for link in links if not (path.parent / link).exists()] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_module_named_in_a_document_exists(name):
    """A bare name is some module's; one with folders ends the path of one."""
    names = set(re.findall(r"(?<![\w.*/-])((?:\w+/)*\w+\.py)\b", (ROOT / name).read_text()))
    modules = {
        str(path.relative_to(ROOT))
        for folder in ("corpus_site", "dedup", "deploy", "extraction", "feeds", "search", "tests")
        for path in (ROOT / folder).rglob("*.py")
    } | {"manage.py"}

    assert [
        named
        for named in sorted(names)
        if not any(f"/{path}".endswith(f"/{named}") for path in modules)
    ] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_line_of_a_document_is_longer_than_a_screen(name):
    """Tables may need 200 characters; the architecture is to be read in half an hour."""
    lines = (ROOT / name).read_text().split("\n")

    assert [line for line in lines if len(line) > 200] == []
    assert name != "ARCHITECTURE.md" or len(lines) <= 250


def test_every_file_of_the_demands_exists():
    """A bare name stands in the folder of the path before it."""
    text = (ROOT / "docs/design/demands.md").read_text()
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
