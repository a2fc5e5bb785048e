"""How a page was read, line by line: fates, reasons, fields, and elements of the lines."""

import re
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from newspaper_pages import PARAGRAPHS, TITLE, article_page, paragraphs_html

from extraction.html.extract_page import extract_page
from extraction.html.lines.drop_reasons import DropReason
from extraction.html.markup.decode import decode_html
from extraction.html.markup.parse import parse_html
from extraction.html.page import PageInput
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind, SiteRules
from extraction.html.trace.inert_page import NUMBER, inert_markup
from extraction.html.trace.line_groups import LineFate, element_paths, group_lines
from extraction.html.trace.marking import mark_page
from extraction.html.trace.page_trace import NO_ELEMENT, as_stored, trace_page

PICTURE = "<figure><img src='/p.jpg'><figcaption>Maas in a pot</figcaption></figure>"
AROUND = {
    "before": "<nav class='menu'><a href='/'>Home</a> <a href='/n'>News of the day</a></nav>"
    "<div hidden>Not for readers</div>",
    "after": "<div class='comments'><p>Nice one, Thandi!</p></div>"
    "<footer>© 2026 Saldanha Herald. All rights reserved.</footer>",
}


def page_of(body=None, **parts):
    return PageInput(body=article_page(body, **(AROUND | parts)))


def traced(page):
    trace = trace_page(page)
    return trace, parse_html(decode_html(page.body).text)


def reasons(trace):
    lines = {line.text: line.dropped.reason for line in trace.lines if line.dropped}
    return lines | {part.text: part.dropped.reason for part in trace.parts}


def test_a_trace_says_of_each_line_what_became_of_it():
    trace, _ = traced(page_of(paragraphs_html(PARAGRAPHS[:2]) + PICTURE + paragraphs_html()))

    kept = [line.text for line in trace.lines if line.is_kept]
    assert kept == [*PARAGRAPHS[:2], "Maas in a pot", *PARAGRAPHS]
    found = reasons(trace)
    assert found["Home News of the day"] is DropReason.NAVIGATION
    assert found["Not for readers"] is DropReason.HIDDEN
    assert found["Nice one, Thandi!"] is DropReason.COMMENTS
    assert found["© 2026 Saldanha Herald. All rights reserved."] is DropReason.FRAME
    assert [line.text for line in trace.lines if line.field == "title"] == [TITLE]


def test_one_line_may_show_two_fields():
    head = (
        "<meta name='author' content='Thandi Nkosi'>"
        "<meta property='article:published_time' content='2026-11-19T10:30:00+02:00'>"
    )
    byline = "<div class='byline'>By Thandi Nkosi, 19 November 2026</div>"
    trace, root = traced(page_of(head=head, before=f"<h1>{TITLE}</h1>{byline}"))

    (group,) = [g for g in group_lines(trace, root) if "19 November" in g.text]

    assert (group.fate, group.why) == (LineFate.FIELD, "date of publication and author")


def test_tracing_changes_nothing_of_the_extraction():
    page = page_of(paragraphs_html() + PICTURE)

    traced, plain = trace_page(page).extracted, extract_page(page)
    assert (traced.text, traced.blocks, traced.title) == (plain.text, plain.blocks, plain.title)
    assert traced.reason == plain.reason


def test_what_a_rule_removed_is_named():
    rule = Rule(RuleField.REMOVE, RuleKind.CSS, ".promo")
    body = paragraphs_html(PARAGRAPHS[:3]) + "<p class='promo'>Buy maas!</p>" + paragraphs_html()
    page = PageInput(body=article_page(body), rules=SiteRules((rule,)))

    assert reasons(trace_page(page))["Buy maas!"] is DropReason.RULE


def test_each_kept_block_stands_at_its_path_in_the_archived_page():
    body = (
        f"<div>{PARAGRAPHS[0]}<br><br>{PARAGRAPHS[1]}<p>{PARAGRAPHS[2]}</p>{PARAGRAPHS[3]}</div>"
        f"<script>x()</script><div style='display:none'>secret</div>{paragraphs_html()}"
    )
    trace, root = traced(page_of(body))

    groups = [group for group in group_lines(trace, root) if group.fate is LineFate.KEPT]

    assert len(groups) >= len(PARAGRAPHS)
    for group in groups:
        (element,) = root.getroottree().xpath(group.path)
        words = " ".join("".join(element.itertext()).split())
        assert all(line.text in words for line in group.lines)


