"""What the papers are: one `paper.json` in the folder of each paper's pieces → frozen values."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from corpus_site.newsstand.pieces import CONTENT

# In the order of their ports.
PAPER_KEYS = ("karoo-courier", "die-vlaktenuus", "isibani")


@dataclass(frozen=True, slots=True)
class Paper:
    """One newspaper; `key` is the folder of its pieces and the name of its forum.

    `feed` is `rss` (declared by link rel=alternate), `atom` (an anchor on the page) or `json`
    (nowhere mentioned). `address` is the pattern of a piece's path, `sections` has names by key.
    """

    key: str
    name: str
    motto: str
    language: str
    feed: str
    feed_path: str
    address: str
    sections: dict[str, str]
    months: tuple[str, ...]
    by: str
    robots: str
    removed: tuple[str, str]  # title and sentence in the place of an article that was taken off

    def write_date(self, moment: datetime) -> str:
        """Write a date as the paper prints it: 20 Novemba 2026."""
        return f"{moment.day} {self.months[moment.month - 1]} {moment.year}"


def read_paper(key: str, content: Path = CONTENT) -> Paper:
    """Read one paper's description."""
    values = json.loads((content / key / "paper.json").read_text(encoding="utf-8"))
    values["months"] = tuple(values["months"].split())
    values["removed"] = tuple(values["removed"])
    values["robots"] = "\n".join(values["robots"]) + "\n"
    return Paper(key=key, **values)
