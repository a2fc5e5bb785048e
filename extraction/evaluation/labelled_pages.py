"""Labelled pages in a folder: `pages/<set>/<id>.html.gz` and `gold/<set>.jsonl`.

Gold rows hold `id`, `url`, `group` (the site), and `body` or `with` and `without` segments. The
folder is for development; nothing of it is needed to run the site.
"""

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

# Pages are UTF-8 whatever they declare, and scored with `\w+` as the benchmark does.
AS_PUBLISHED = frozenset(["zyte"])


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """One page with what is known of its text."""

    set_name: str
    page_id: str
    url: str
    site: str
    html: bytes
    body: str = ""
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()

    @property
    def as_published(self) -> bool:
        """Whether the set is scored the way its own benchmark counts words."""
        return self.set_name in AS_PUBLISHED


def set_names(folder: Path) -> list[str]:
    """Names of the sets of a folder, empty where it has none."""
    return sorted(path.stem for path in (folder / "gold").glob("*.jsonl"))


def read_set(folder: Path, set_name: str) -> Iterator[LabelledPage]:
    """Pages of a set in the order of its gold file.

    Raises
    ------
    OSError
        When the set or one of its pages is missing.
    ValueError
        When a row of the gold file is not JSON.
    """
    with (folder / "gold" / f"{set_name}.jsonl").open(encoding="utf-8") as rows:
        for row in rows:
            gold = json.loads(row)
            packed = (folder / "pages" / set_name / f"{gold['id']}.html.gz").read_bytes()
            yield LabelledPage(
                set_name=set_name,
                page_id=gold["id"],
                url=gold.get("url", ""),
                site=gold.get("group", ""),
                html=gzip.decompress(packed),
                body=gold.get("body", ""),
                wanted=tuple(gold.get("with", ())),
                unwanted=tuple(gold.get("without", ())),
            )


def by_site(pages: Sequence[LabelledPage]) -> dict[str, list[LabelledPage]]:
    """Group pages by their site."""
    found: dict[str, list[LabelledPage]] = {}
    for page in pages:
        found.setdefault(page.site, []).append(page)
    return found
