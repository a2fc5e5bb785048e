"""A text that a page once showed as bytes of a column: title, metadata, text, captions, blocks.

One compressed piece, so that a version takes little more room than its text alone would. A block is
a line of the text or of the captions, so its kind is enough; only where that is not so are the
places kept. The digest is made anew of the text.

A text is packed with the one that followed it as zlib's dictionary, so that what both say is kept
once. Every sixteenth stands alone, which bounds how many are unpacked for one. A piece holds words
that the following text lacks and places in it: none of the words that only the following text has.
"""

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from extraction.text.digest import text_digest

_LEVEL = 9  # 5 kB in a third of a millisecond, and only what has changed is packed
STANDS_ALONE_EVERY = 16  # so many texts are unpacked at most to read one
_WINDOW = 32 * 1024  # of a dictionary zlib reads its end only
_CAPTION = "caption"
_BREAK = "\0"  # in no stored text: normalisation takes it out


@dataclass(frozen=True, slots=True)
class PackedText:
    """What a page showed; blocks are `[kind, start, end]` as with the stored article."""

    title: str
    text: str
    captions: str
    blocks: list[list[object]]
    standfirst: str
    authors: list[str]
    section: str
    published_at: datetime | None
    modified_at: datetime | None
    language: str

    @property
    def text_digest(self) -> str:
        """Digest of the text, as articles have it."""
        return text_digest(self.text)


class FollowingTextError(ValueError):
    """Raised where a text is unpacked with another following text than it was packed with."""


def stands_alone(number: int) -> bool:
    """Whether the version of this number is packed without the text that followed it."""
    return number % STANDS_ALONE_EVERY == 0


def pack(shown: PackedText, following: str = "") -> bytes:
    """Compress a text with all that belongs to it; `following` is the text that replaced it."""
    facts = [
        shown.title,
        shown.standfirst,
        shown.authors,
        shown.section,
        _written(shown.published_at),
        _written(shown.modified_at),
        shown.language,
        _kinds_or_places(shown),
    ]
    head = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
    whole = _BREAK.join([shown.text, shown.captions, head])
    data = whole.encode("utf-8", "surrogatepass")
    if not following:
        return zlib.compress(data, _LEVEL)
    engine = zlib.compressobj(_LEVEL, zdict=_dictionary(following))
    return engine.compress(data) + engine.flush()


def unpack(body: bytes, following: str = "") -> PackedText:
    """Give back what `pack` was given; a piece that was packed alone needs no following text.

    Raises
    ------
    FollowingTextError
        If the following text is another than `pack` was given: zlib keeps its checksum.
    """
    engine = zlib.decompressobj(zdict=_dictionary(following))
    try:
        data = engine.decompress(body) + engine.flush()
    except zlib.error as error:
        raise FollowingTextError(str(error)) from error
    text, captions, head = data.decode("utf-8", "surrogatepass").split(_BREAK, 2)
    title, standfirst, authors, section, published, modified, language, blocks = json.loads(head)
    return PackedText(
        title=title,
        text=text,
        captions=captions,
        blocks=_placed(blocks, text, captions) if isinstance(blocks, str) else blocks,
        standfirst=standfirst,
        authors=authors,
        section=section,
        published_at=_read(published),
        modified_at=_read(modified),
        language=language,
    )


def _dictionary(following: str) -> bytes:
    return following.encode("utf-8", "surrogatepass")[-_WINDOW:]


def _kinds_or_places(shown: PackedText) -> str | list[list[object]]:
    kinds = " ".join(str(kind) for kind, _, _ in shown.blocks)
    is_enough = _placed(kinds, shown.text, shown.captions) == shown.blocks
    return kinds if is_enough else shown.blocks


def _placed(kinds: str, text: str, captions: str) -> list[list[object]]:
    """Blocks in page order by their kinds: captions lie behind the text, one sign between two."""
    running, behind = _spans(text, 0), _spans(captions, len(text) + 1)
    found: list[list[object]] = []
    for kind in kinds.split():
        span = next(behind if kind == _CAPTION else running, None)
        if span is not None:
            found.append([kind, *span])
    return found


def _spans(lines: str, at: int) -> Iterator[tuple[int, int]]:
    for line in lines.split("\n"):
        yield at, at + len(line)
        at += len(line) + 1


def _written(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""


def _read(moment: str) -> datetime | None:
    return datetime.fromisoformat(moment) if moment else None
