import doctest

from extraction.html.extract_page import extract_page
from extraction.html.markup import unpacking
from extraction.html.page import PageInput

STORY = " ".join(
    f"<p>The council met on day {day} and spoke about the braai by-law.</p>" for day in range(30)
)


def page(script_type: str, content: str) -> bytes:
    return (
        "<html><head><title>By-law</title></head><body><nav><a href='/'>Home</a></nav>"
        f"<div class='post'><script type='{script_type}'>{content}</script>"
        f"<noscript>{content}</noscript></div><footer>All rights reserved</footer></body></html>"
    ).encode()


def test_examples_of_the_docstring_hold():
    assert doctest.testmod(unpacking).failed == 0


def test_post_in_a_template_script_is_the_text_once():
    text = extract_page(PageInput(body=page("text/template", STORY))).text

    assert text.count("on day 7 and") == 1
    assert text.count("\n") == 29


def test_template_with_places_to_fill_in_is_no_text():
    pattern = STORY.replace("council", "{{ name }}")

    assert "met on day" not in extract_page(PageInput(body=page("text/template", pattern))).text


def test_program_is_no_text():
    assert "met on day" not in extract_page(PageInput(body=page("text/javascript", STORY))).text


def test_json_whose_strings_hold_markup_is_no_text():
    data = '{"type": "Image", "caption": "' + STORY + '"}'

    assert "met on day" not in extract_page(PageInput(body=page("text/template", data))).text
