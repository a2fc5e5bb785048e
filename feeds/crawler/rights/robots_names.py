"""Which text miners a site's robots.txt turns away from a page that everybody else may read.

Policy and address → names. A name counts where the file has a group for it that forbids the page
while the group for all permits it: then it is a word on mining, not on crawling.
"""

import re
from functools import lru_cache

from feeds.crawler.fetching.robots import RobotsPolicy
from feeds.crawler.rights.miners import MINERS
from feeds.crawler.rights.statements import RightsSource, Statement

_FILES = 512  # as many as the policies that are remembered
_LINE = re.compile(r"^[ \t]*([a-z -]+?)[ \t]*:[ \t]*([^#\r\n]*)", re.IGNORECASE | re.MULTILINE)
_ALL = "*"
_EVERYTHING = (("disallow", "/"),)
_RULES = frozenset({"allow", "disallow"})

Rules = tuple[tuple[str, str], ...]


def names_statements(policy: RobotsPolicy, url: str) -> list[Statement]:
    """Return one statement with all names that are turned away from an address, or none."""
    groups = miners_by_rules(policy.text)
    if not groups or not policy.permits(url, _ALL):
        return []
    turned_away = {
        name
        for rules, names in groups
        if rules == _EVERYTHING or not policy.permits(url, names[0])
        for name in names
    }
    names = [miner.name for miner in MINERS if miner.name in turned_away]
    return [Statement.of(RightsSource.ROBOTS_NAMES, ", ".join(names))] if names else []


@lru_cache(maxsize=_FILES)
def miners_by_rules(text: str) -> tuple[tuple[Rules, tuple[str, ...]], ...]:
    """Sort the miners that a file has groups for by their rules: most share those of one group."""
    lowered = text.lower()
    known = {miner.name.lower(): miner.name for miner in MINERS}
    if not any(name in lowered for name in known):
        return ()
    by_agent = _rules_by_agent(text)
    found: dict[Rules, list[str]] = {}
    for name, written in known.items():
        if rules := by_agent.get(name):
            found.setdefault(tuple(rules), []).append(written)
    return tuple((rules, tuple(names)) for rules, names in found.items())


def _rules_by_agent(text: str) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    agents: list[str] = []
    is_open = False
    for line in _LINE.finditer(text):
        name, value = line[1].strip().lower(), line[2].strip()
        if name in ("user-agent", "user agent", "useragent"):
            agents = [*agents, value.lower()] if is_open else [value.lower()]
            is_open = True
        elif name in _RULES:
            is_open = False
            if value:
                for agent in agents:
                    found.setdefault(agent, []).append((name, value))
    return found
