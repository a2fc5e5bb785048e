"""Lines that hold a text, in order or, on very long pages, without it."""

from extraction.evaluation import extractor_runs
from extraction.evaluation.extractor_runs import line_labels, prepare, run
from extraction.html.algorithms.registry import ExtractorChoice
from extraction.html.page import PageInput

PAGE = (
    b"<body><p>Home</p><p>The milk was gone by noon, and nobody knew why.</p>"
    b"<p>Shops waited for more of it all day long.</p><p>Terms of use and of sale</p></body>"
)
TEXT = "The milk was gone by noon, and nobody knew why.\nShops waited for more of it all day long."


def test_lines_of_a_text_are_found_either_way(monkeypatch):
    page = prepare(PageInput(body=PAGE))

    in_order = line_labels(page, TEXT)
    monkeypatch.setattr(extractor_runs, "MAX_CHARACTER_PAIRS", 0)
    by_shingles = line_labels(page, TEXT)

    assert in_order == by_shingles == {1, 2}


def test_failing_extractor_is_an_answer_with_its_error():
    page = prepare(PageInput(body=PAGE))

    answer = run(ExtractorChoice("qread", None), page)

    assert (answer.text, answer.lines) == ("", ())
    assert answer.error.startswith("AttributeError")
