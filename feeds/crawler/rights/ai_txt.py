"""`/ai.txt` as Spawning's generator writes it: which kinds of files may not be used for training.

Text → rules → what they say of a page. The file has the lines of robots.txt; its rules are endings
of files (`Disallow: *.txt`), or paths. The address of an article rarely ends in that of a text, so
what is said of `*.txt` or `*.html` is taken for the texts of the site. Of rules that match the
longest decides, of two as long the permission, as in RFC 9309. Other files under this name (notes
in Markdown for assistants) hold no such lines and say nothing.
"""

from dataclasses import dataclass

from feeds.crawler.rights.path_patterns import matches, path_of
from feeds.crawler.rights.statements import ALLOWED, DISALLOWED, RightsSource, Statement

PATH = "/ai.txt"
MAX_BYTES = 65_536
MAX_RULES = 500
_MAX_PATTERN = 500
# The generator's list of texts that are pages of a site; it writes all of them or none.
_TEXT_ENDINGS = frozenset({"*.txt", "*.html", "*.htm"})
_MARKUP = ("<!doctype", "<html", "<head", "<?xml")


@dataclass(frozen=True, slots=True)
class AiTxt:
    """Rules of a site: patterns, each with whether it permits."""

    rules: tuple[tuple[str, bool], ...] = ()

    def of(self, url: str) -> list[Statement]:
        """Return what the file says of an address: one statement or none."""
        path = path_of(url)
        found = [
            (len(pattern), is_allowed, pattern)
            for pattern, is_allowed in self.rules
            if pattern.lower() in _TEXT_ENDINGS or matches(pattern, path)
        ]
        if not found:
            return []
        _, is_allowed, pattern = max(found)
        word = ALLOWED if is_allowed else DISALLOWED
        return [Statement.of(RightsSource.AI_TXT, word + pattern)]


def parse_ai_txt(body: bytes) -> AiTxt:
    """Read the file; never fails, and what is no rule is passed over."""
    text = body[:MAX_BYTES].decode("utf-8-sig", "replace").replace("\x00", "")
    if text.lstrip()[:200].lower().startswith(_MARKUP):
        return AiTxt()
    rules: list[tuple[str, bool]] = []
    has_agent = False
    for raw in text.splitlines():
        name, _, value = raw.partition("#")[0].partition(":")
        name, value = name.strip().lower(), value.strip()
        has_agent |= name == "user-agent"
        if has_agent and name in ("allow", "disallow") and 0 < len(value) <= _MAX_PATTERN:
            rules.append((value, name == "allow"))
    return AiTxt(tuple(rules[:MAX_RULES]))
