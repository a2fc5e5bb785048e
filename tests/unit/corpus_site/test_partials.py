"""Parts that many pages share: pagers and the heads of sections."""

import pytest
from django.core.paginator import Paginator
from django.template import engines
from django.template.loader import render_to_string


def pager(number, **given):
    page = Paginator(range(60), 25).get_page(number)
    return " ".join(render_to_string("_pager.html", {"page": page, **given}).split())


def head(arguments):
    return engines["django"].from_string(f"{{% load house %}}{{% section_head {arguments} %}}")


def test_a_pager_keeps_what_stands_around_the_number():
    shown = pager(2, address="?state=due&p=", kept="#rows")

    assert 'data-prev href="?state=due&amp;p=1#rows"> Previous 25' in shown
    assert 'data-next href="?state=due&amp;p=3#rows"> Next 25' in shown


@pytest.mark.parametrize(
    ("number", "missing"), [(1, "data-prev"), (3, "data-next")], ids=["first", "last"]
)
def test_the_ends_have_one_way(number, missing):
    assert missing not in pager(number, address="?p=")


def test_a_pager_says_which_rows_are_shown_where_it_is_asked_to():
    assert "26–50 of 60" in pager(2, address="?p=", extent="figures")
    assert " of 60" not in pager(2, address="?p=")


def test_a_section_head_has_what_is_given():
    plain = head('"h-f" "Feeds"').render({})
    full = head('"h-f" "Feeds" "worst first" address="/feeds/" link="All"').render({})

    assert '<h2 id="h-f">Feeds</h2>' in plain
    assert "span" not in plain
    assert "<a" not in plain
    assert '<span class="small muted">worst first</span>' in full
    assert '<a class="end small" href="/feeds/">All</a>' in full


def test_a_section_head_escapes_what_it_is_given():
    assert "<i>" not in head('"" title').render({"title": "<i>"})
