"""An XPath under a limit of CPU time: path, tree → what it finds, or `PathTooSlow`.

libxml2 cannot be interrupted, and what a path costs shows on the page alone: one that compares each
element with the text around it takes a millisecond on most pages and minutes on the longest. So a
page of usual size is searched at once, a larger one by a child (`limited_work`) that sends back
where the found elements stand.
"""

from typing import Any

from lxml import etree

from extraction.html.markup.elements import is_element
from feeds.crawler.documents.limited_work import Limits, WorkEndedError, run_limited

# A page of the development sets has 740 elements and 7,000 characters of text in the median, 0.5 %
# go beyond these. Paths that pass the check at save grow with the square of the elements, or with
# the elements times the text: half a second here.
MOST_ELEMENTS = 3_000
MOST_ELEMENTS_TIMES_CHARACTERS = 300_000_000
CPU_SECONDS = 1
# Beside CPU time, for a machine so busy that the child hardly gets any.
_LIMITS = Limits(CPU_SECONDS, wall_seconds=60.0)
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
    try:
        is_error, found = run_limited(lambda: _searched(path, root, variables), _LIMITS)
    except WorkEndedError as error:
        raise PathTooSlow from error
    if is_error:
        raise etree.XPathEvalError(found)
    if not isinstance(found, list):
        return found
    return [elements[item] if isinstance(item, int) else item for item in found]


def _searched(
    path: etree.XPath, root: etree._Element, variables: dict[str, str]
) -> tuple[bool, Any]:
    """Search as the child: numbers of the elements, or the words of an error."""
    try:
        return False, _numbered(path(root, **variables), root)
    except etree.XPathError as error:
        return True, str(error)


def _numbered(found: Any, root: etree._Element) -> Any:
    if not isinstance(found, list):
        return found
    numbers = {element: number for number, element in enumerate(root.getroottree().iter())}
    return [numbers[item] if is_element(item) else str(item) for item in found]
