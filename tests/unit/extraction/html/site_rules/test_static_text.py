import pytest

from extraction.html.markup.parse import parse_html
from extraction.html.site_rules.static_text import remove_static_text

NOTICE = "All rights reserved by the Herald."


def remaining(html, text=NOTICE):
    root = parse_html(html)
    n_removed = remove_static_text(root, text)
    return n_removed, " ".join(" ".join(root.itertext()).split())


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<p>News.</p><p>{NOTICE}</p>", (1, "News.")),
        ("<p>News.</p><p>All  rights\n reserved by <b>the Herald.</b></p>", (1, "News.")),
        ("<p>News.</p><p>All rights\u00a0reserved by the Herald.</p>", (1, "News.")),
        (
            f"<p>{'A long sentence of news. ' * 5}{NOTICE} More.</p>",
            (1, "A long sentence of news. " * 5 + "More."),
        ),
        (f"<p>{NOTICE}</p><p>News.</p><p>{NOTICE}</p>", (2, "News.")),
        ("<p>News.</p>", (0, "News.")),
    ],
)
def test_static_text_is_removed_where_it_stands(html, expected):
    assert remaining(html) == expected


def test_empty_static_text_removes_nothing():
    assert remaining("<p>News.</p>", "  ") == (0, "News.")
