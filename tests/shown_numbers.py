"""Numbers on a page that open their hits, and what the concordance says when opened."""

import re
from html import unescape

from pages import markup

_CELL = re.compile(
    r'<td class="num[^"]*" data-k="(?P<head>[^"]*)"[^>]*>'
    r'(?:<svg.*?</svg> )?<a href="(?P<address>/(?:search|words/sketch/hits)/\?[^"]*)">'
    r"(?P<number>[\d\u202f]+)</a>"
)
_TOTAL = re.compile(r"<strong>([\d\u202f]+)</strong> hit")


def number_of(text: str) -> int:
    """Read a number with narrow spaces."""
    return int(text.replace("\u202f", ""))


def linked_numbers(page: str) -> list[tuple[str, str, int]]:
    """Head of the column, address and number of each cell that opens hits."""
    return [
        (found["head"], unescape(found["address"]), number_of(found["number"]))
        for found in _CELL.finditer(page)
    ]


def total_at(client, address: str) -> int:
    """How many hits the concordance at an address has."""
    response = client.get(address, follow=True)
    assert response.status_code == 200, address
    found = _TOTAL.search(markup(response))
    return number_of(found[1]) if found else 0


def assert_numbers_open_their_hits(client, page: str, least: int) -> None:
    """Open every linked number of a page; there must be some."""
    links = linked_numbers(page)
    assert len(links) >= least
    for head, address, number in links:
        assert total_at(client, address) == number, (head, address)
