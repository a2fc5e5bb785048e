"""Boxes on many pages: found by words, links or name; the article's own parts are none."""

from known_site import known_page

from extraction.html.markup.parse import parse_html
from extraction.html.proposals.repeated_boxes import repeated_boxes

NEWSLETTER = "<div class='letter'><p>Get our best stories every week.</p></div>"


def page(number, box="", *, leaks=False):
    known = known_page(number)
    body = known.body.decode().replace("</div></main>", f"{box}</div></main>")
    text = f"{known.text}\nGet our best stories every week." if leaks else known.text
    return parse_html(body), text


def found(pages):
    return {box.rule.selector: box for box in repeated_boxes(pages)}


def test_boxes_are_found_with_what_speaks_against_them():
    boxes = found([page(n, NEWSLETTER if n < 4 else "", leaks=n < 2) for n in range(6)])

    letter, related = boxes["div.letter"], boxes["div.related"]
    assert (letter.n_pages, letter.n_sample, letter.in_texts) == (4, 6, 2)
    assert letter.why == "the same words on most of them"
    assert letter.preview == "Get our best stories every week."
    assert (related.n_pages, related.in_texts, related.why) == (6, 0, "mostly links")
    assert next(iter(boxes)) == "div.letter"


def test_the_story_and_its_byline_are_no_boxes():
    assert not {"div.story", "p.byline"} & set(found([page(n) for n in range(6)]))


def test_a_note_on_the_author_is_told_by_its_name():
    boxes = found([page(n, f"<div class='author-bio'>Writer {n} lives.</div>") for n in range(4)])

    assert boxes["div.author-bio"].why == "by its name"


def test_what_stands_on_few_pages_is_an_articles_own():
    assert "div.letter" not in found([page(n, NEWSLETTER if n < 2 else "") for n in range(8)])
