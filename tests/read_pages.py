"""A small page through one extraction algorithm, for the tests of the algorithms."""

from extraction.html.algorithms.scored_page import read_page
from extraction.html.page import PageInput


def read(html, url="", site=None):
    """The page as the algorithms get it."""
    return read_page(PageInput(body=html.encode(), url=url), site)


def scored(html, algorithm, parameters):
    """What the algorithm answers."""
    return algorithm(read(html), parameters)


def kept(html, algorithm, parameters):
    """Texts of the lines that the algorithm keeps."""
    page = read(html)
    lines = algorithm(page, parameters).kept_lines
    return [page.outline.lines[position].text for position in lines]
