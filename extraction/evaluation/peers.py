"""Open extractors of others, to compare with ours: a page as characters → its text.

They are the extra `peers`, imported where one of them is asked for and never chosen for a
publication. All licences are permissive (Apache 2.0, MIT), as ours is, so the
libraries may run in our processes. What they read is a stranger's, so each page is read in a child
of its own, without network and within limits: a library that hangs or swells ends alone.
"""

import logging
import socket
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

from extraction.html.algorithms.parameters import AlgorithmParameterError
from extraction.html.algorithms.registry import ExtractorChoice
from extraction.html.markup.decode import decode_html
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html
from extraction.html.page import PageInput
from feeds.crawler.documents.limited_work import Limits, WorkEndedError, run_limited

# Somebody waits for all of them, or a worker's lease does: a page takes the slowest half a second.
LIMITS = Limits(cpu_seconds=8, wall_seconds=8, more_bytes=600 << 20, yields=True)
# What a library may say of its error; the rest is of no use in a table's cell.
_MOST_ERROR_CHARACTERS = 200
# By Python's audit events: all ways out of it, the look-up of names among them.
_NETWORK_EVENTS = frozenset(
    ["socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo",
     "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Peer:
    """One library: its name in addresses and runs, and how it is asked."""

    name: str
    label: str
    package: str  # as registries name it
    module: str
    text_of: Callable[[str, str], str]  # characters of a page and its address → text

    @property
    def is_installed(self) -> bool:
        """Whether it can be asked; nothing is imported to know."""
        return find_spec(self.module) is not None

    @property
    def version(self) -> str:
        """Version of the installed package, empty where there is none."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return ""


@dataclass(frozen=True, slots=True)
class PeerText:
    """What a peer made of a page; `milliseconds` of CPU, without the import of the library."""

    text: str
    milliseconds: float
    error: str = ""


def _trafilatura(page: str, url: str) -> str:
    """Ask with its defaults, comments of readers left out: they are none of the article."""
    library: Any = import_module("trafilatura")
    return library.extract(page, url=url or None, include_comments=False) or ""


def _readability(page: str, url: str) -> str:
    library: Any = import_module("readability")
    summary = library.Document(page, url=url or None).summary()
    return "\n".join(line.text for line in outline_page(parse_html(summary)).lines)


def _newspaper(page: str, url: str) -> str:
    library: Any = import_module("newspaper")
    article = library.Article(url or "http://page.invalid/", fetch_images=False)
    article.download(input_html=page)
    article.parse()
    return str(article.text)


def _resiliparse(page: str, _: str) -> str:
    """Ask for the main content, in lines; it takes no address."""
    library: Any = import_module("resiliparse.extract.html2text")
    return str(
        library.extract_plain_text(
            page, main_content=True, alt_texts=False, links=False, preserve_formatting=True
        )
    )


def _boilerpy3(page: str, _: str) -> str:
    """Ask for articles, by shallow features of blocks (Kohlschütter, Fankhauser & Nejdl 2010)."""
    library: Any = import_module("boilerpy3.extractors")
    return str(library.ArticleExtractor().get_doc(page).content)


PEERS: dict[str, Peer] = {
    peer.name: peer
    for peer in (
        Peer("trafilatura", "Trafilatura", "trafilatura", "trafilatura", _trafilatura),
        Peer("readability", "Readability", "readability-lxml", "readability", _readability),
        Peer("newspaper4k", "Newspaper4k", "newspaper4k", "newspaper", _newspaper),
        Peer("resiliparse", "Resiliparse", "resiliparse", "resiliparse", _resiliparse),
        Peer("boilerpy3", "Boilerpipe", "boilerpy3", "boilerpy3", _boilerpy3),
    )
}

# By their own names: an index of packages may know another “broadsheet”.
INSTALL = f"python -m pip install {' '.join(sorted(peer.package for peer in PEERS.values()))}"
Compared = ExtractorChoice | Peer  # what may stand in a comparison


def missing_labels() -> str:
    """Name the peers that are not installed, in one phrase; empty where all are."""
    return ", ".join(peer.label for peer in PEERS.values() if not peer.is_installed)


def parse_compared(text: str) -> Compared:
    """Read the name of a peer, or an extractor of ours as `ExtractorChoice.parse` does.

    Raises
    ------
    AlgorithmParameterError
        As there, and for a peer that is not installed.
    """
    peer = PEERS.get(text.strip())
    if peer is None:
        return ExtractorChoice.parse(text)
    if not peer.is_installed:
        raise AlgorithmParameterError(f"{peer.label} is not installed here: {INSTALL}")
    return peer


def ask_peer(peer: Peer, page: PageInput, limits: Limits = LIMITS) -> PeerText:
    """Ask a peer for a page's text in a child; whatever goes wrong there is its error.

    All peers are given the same characters, decoded as ours are.
    """

    def ask() -> PeerText:
        # What a library says of a stranger's page is for nobody's log.
        logging.disable(logging.CRITICAL)
        warnings.simplefilter("ignore")
        try:
            return _asked(peer, page)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 (a stranger's library; its failure is a figure)
            return PeerText("", 0.0, f"{type(error).__name__}: {error}"[:_MOST_ERROR_CHARACTERS])

    try:
        return run_limited(ask, limits)
    except WorkEndedError:
        return PeerText("", 0.0, "It took too much time or memory: it was ended.")


def _asked(peer: Peer, page: PageInput) -> PeerText:
    page_text = decode_html(page.body, page.content_type).text
    import_module(peer.module)
    sys.addaudithook(_without_network)
    start = time.process_time()
    text = peer.text_of(page_text, page.url)
    return PeerText(text, 1000 * (time.process_time() - start))


def _without_network(event: str, _: tuple[Any, ...]) -> None:
    """Refuse all connections, as a network that is down does; libraries know what to do then."""
    if event in _NETWORK_EVENTS:
        raise socket.gaierror(f"no network for {event}")
