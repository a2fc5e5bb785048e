"""`/.well-known/tdmrep.json`: rules of a site by path (TDM Reservation Protocol, W3C CG).

Body → rules → what they say of an address. "The most specific match is the first in sequence", so
the order of the file decides; without a match nothing is said. Rules without a location and values
that are neither 0 nor 1 count as not said.
"""

import json
from dataclasses import dataclass
from typing import Any

from feeds.crawler.rights.path_patterns import matches, path_of
from feeds.crawler.rights.statements import TDM_GRANTED, TDM_RESERVED, RightsSource, Statement

PATH = "/.well-known/tdmrep.json"
MAX_BYTES = 262_144  # some thousand rules; sites have one to ten
MAX_RULES = 500  # are asked for each page
_MAX_LOCATION = 500
_MAX_POLICY = 200


@dataclass(frozen=True, slots=True)
class TdmRule:
    """One rule; `reservation` is 0, 1 or None where what it says is none of these."""

    location: str
    reservation: int | None
    policy: str = ""


@dataclass(frozen=True, slots=True)
class TdmFile:
    """The rules of a site in their order, and what is wrong with the file."""

    rules: tuple[TdmRule, ...] = ()
    problem: str = ""

    def of(self, url: str) -> list[Statement]:
        """Return what the file says of an address: one statement or none."""
        path = path_of(url)
        rule = next((rule for rule in self.rules if matches(rule.location, path)), None)
        if rule is None or rule.reservation is None:
            return []
        words = TDM_RESERVED if rule.reservation else TDM_GRANTED
        words += f" for {rule.location}"
        if rule.policy and rule.reservation:
            words += f", policy {rule.policy}"
        return [Statement.of(RightsSource.TDM_FILE, words)]


def parse_tdm_file(body: bytes) -> TdmFile:
    """Read the file; never fails.

    A file of one rule without the brackets of a list is read as that rule: "mandatory", says the
    protocol, but what is meant is plain.
    """
    if len(body) > MAX_BYTES:
        return TdmFile(problem=f"It is longer than {MAX_BYTES:,} bytes.")
    try:
        found = json.loads(body.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return TdmFile(problem="It is no JSON.")
    if isinstance(found, dict):
        found = [found]
    if not isinstance(found, list):
        return TdmFile(problem="It is no list of rules.")
    rules = tuple(rule for item in found[:MAX_RULES] if (rule := _rule(item)))
    n_wrong = len(found[:MAX_RULES]) - len(rules)
    return TdmFile(rules, f"{n_wrong} of its rules cannot be read." if n_wrong else "")


def _rule(item: Any) -> TdmRule | None:
    if not isinstance(item, dict):
        return None
    location, policy = item.get("location"), item.get("tdm-policy")
    if not isinstance(location, str) or not location.startswith(("/", "*")):
        return None
    if len(location) > _MAX_LOCATION or not location.isprintable():
        return None
    # What is not printable, such as half a pair of UTF-16, no database takes.
    shown = policy[:_MAX_POLICY] if isinstance(policy, str) and policy.isprintable() else ""
    return TdmRule(location, _reservation(item.get("tdm-reservation")), shown)


def _reservation(value: Any) -> int | None:
    """Read 0 or 1; as text too, as some sites write it."""
    if isinstance(value, str):
        value = {"0": 0, "1": 1}.get(value.strip())
    return value if type(value) is int and value in (0, 1) else None