def test_lines_of_one_element_with_several_fates_are_marked_one_by_one():
    body = f"<div>{PARAGRAPHS[0]}<br>{PARAGRAPHS[1]}<p>{PARAGRAPHS[2]}</p>{PARAGRAPHS[3]}</div>"
    trace, root = traced(page_of(body + paragraphs_html()))
    groups = group_lines(trace, root)

    mark_page(root, groups, trace)

    markup = inert_markup(root)
    marked = re.findall(r'<span data-mark="kept" id="[^"]+">([^<]*)</span>', markup)
    assert marked == [PARAGRAPHS[0], PARAGRAPHS[1], PARAGRAPHS[3]]
    assert f'">{PARAGRAPHS[2]}</p>' in markup


def test_what_was_dropped_for_one_reason_in_one_part_is_one_group():
    trace, root = traced(page_of(before="<nav><p>One</p><p>Two</p><ul><li>Three</ul></nav>"))

    (menu,) = [g for g in group_lines(trace, root) if g.text == "One Two Three"]

    assert (menu.fate, menu.why, len(menu.lines)) == (LineFate.DROPPED, "navigation: nav", 3)
    assert menu.path == "/html/body/main/article/nav"


def test_no_page_can_set_our_marks():
    page = page_of("<p data-mark='kept' data-why='trust me' data-n='1' id='n4'>Hm</p>")
    trace, root = traced(page)

    mark_page(root, group_lines(trace, root), trace)

    markup = inert_markup(root)
    assert "trust me" not in markup
    assert markup.count('id="n4"') <= 1


def test_numbers_are_places_in_the_page_as_parsed():
    root = parse_html("<form><p>a<p>b</form><my-box>c</my-box>")

    for number, element in enumerate(root.iter()):
        element.set(NUMBER, str(number))

    assert element_paths(root, [3, 5]) == {3: "/html/body/form/p[1]", 5: "/html/body/my-box"}
    assert inert_markup(root) == (
        '<div data-n="2"><p data-n="3">a</p><p data-n="4">b</p></div><div data-n="5">c</div>'
    )


def test_kept_is_what_is_stored_whatever_version_read_it():
    trace, _ = traced(page_of())
    stored = "\n".join([*PARAGRAPHS[1:3], "Only in its data."])

    judged = as_stored(trace, stored)

    assert [line.text for line in judged.lines if line.is_kept] == list(PARAGRAPHS[1:3])
    assert reasons(judged)[PARAGRAPHS[0]] is DropReason.EARLIER
    assert (judged.is_as_stored, judged.n_missing) == (False, 1)
    assert as_stored(trace, trace.extracted.text) is trace


def test_a_text_from_json_ld_is_found_where_the_page_shows_it():
    said = "\\n".join(PARAGRAPHS)
    head = (
        '<script type="application/ld+json">{"@type": "NewsArticle", "articleBody": "'
        + said * 3
        + '"}</script>'
    )
    trace, _ = traced(page_of(paragraphs_html(PARAGRAPHS[:1]), head=head))

    judged = as_stored(trace, trace.extracted.text)

    assert trace.extracted.extractor == "json_ld"
    assert [line.text for line in judged.lines if line.is_kept] == [PARAGRAPHS[0]]
    assert judged.n_missing == trace.extracted.text.count("\n")


def test_cells_of_a_stored_row_are_found_together():
    cells = "".join(f"<td>{cell}</td>" for cell in ("Maas", "12 l", "R 30"))
    trace, _ = traced(page_of(f"{paragraphs_html()}<table><tr>{cells}</tr></table>"))

    judged = as_stored(trace, f"{PARAGRAPHS[0]}\nMaas 12 l R 30")

    assert [line.text for line in judged.lines if line.is_kept][1:] == ["Maas", "12 l", "R 30"]


WHOLE = article_page(paragraphs_html() + PICTURE, **AROUND)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, len(WHOLE)), st.binary(max_size=30))
def test_any_page_is_traced_and_marked(cut, junk):
    body = WHOLE[:cut] + junk + WHOLE[cut + len(junk) :]
    trace, root = traced(PageInput(body=body))
    n_elements = sum(1 for _ in root.iter())

    groups = group_lines(trace, root)
    mark_page(root, groups, trace)

    assert all(NO_ELEMENT <= group.element < n_elements for group in groups)
    shown = [line for group in groups for line in group.lines if line.run >= 0]
    assert len(shown) == sum(line.element != NO_ELEMENT for line in trace.lines)
    inert_markup(root)


@pytest.mark.parametrize(
    "body", [b"", b"\x00\xff", b"<div>" * 3000, zlib.compress(b"x" * 9999), b"<br>a" * 9000]
)
def test_odd_pages_are_traced(body):
    trace, root = traced(PageInput(body=body))

    mark_page(root, group_lines(trace, root), trace)
