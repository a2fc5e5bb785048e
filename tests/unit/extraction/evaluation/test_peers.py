"""Libraries of others on one page: in a child, without network, and whatever they do there."""

import logging
import os
import socket
import warnings

import pytest
from newspaper_pages import PARAGRAPHS, article_page

from extraction.evaluation.extractor_runs import ExtractorAnswer, prepare, run
from extraction.evaluation.peers import INSTALL, PEERS, Peer, ask_peer, parse_compared
from extraction.html.algorithms.parameters import AlgorithmParameterError
from extraction.html.algorithms.registry import ExtractorChoice
from extraction.html.page import PageInput
from feeds.crawler.documents.limited_work import Limits

PAGE = PageInput(body=article_page(), url="https://herald.example/a")
MISSING = Peer("nobody", "Nobody", "nobody-extractor", "nobody_extractor", lambda page, _: page)


def library(text_of):
    """Make a peer of a function, by a package that is there."""
    return Peer("own", "Own", "lxml", "lxml", text_of)


def test_a_peer_is_given_characters_and_address():
    latin = PageInput(
        body="<p>Größe</p>".encode("windows-1252"),
        url="https://herald.example/b",
        content_type="text/html; charset=windows-1252",
    )

    found = ask_peer(library(lambda page, url: f"{url} {page}"), latin)

    assert (found.text, found.error) == ("https://herald.example/b <p>Größe</p>", "")


def test_what_a_peer_raises_is_its_error():
    found = ask_peer(library(lambda page, _: page.nothing), PAGE)

    assert (found.text, found.error) == (
        "",
        "AttributeError: 'str' object has no attribute 'nothing'",
    )


@pytest.mark.parametrize("ill", [lambda _, __: _spin(), lambda _, __: os._exit(1)])
def test_a_peer_that_hangs_or_dies_ends_alone(ill):
    found = ask_peer(library(ill), PAGE, Limits(cpu_seconds=1, wall_seconds=20))

    assert (found.text, found.error) == ("", "It took too much time or memory: it was ended.")


def _spin():
    while True:
        pass


def test_a_peer_has_no_network_and_we_keep_ours():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()

        found = ask_peer(library(lambda _, __: str(socket.create_connection(address))), PAGE)
        with socket.create_connection(address) as connection:
            is_ours_open = connection.getpeername() == address

    assert (found.error, is_ours_open) == ("gaierror: no network for socket.getaddrinfo", True)


def test_what_a_peer_tells_of_a_page_stands_in_no_log(capfd):
    def talking(page, _):
        logging.getLogger("talking").critical("What a page!")
        warnings.warn("What a page!", stacklevel=1)
        return page

    found = ask_peer(library(talking), PageInput(body=b"<p>Page</p>"))

    assert (found.text, found.error, capfd.readouterr().err) == ("<p>Page</p>", "", "")


def test_a_peer_is_run_beside_our_extractors():
    page = prepare(PAGE)

    answer = run(library(lambda _, __: PARAGRAPHS[0]), page)

    assert answer == ExtractorAnswer(
        PARAGRAPHS[0], None, answer.milliseconds, answer.remark, error=""
    )
    assert answer.remark.startswith("Version ")


def test_names_are_of_peers_or_of_our_extractors(monkeypatch):
    here = library(lambda page, _: page)
    monkeypatch.setitem(PEERS, "own", here)

    assert parse_compared(" own ") is here
    assert parse_compared("qread:gap_lines=6") == ExtractorChoice.parse("qread:gap_lines=6")


def test_a_peer_that_is_not_installed_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(PEERS, "nobody", MISSING)

    with pytest.raises(AlgorithmParameterError) as refused:
        parse_compared("nobody")

    assert str(refused.value) == f"Nobody is not installed here: {INSTALL}"
    assert (MISSING.is_installed, MISSING.version) == (False, "")


@pytest.mark.parametrize("peer", PEERS.values(), ids=PEERS)
def test_each_peer_reads_an_article(peer):
    if not peer.is_installed:
        pytest.skip(f"{peer.package} is an extra")

    found = ask_peer(peer, PAGE)

    assert found.error == ""
    assert [text for text in PARAGRAPHS if " ".join(text.split()) not in _joined(found.text)] == []


def _joined(text):
    return " ".join(text.split())
