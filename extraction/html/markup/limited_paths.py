"""An XPath under a limit of CPU time: path, tree → what it finds, or `PathTooSlow`.

libxml2 cannot be interrupted, and what a path costs shows on the page alone: one that compares each
element with the text around it takes a millisecond on most pages and minutes on the longest. So a
page of usual size is searched at once, a larger one by a forked child, which the system ends when
its time is over; the child sends back where the found elements stand.
"""

import os
import pickle
import resource
import select
import signal
import time
from typing import Any, NoReturn

from lxml import etree

from extraction.html.markup.elements import is_element

# A page of the development sets has 740 elements and 7,000 characters of text in the median, 0.5 %
# go beyond these. Paths that pass the check at save grow with the square of the elements, or with
# the elements times the text: half a second here.
MOST_ELEMENTS = 3_000
MOST_ELEMENTS_TIMES_CHARACTERS = 300_000_000
CPU_SECONDS = 1
# Beside CPU time, for a machine so busy that the child hardly gets any.
_WALL_SECONDS = 60.0
_N_ELEMENTS = etree.XPath("count(//*)")
_N_CHARACTERS = etree.XPath("string-length(/)")


class PathTooSlow(Exception):  # noqa: N818 (what happened, in the words of the caller)
    """A path was ended before it was done. Raised by `run_path`; the caller knows whose it is."""


def run_path(path: etree.XPath, root: etree._Element, **variables: str) -> Any:
    """Give what a path finds: a list of elements and strings, or a single value.

    Raises
    ------
    PathTooSlow
        After `CPU_SECONDS` of CPU time on a large page.
    etree.XPathError
        When the path cannot be evaluated.
    """
    return _run_by_child(path, root, variables) if is_large(root) else path(root, **variables)


def is_large(root: etree._Element) -> bool:
    """Whether a path that was checked on trial pages may take long on the page of this element."""
    n_elements = _number(_N_ELEMENTS(root))
    return (
        n_elements > MOST_ELEMENTS
        or n_elements * _number(_N_CHARACTERS(root)) > MOST_ELEMENTS_TIMES_CHARACTERS
    )


def _number(found: object) -> float:
    return found if isinstance(found, float) else 0.0


def _run_by_child(path: etree.XPath, root: etree._Element, variables: dict[str, str]) -> Any:
    elements = list(root.getroottree().iter())
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _answer(path, root, variables, writing)
    os.close(writing)
    try:
        data = _read_all(reading, child)
    finally:
        os.close(reading)
        os.waitpid(child, 0)
    if not data:
        raise PathTooSlow
    is_error, found = pickle.loads(data)  # noqa: S301 (our own child's)
    if is_error:
        raise etree.XPathEvalError(found)
    if not isinstance(found, list):
        return found
    return [elements[item] if isinstance(item, int) else item for item in found]


def _answer(
    path: etree.XPath, root: etree._Element, variables: dict[str, str], writing: int
) -> NoReturn:
    """Run the path as the child: send the numbers of its elements, whole or not at all."""
    try:
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
        try:
            answer = (False, _numbered(path(root, **variables), root))
        except etree.XPathError as error:
            answer = (True, str(error))
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(pickle.dumps(answer))
    finally:
        os._exit(0)  # nothing of the parent's is to be closed or written twice


def _numbered(found: Any, root: etree._Element) -> Any:
    if not isinstance(found, list):
        return found
    numbers = {element: number for number, element in enumerate(root.getroottree().iter())}
    return [numbers[item] if is_element(item) else str(item) for item in found]


def _read_all(reading: int, child: int) -> bytes:
    """Read what the child sends until it ends; it is killed when it takes too long."""
    pieces: list[bytes] = []
    end = time.monotonic() + _WALL_SECONDS
    while True:
        ready, _, _ = select.select([reading], [], [], max(end - time.monotonic(), 0))
        if not ready:
            os.kill(child, signal.SIGKILL)
            return b""
        piece = os.read(reading, 1 << 16)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
