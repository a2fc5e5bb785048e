"""A body named by a pattern over the page's source, where no element holds it and nothing else.

The pattern's first group, or else its whole match, is the body's HTML; what stands before and
behind it is cut. Its lines are looked up in the outline of the page, so that they keep their kinds;
where the page has them otherwise they are taken as they are.
"""

from collections.abc import Sequence

from extraction.html.markup.cleaning import clean
from extraction.html.markup.outline import Outline
from extraction.html.markup.outline_walk import outline_page
from extraction.html.markup.parse import parse_html
from extraction.html.markup.unpacking import unpack_templates
from extraction.html.site_rules.rules import Rule, pattern_of
from extraction.html.site_rules.source_values import MAX_SOURCE_CHARACTERS


def body_html(rule: Rule, source: str) -> str:
    """Give the HTML that a pattern names in a source; empty where it matches nothing.

    Raises
    ------
    RuleError
        When the pattern is broken.
    """
    match = pattern_of(rule).search(source[:MAX_SOURCE_CHARACTERS])
    if match is None:
        return ""
    return (match.group(1) if match.re.groups else match.group(0)) or ""


def lines_of_html(html: str) -> tuple[str, ...]:
    """Lines of a piece of HTML as the page's outline would have them."""
    root = parse_html(html)
    unpack_templates(root)
    clean(root)
    return tuple(line.text for line in outline_page(root).lines)


def positions_of(outline: Outline, texts: Sequence[str]) -> tuple[int, ...]:
    """Positions of lines in an outline, in their order; empty where one is not there."""
    positions: list[int] = []
    at = 0
    for text in texts:
        while at < len(outline.lines) and outline.lines[at].text != text:
            at += 1
        if at == len(outline.lines):
            return ()
        positions.append(at)
        at += 1
    return tuple(positions)


def between(start: str, end: str) -> str:
    """Write the pattern for all that stands between two pieces of the source.

    Examples
    --------
    >>> between("<!-- text -->", "<footer")
    '<!-- text -->(.*?)<footer'
    """
    return f"{_literal(start)}(.*?){_literal(end)}"


def _literal(text: str) -> str:
    """Escape what RE2 reads as a sign of a pattern; white space may be any."""
    words = ("".join(f"\\{c}" if c in _SIGNS else c for c in word) for word in text.split())
    return r"\s+".join(words)


_SIGNS = frozenset(r"\.+*?()|[]{}^$")
