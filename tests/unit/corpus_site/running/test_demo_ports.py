"""The ports of the demo's newspapers: free ones beside the site's own."""

import socket

import pytest

from corpus_site.demo import PORTS_ABOVE, first_free_ports


@pytest.mark.parametrize("site_port", [8000, 8101, 30_000, 65_500])
def test_ports_of_papers_are_free_and_not_the_sites_own(site_port):
    first = first_free_ports(4, site_port)

    assert site_port not in range(first, first + 4)
    assert 1024 < first <= 65_532


def test_row_with_a_taken_port_is_left_out():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        taken = other.getsockname()[1]

        first = first_free_ports(4, taken - PORTS_ABOVE - 1)

        assert taken not in range(first, first + 4)


def test_port_above_the_site_is_tried_first():
    assert first_free_ports(1, 20_000) >= 20_000 + PORTS_ABOVE
