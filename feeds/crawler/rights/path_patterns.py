"""Patterns of paths as robots.txt, tdmrep.json and ai.txt write them.

A pattern matches from the start of path and query; `*` stands for anything, `$` at the end for the
end (RFC 9309, 2.2.3, which the TDM Reservation Protocol refers to). Case counts; %-encoding of
unreserved characters does not.
"""

import re
from urllib.parse import quote, urlsplit

_ENCODED = re.compile(r"%([0-9a-fA-F]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
# What stays as it is: reserved signs, and those of an encoding.
_KEPT = "!$&'()*+,;=:@/?%[]#~"


def path_of(url: str) -> str:
    """Return path and query of an address as patterns are compared with; "/" for a wrong one."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "/"
    path = normal(parts.path or "/") + (f"?{normal(parts.query)}" if parts.query else "")
    return path.replace("*", "%2A").replace("$", "%24")


def normal(text: str) -> str:
    """Bring %-encoding into one form.

    Examples
    --------
    >>> normal("/%7ejoe/caf%c3%a9/é")
    '/~joe/caf%C3%A9/%C3%A9'
    """
    return _ENCODED.sub(_decoded, quote(text, safe=_KEPT, errors="replace"))


def _decoded(found: re.Match[str]) -> str:
    sign = chr(int(found[1], 16))
    return sign if _UNRESERVED.fullmatch(sign) else f"%{found[1].upper()}"


def matches(pattern: str, path: str) -> bool:
    """Say whether a pattern matches a path of `path_of`.

    Takes time in their lengths alone, however many stars there are: the first place where each
    piece stands is as good as any later one.

    Examples
    --------
    >>> [matches(p, "/a/b.jpg") for p in ("/", "/a/*.jpg", "/a$", "*.jpg$", "/b")]
    [True, True, False, True, False]
    """
    pieces = normal(pattern).split("*")
    is_whole = pieces[-1].endswith("$")
    pieces[-1] = pieces[-1].removesuffix("$")
    if not path.startswith(pieces[0]):
        return False
    at = len(pieces[0])
    for piece in pieces[1:-1]:
        found = path.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    if len(pieces) == 1:
        return not is_whole or at == len(path)
    if is_whole:
        return len(path) - len(pieces[-1]) >= at and path.endswith(pieces[-1])
    return path.find(pieces[-1], at) >= 0
