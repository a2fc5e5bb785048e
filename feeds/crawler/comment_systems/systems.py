"""The table of comment systems: how each is found in a page, asked and read.

An address tells its own system, so nothing of it must be remembered beside the address. The first
entry that finds itself in a page wins: those with a thread of their own before those that can be
named only, and WordPress last, whose interface nearly every page of it names.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from feeds.crawler.comment_systems import (
    discourse,
    disqus,
    open_servers,
    viafoura,
    wordpress,
)
from feeds.crawler.comment_systems.disqus_answers import read_disqus
from feeds.crawler.comment_systems.named import JETPACK, NAMED_SYSTEMS, NamedSystem
from feeds.crawler.comment_systems.page_scan import PageScan, signs_in_bytes
from feeds.crawler.comment_systems.threads import NOT_READABLE, Thread, ThreadReference
from feeds.crawler.timing.conditional import Headers


def _no_further_url(url: str, answer: Thread, api_key: str = "") -> str:  # noqa: ARG001 (entries share it)
    return ""


def _read_disqus(url: str, body: bytes, headers: Headers) -> Thread:  # noqa: ARG001 (readers share it)
    return read_disqus(body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How a system is asked and read.

    ``first_url`` is empty for a thread that cannot be asked for. ``further_url`` takes the address
    of an answer, the answer and the system's key, if there is one.
    """

    first_url: Callable[[ThreadReference], str]
    owns: Callable[[str], bool]
    read: Callable[[str, bytes, Headers], Thread]
    further_url: Callable[[str, Thread, str], str] = _no_further_url


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentSystem:
    """One system; without a reader it is named only.

    ``tells_state`` says that it tells whether a thread is closed. ``has_global_ids``: numbers of
    its posts are unique among all sites. ``holds_page_comments``: what
    stands in the page is the same comments, under the same numbers. ``may_be_off``: pages name it
    although it may refuse to answer, and nobody is to blame then. ``may_lack_place``: pages may
    name it without all that an address takes.
    """

    key: str
    name: str
    signs: tuple[bytes, ...]
    find: Callable[[PageScan], ThreadReference | None]
    reader: Reader | None = None
    tells_state: bool = False
    has_global_ids: bool = False
    holds_page_comments: bool = False
    may_be_off: bool = False
    may_lack_place: bool = False


def _named(system: NamedSystem) -> CommentSystem:
    return CommentSystem(key=system.key, name=system.name, signs=system.signs, find=system.finder())


SYSTEMS: tuple[CommentSystem, ...] = (
    CommentSystem(
        key=disqus.DISQUS,
        name="Disqus",
        signs=(b"disqus",),
        find=disqus.find,
        reader=Reader(
            first_url=disqus.embed_url,
            owns=disqus.owns,
            read=_read_disqus,
            further_url=disqus.further_url,
        ),
        tells_state=True,
        has_global_ids=True,
    ),
    CommentSystem(
        key=discourse.DISCOURSE,
        name="Discourse",
        signs=(b"discourseurl",),
        find=discourse.find,
        reader=Reader(
            first_url=discourse.first_url,
            owns=discourse.owns,
            read=discourse.read,
            further_url=discourse.further_url,
        ),
        tells_state=True,
    ),
    CommentSystem(
        key=open_servers.REMARK42,
        name="Remark42",
        signs=(b"remark_config",),
        find=open_servers.find_remark42,
        reader=Reader(
            first_url=open_servers.remark42_url,
            owns=open_servers.owns_remark42,
            read=open_servers.read_remark42,
        ),
        tells_state=True,
    ),
    CommentSystem(
        key=open_servers.ISSO,
        name="Isso",
        signs=(b"data-isso",),
        find=open_servers.find_isso,
        reader=Reader(
            first_url=open_servers.isso_url,
            owns=open_servers.owns_isso,
            read=open_servers.read_isso,
        ),
    ),
    CommentSystem(
        key=open_servers.CUSDIS,
        name="Cusdis",
        signs=(b"cusdis",),
        find=open_servers.find_cusdis,
        reader=Reader(
            first_url=open_servers.cusdis_url,
            owns=open_servers.owns_cusdis,
            read=open_servers.read_cusdis,
            further_url=open_servers.further_cusdis,
        ),
    ),
    CommentSystem(
        key=viafoura.VIAFOURA,
        name="Viafoura",
        signs=(b"viafoura", b"vf-comments", b"vf-conversations", b"vf:container_id"),
        find=viafoura.find,
        reader=Reader(
            first_url=viafoura.first_url,
            owns=viafoura.owns,
            read=viafoura.read,
            further_url=viafoura.further_url,
        ),
        may_lack_place=True,
    ),
    *(_named(system) for system in NAMED_SYSTEMS),
    CommentSystem(
        key=wordpress.WORDPRESS,
        name="WordPress",
        signs=(b"wp/v2", b"api.w.org"),
        find=wordpress.find,
        reader=Reader(
            first_url=wordpress.first_url,
            owns=wordpress.owns,
            read=wordpress.read,
            further_url=wordpress.further_url,
        ),
        holds_page_comments=True,
        may_be_off=True,
    ),
    _named(JETPACK),
)
BY_KEY: Mapping[str, CommentSystem] = {system.key: system for system in SYSTEMS}
# Looked for in one pass: 0.2 ms a page, where a search for each sign costs 2 ms.
_SIGNS = signs_in_bytes(sign for system in SYSTEMS for sign in system.signs)
_SIGN_OWNERS: list[int] = [number for number, system in enumerate(SYSTEMS) for _ in system.signs]


def find_thread(body: bytes, url: str) -> ThreadReference | None:
    """Find the thread of readers' comments that an article's page names.

    Parameters
    ----------
    body
        The page; only ASCII parts of its scripts matter, so any charset will do.
    url
        Its address: the thread's link where the page names none.

    Returns
    -------
    ThreadReference or None
        None for pages without a comment system, after one search for the signs of all.
    """
    scan = PageScan(body, url)
    signed = {_SIGN_OWNERS[number] for number in _SIGNS.Match(scan.page) or ()}
    found = (SYSTEMS[number].find(scan) for number in sorted(signed))
    return next((thread for thread in found if thread), None)


def first_url(thread: ThreadReference) -> str:
    """Address of a thread's first answer; empty where it can only be named."""
    system = BY_KEY.get(thread.system)
    return system.reader.first_url(thread) if system and system.reader else ""


def system_of(url: str) -> CommentSystem | None:
    """Give the system that an address asks."""
    for system in SYSTEMS:
        if system.reader and system.reader.owns(url):
            return system
    return None


def read_answer(url: str, body: bytes, headers: Headers = ()) -> Thread:
    """Read what came from an address; nothing raises."""
    system = system_of(url)
    if system is None or system.reader is None:
        return Thread(problem=NOT_READABLE)
    return system.reader.read(url, body, headers)


def further_url(url: str, answer: Thread, api_key: str) -> str:
    """Address of the posts behind an answer; empty where there are none, or none can be asked."""
    system = system_of(url)
    return system.reader.further_url(url, answer, api_key) if system and system.reader else ""


def system_name(key: str) -> str:
    """Name of a system for people; keys of the page's own comments have none here."""
    system = BY_KEY.get(key)
    return system.name if system else key
