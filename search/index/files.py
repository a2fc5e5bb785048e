"""Which files of a folder belong to an index: numbering new ones, deleting those not used any more.

Nothing else in the folder is ever touched.
"""

import re
from dataclasses import replace
from pathlib import Path

from search.index.errors import DamagedFileError
from search.index.snapshot import Manifest, load_manifest, new_manifest

INLINE = "inline"  # how the names of a commit's unfinished merges begin
OWN_FILE = re.compile(
    r"(?:(?P<number>\d{8})\.(?:segment|removals)"
    r"|inline-\d+\.(?:segment|base)"
    r"|lexicon-(?P<epoch>\d{6})\.(?:base|log|stems(?:\.\d+)?))(?:\.tmp)?"
)


def delete_unused(folder: Path, used: set[str]) -> None:
    """Delete the index's own files that are not named.

    Readers that still map a deleted file keep it; one that has read an older manifest but not
    opened its files yet finds them missing and reads the manifest again.
    """
    for path in folder.iterdir():
        if path.name not in used and OWN_FILE.fullmatch(path.name):
            path.unlink(missing_ok=True)


def manifest_to_follow(folder: Path) -> Manifest:
    """Return the manifest to count on from, judged by the file names if it cannot be read."""
    try:
        manifest = load_manifest(folder)
    except DamagedFileError:
        manifest = None
    found = manifest or new_manifest()
    matches = [match for path in folder.iterdir() if (match := OWN_FILE.match(path.name))]
    numbers = [int(match["number"]) + 1 for match in matches if match["number"]]
    epochs = [int(match["epoch"]) for match in matches if match["epoch"]]
    return replace(
        found,
        next_file=max([found.next_file, *numbers]),
        lexicon=replace(found.lexicon, epoch=max([found.lexicon.epoch, *epochs])),
    )
