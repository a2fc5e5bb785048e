"""DensitySum against a literal recursive reading of the formulas of Sun, Song & Liao 2011."""

import string
from math import e, log

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from read_pages import kept

from extraction.html.algorithms.composite_density import (
    Counted,
    DensityParameters,
    composite_density,
)
from extraction.html.lines.text_density import content_elements, text_densities
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html

LINKS = {"a", "button", "select"}


class Literal:
    """The formulas, element by element, on the tree itself."""

    def __init__(self, body):
        self.body = body
        self.share = self.linked(body) / (self.chars(body) or 1)
        self.rounded = {}

    def round_as(self, elements, densities):
        """Take another's values, known to be close: of equals the order of adding decides else."""
        values = zip(elements, densities.density, densities.density_sum, strict=True)
        self.rounded = {element: (one, total) for element, one, total in values}

    @staticmethod
    def length(text):
        return len(" ".join((text or "").split()))

    def runs(self, element):
        return [self.length(element.text), *(self.length(child.tail) for child in element)]

    def chars(self, element):
        return sum(self.runs(element)) + sum(self.chars(child) for child in element)

    def linked(self, element):
        is_linked = any(up.tag in LINKS for up in (element, *element.iterancestors()))
        return (sum(self.runs(element)) if is_linked else 0) + sum(map(self.linked, element))

    def composite(self, element):
        if element in self.rounded:
            return self.rounded[element][0]
        chars, linked = self.chars(element), self.linked(element)
        if chars == 0:
            return 0.0
        tags = sum(1 for _ in element.iterdescendants()) or 1
        links = sum(1 for below in element.iterdescendants() if below.tag in LINKS) or 1
        outside = (chars - linked) or 1
        base = log(log(chars / outside * linked + self.share * chars + e))
        if base <= 0:
            return chars / tags
        return max(chars / tags * log(chars * tags / ((linked or 1) * links)) / base, 0.0)

    def density_sum(self, element):
        if element in self.rounded:
            return self.rounded[element][1]
        direct = 0.0
        for n in self.runs(element):
            if n > 1:
                base = log(log(self.share * n + e))
                direct += n * log(n) / base if base > 0 else n
        return sum(self.composite(child) for child in element) + direct

    def best(self, element):
        return max(element.iter(), key=self.density_sum)

    def content(self):
        best = self.best(self.body)
        if self.density_sum(best) <= 0:
            return []
        path = [best]
        while path[-1] is not self.body:
            path.append(path[-1].getparent())
        threshold = min(map(self.composite, path))
        marked = []
        self.mark(self.body, threshold, marked)
        return [
            element
            for element in self.body.iter()
            if element in marked and not any(up in marked for up in element.iterancestors())
        ]

    def mark(self, element, threshold, marked):
        if self.composite(element) < threshold:
            return
        best = self.best(element)
        marked.append(best)
        if best is not element:
            for child in element:
                self.mark(child, threshold, marked)


class LiteralMarks(Literal):
    """The same of punctuation marks."""

    @staticmethod
    def length(text):
        return sum(character in string.punctuation for character in text or "")


WORDS = st.sampled_from(["", "a", "some words", "a longer run of words in the page", "x" * 90])
MARKS = st.sampled_from(["", "a", "One, two.", '"No" - (he said); why? Because: yes!', "a word"])


@st.composite
def pages(draw, words=WORDS, depth=0):
    parts = [draw(words)]
    for _ in range(draw(st.integers(0, 3)) if depth < 3 else 0):
        tag = draw(st.sampled_from(["div", "span", "a", "b"]))
        parts.append(f"<{tag}>{draw(pages(words, depth + 1))}</{tag}>{draw(words)}")
    return "".join(parts)


# Two elements of one density sum, but for the last digit.
EQUALS = (
    f"some words<div>a longer run of words in the page<div></div>{'x' * 90}"
    f"<a>a<a>a</a>a</a>{'x' * 90}</div>a longer run of words in the page"
    "<div><a>a<a>a</a>a<div>a longer run of words in the page</div>"
    f"{'x' * 90}<a>a longer run of words in the page</a>a</a>{'x' * 90}</div>"
    "a longer run of words in the page"
)


@given(pages())
@example(EQUALS)
def test_densities_and_content_are_those_of_the_formulas(html):
    root = parse_html(f"<html><body><div>{html}</div></body></html>")
    outline = outline_page(root)

    assert_densities(outline, text_densities(outline), Literal(root.find("body")))


@given(pages(MARKS))
def test_densities_of_punctuation_are_those_of_the_formulas(html):
    root = parse_html(f"<html><body><div>{html}</div></body></html>")
    outline = outline_page(root)
    literal = LiteralMarks(root.find("body"))
    runs = [literal.runs(element) for element in outline.elements]

    assert_densities(outline, text_densities(outline, runs), literal)


def assert_densities(outline, densities, literal):
    below_body = outline.elements[1:]
    assert densities.density[1:] == pytest.approx([*map(literal.composite, below_body)])
    assert densities.density_sum[1:] == pytest.approx([*map(literal.density_sum, below_body)])
    literal.round_as(outline.elements, densities)
    found = [outline.elements[index] for index in content_elements(outline, densities)]
    assert found == literal.content()


def test_sentences_are_told_from_a_longer_list_by_their_punctuation():
    places = "".join(f"<li>Borough of place number {number}</li>" for number in range(9))
    text = "<p>No, he said. Why? Rain, wind: the quay.</p>"
    page = f"<body><ul>{places}</ul><div>{text}{text}</div></body>"

    by_marks = kept(page, composite_density, DensityParameters(Counted.PUNCTUATION))

    assert by_marks == ["No, he said. Why? Rain, wind: the quay."] * 2
    assert kept(page, composite_density, DensityParameters()) != by_marks


def test_dense_container_is_kept():
    words = "word " * 40
    page = f"<body><ul><li><a>Home</a></li></ul><div><p>{words}</p><p>{words}</p></div></body>"

    assert kept(page, composite_density, DensityParameters()) == [words.strip()] * 2
