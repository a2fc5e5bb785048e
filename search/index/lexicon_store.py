"""Finding the lexicon of a generation among the files of the index folder."""

from collections.abc import Iterator
from pathlib import Path

from search.index.errors import DamagedFileError
from search.index.lexicon import Lexicon, LexiconBlock
from search.index.lexicon_log import decode_blocks, read_base
from search.index.snapshot import LexiconEntry


def load_lexicon(folder: Path, entry: LexiconEntry) -> Lexicon:
    """Read base and log as far as a manifest says.

    Raises
    ------
    FileNotFoundError, DamagedFileError
    """
    lexicon = Lexicon(folder / entry.stems_name)
    if entry.epoch:
        lexicon.extend(read_base(folder / entry.base_name))
    for block in read_log(folder, entry, 0):
        lexicon.extend(block)
    if lexicon.size != entry.size:
        raise DamagedFileError(entry.log_name, f"holds {lexicon.size}, expected {entry.size}")
    return lexicon


def read_log(folder: Path, entry: LexiconEntry, start: int) -> Iterator[LexiconBlock]:
    """Read the blocks of the log between a byte offset and the manifest's end of it."""
    if entry.log_bytes <= start:
        return
    with (folder / entry.log_name).open("rb") as file:
        file.seek(start)
        data = file.read(entry.log_bytes - start)
    if len(data) != entry.log_bytes - start:
        raise DamagedFileError(entry.log_name, f"is shorter than {entry.log_bytes} bytes")
    yield from decode_blocks(entry.log_name, data)
