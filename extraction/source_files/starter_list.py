"""South African newspapers to begin with: a bundle that ships with the product.

Only home pages stand in it, which are looked up for their feeds when an editor asks for it. Papers
whose address nobody has confirmed are named without one: an editor types it.
"""

from collections.abc import Collection
from functools import cache
from pathlib import Path

from extraction.source_files.bundle_json import read_bundle
from extraction.source_files.comparing import Verdict, compare
from extraction.source_files.definitions import SourceDefinition, SourceFile

_PATH = Path(__file__).parent / "data" / "starter.json"
# Papers of the list that have changed their names or addresses over the years, or closed.
WITHOUT_ADDRESS = (
    "Business Day",
    "DispatchLIVE",
    "SABC News",
    "SowetanLIVE",
    "The Citizen",
    "The New Age",
)


@cache
def starter_sources() -> tuple[SourceDefinition, ...]:
    """Give all sources of the list; a test holds that it is a bundle without faults."""
    return read_bundle(_PATH.read_text(encoding="utf-8")).sources


def offered() -> list[SourceDefinition]:
    """Give the sources of the list that are not here yet."""
    return [row.source for row in compare(starter_sources()) if row.verdict is Verdict.NEW]


def chosen(home_urls: Collection[str]) -> SourceFile:
    """Give a file of the sources that were ticked."""
    return SourceFile(tuple(row for row in starter_sources() if row.home_url in home_urls))
