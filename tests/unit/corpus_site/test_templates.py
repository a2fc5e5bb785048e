"""No inline code in any template: the content security policy would refuse it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
INLINE = {
    "style attribute": re.compile(r"<[^>]*\sstyle\s*=", re.IGNORECASE),
    "style element": re.compile(r"<style", re.IGNORECASE),
    "handler": re.compile(r"<[^>]*\son[a-z]+\s*=", re.IGNORECASE),
    "inline script": re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)", re.IGNORECASE),
    "script address": re.compile(r"javascript:", re.IGNORECASE),
    "htmx code": re.compile(r"hx-on|hx-vars|hx-trigger=\"[^\"]*\[|js:", re.IGNORECASE),
}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_template_holds_no_inline_code(path):
    text = path.read_text()

    assert [name for name, pattern in INLINE.items() if pattern.search(text)] == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_template_has_no_exclamation_marks_in_its_words(path):
    words = re.sub(r"<[^>]*>|\{%.*?%\}|\{\{.*?\}\}", " ", path.read_text(), flags=re.DOTALL)

    assert re.findall(r"\w!", words) == []


def test_the_script_of_all_pages_is_small():
    assert (ROOT / "static" / "app.js").stat().st_size < 8_000
