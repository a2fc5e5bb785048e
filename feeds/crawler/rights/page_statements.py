"""What one answer says of its own rights: headers of the response, meta elements of the page.

Headers or meta values → statements. TDM Reservation Protocol, sections "TDM Header Field in HTTP
Responses" and "TDM Metadata in HTML Content": `tdm-reservation` is 1 or 0, any other value counts
as none. `noai` and `noimageai` are words that DeviantArt began in 2022 and others took over, in
X-Robots-Tag and in the robots meta element.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import unescape

from feeds.crawler.rights.statements import (
    TDM_GRANTED,
    TDM_RESERVED,
    RightsSource,
    Statement,
)
from feeds.crawler.timing.conditional import Headers

_RESERVATION, _POLICY, _ROBOTS_TAG, _ROBOTS = (
    "tdm-reservation", "tdm-policy", "x-robots-tag", "robots",
)  # fmt: skip
_TDM_WORDS = {"1": TDM_RESERVED, "0": TDM_GRANTED}
_AI_WORDS = ("noai", "noimageai")
# A head is seldom longer; what stands behind it belongs to no head.
_HEAD_BYTES = 262_144
# A tag ends before the next one begins, and a name is looked at from its first letter alone: else
# broken markup would be gone through again from each of its places.
_META = re.compile(rb"<meta\s([^<>]{1,4000})>", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"""(?<![a-z-])([a-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)


def header_statements(headers: Headers) -> list[Statement]:
    """Read the headers of a response."""
    wanted = (_RESERVATION, _POLICY, _ROBOTS_TAG)
    found: dict[str, list[str]] = {}
    for name, value in headers:
        if (key := name.lower()) in wanted:
            found.setdefault(key, []).append(value)
    if not found:
        return []
    return [
        *_tdm(found, RightsSource.TDM_HEADER),
        *_robots(found.get(_ROBOTS_TAG, ()), RightsSource.ROBOTS_HEADER),
    ]


def meta_statements(values: Mapping[str, Sequence[str]]) -> list[Statement]:
    """Read meta elements of a page: contents by lower-cased name."""
    return [
        *_tdm(values, RightsSource.TDM_META),
        *_robots(values.get(_ROBOTS, ()), RightsSource.ROBOTS_META),
    ]


def body_statements(body: bytes) -> list[Statement]:
    """Read the meta elements of a page that is not parsed, by their form alone.

    For pages that may not be kept when they reserve their rights; UTF-16 is not read.
    """
    values: dict[str, list[str]] = {}
    for tag in _META.finditer(body[:_HEAD_BYTES]):
        attributes = {
            name.lower(): unescape("".join(given))
            for name, *given in _ATTRIBUTE.findall(tag[1].decode("latin-1"))
        }
        if attributes.get("name") and attributes.get("content"):
            name = attributes["name"].strip().lower()
            values.setdefault(name, []).append(" ".join(attributes["content"].split()))
    return meta_statements(values)


def _tdm(values: Mapping[str, Sequence[str]], source: RightsSource) -> Iterator[Statement]:
    """Give the one statement of the protocol; of several values a reservation counts."""
    given = {part.strip() for value in values.get(_RESERVATION, ()) for part in value.split(",")}
    word = next((_TDM_WORDS[value] for value in ("1", "0") if value in given), "")
    if not word:
        return
    policy = next(iter(values.get(_POLICY, ())), "").strip()
    is_asked = policy and word == TDM_RESERVED
    yield Statement.of(source, f"{word}, policy {policy}" if is_asked else word)


def _robots(values: Iterable[str], source: RightsSource) -> Iterator[Statement]:
    """Give the words on AI; before a word may stand for whom it is (`otherbot: noai`)."""
    words = {
        part.rpartition(":")[2].strip().lower() for value in values for part in value.split(",")
    }
    said = [word for word in _AI_WORDS if word in words]
    if said:
        yield Statement.of(source, ", ".join(said))
