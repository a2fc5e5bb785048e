"""What a browser shows of a squeezed template is what it shows of the template."""

from itertools import product
from pathlib import Path

import pytest
from django.template import Context, Engine

from corpus_site.squeezed_templates import squeeze

ROOT = Path(__file__).resolve().parents[3]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


@pytest.mark.parametrize(
    ("source", "squeezed"),
    [
        ("<ul>\n    <li>One</li>\n    <li>Two</li>\n</ul>\n", "<ul><li>One</li><li>Two</li></ul>"),
        ("<p>\n    Some\n    <b>words</b>\n    here\n</p>", "<p>Some\n<b>words</b>\nhere</p>"),
        ("<p>Some <b>words</b> here</p>", "<p>Some <b>words</b> here</p>"),
        ("{% extends 'a' %}\n{% load b %}\n<p>\n</p>", "{% extends 'a' %}{% load b %}<p></p>"),
        ('<a\n    href="/"\n    data-open\n>\n    x\n</a>', '<a href="/" data-open>\nx\n</a>'),
        ('<a title="two\n  lines">x</a>', '<a title="two lines">x</a>'),
        ('<a href="?a=1\n  &amp;b=2">x</a>', '<a href="?a=1&amp;b=2">x</a>'),
        ('<a class="\n  b\n  {% if c %}d{% endif %}\n">', '<a class="b {% if c %}d{% endif %}">'),
        ("<button>\n    Save\n</button>\n<i>x</i>", "<button>Save</button>\n<i>x</i>"),
        ('<i>x</i>\n<form class="inline">', '<i>x</i>\n<form class="inline">'),
        ("<pre>\n  a\n  b\n</pre>\n", "<pre>\n  a\n  b\n</pre>"),
        ("<b>a</b>\n{# why #}\n<b>c</b>", "<b>a</b>\n<b>c</b>"),
        ("a{% endif %}\n{# joined #}\n{% if b %}, c", "a{% endif %}{% if b %}, c"),
        # Said twice: before the condition and in it, in it and behind.
        ("a\n{% if b %}\n    c\n{% endif %}\nd", "a\n{% if b %}c{% endif %}\nd"),
        ("a\n{% if b %}\n  c\n{% else %}\n  d\n{% endif %}\ne",
         "a\n{% if b %}c{% else %}d{% endif %}\ne"),
        # Said once: it stays.
        ("a{% if b %}\n    c{% endif %}", "a{% if b %}\nc{% endif %}"),
        ("a\n{% for b in c %}\n    {{ b }}\n{% endfor %}\nd",
         "a\n{% for b in c %}{{ b }}\n{% endfor %}\nd"),
        ("a\n{% for b in c %}\n    {{ b }}{% endfor %}",
         "a\n{% for b in c %}\n{{ b }}{% endfor %}"),
    ],
)  # fmt: skip
def test_white_space_that_never_shows_goes(source, squeezed):
    assert squeeze(source) == squeezed


@pytest.mark.parametrize("pieces", list(product(["", "\n  "], repeat=6)))
def test_conditions_and_loops_say_the_same_words_with_the_same_gaps(pieces):
    a, b, c, d, e, f = pieces
    source = (
        f"x{a}{{% if yes %}}{b}y{c}{{% else %}}{d}z{{% endif %}}{e}"
        f"{{% for word in words %}}{f}{{{{ word }}}}{a}{{% endfor %}}{b}q"
    )

    for yes, words in product([True, False], [[], ["v"], ["v", "w"]]):
        said = [
            Engine().from_string(text).render(Context({"yes": yes, "words": words})).split()
            for text in (source, squeeze(source))
        ]
        assert said[0] == said[1]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_squeezing_twice_changes_nothing_more(path):
    once = squeeze(path.read_text())

    assert squeeze(once) == once


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_but_white_space_and_notes_goes(path):
    source = path.read_text()
    notes = [note.split("#}")[0] for note in source.split("{#")[1:]]
    for note in notes:
        source = source.replace("{#" + note + "#}", "")

    assert "".join(squeeze(source).split()) == "".join(source.split())
