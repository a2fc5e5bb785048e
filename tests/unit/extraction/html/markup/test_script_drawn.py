"""Shells of applications are told from pages that have a text, a menu or nothing at all."""

import pytest

from extraction.html.markup.parse import parse_html
from extraction.html.markup.script_drawn import is_drawn_by_scripts

SCRIPT = '<script src="/static/main.js"></script>'
MENU = "".join(f'<li><a href="/{n}">Section number {n}</a></li>' for n in range(20))  # 60 words
TEXT = "<p>The council said on Monday that the road would be mended.</p>" * 20  # 220 words


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("React", f'<div id="root"></div>{SCRIPT}'),
        ("Next before it is mounted", f'<div id="__next"><p>Loading …</p></div>{SCRIPT}'),
        ("Angular's own element", f"<app-root></app-root>{SCRIPT}"),
        ("an application among menus", f'<ul>{MENU}</ul><div id="app"></div>{SCRIPT}'),
        ("nothing but scripts", f"<title>News</title>{SCRIPT}"),
        ("words in scripts and styles", f"<style>{TEXT}</style><script>'{TEXT}'</script>"),
        (
            "a sentence for who has none",
            f"<ul>{MENU}</ul>{SCRIPT}<noscript>You need to enable JavaScript.</noscript>",
        ),
        (
            "the same in Afrikaans",
            f"<ul>{MENU}</ul>{SCRIPT}<noscript>Aktiveer asseblief JavaScript.</noscript>",
        ),
    ],
)
def test_shell_is_drawn_by_scripts(name, body):
    assert is_drawn_by_scripts(parse_html(f"<html><body>{body}</body></html>"))


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("text", f"{TEXT}{SCRIPT}"),
        ("text in the root, rendered on the server", f'<div id="root">{TEXT}</div>{SCRIPT}'),
        ("text beside a widget", f'{TEXT}<div id="app"></div>{SCRIPT}'),
        (
            "text, comments need scripts",
            f"{TEXT}{SCRIPT}<noscript>Please enable JavaScript to view the comments.</noscript>",
        ),
        ("a menu", f"<ul>{MENU}</ul>{SCRIPT}"),
        ("a banner without scripts", "<p>This newspaper needs scripts to be read.</p>"),
        ("nothing", ""),
    ],
)
def test_other_pages_are_not(name, body):
    assert not is_drawn_by_scripts(parse_html(f"<html><body>{body}</body></html>"))
