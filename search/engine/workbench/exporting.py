"""``export``: the texts of an index as a corpus file.

Input → output: an open corpus, a format and which texts → strings of the file.
"""

from collections.abc import Iterator

from search.engine.exchange.formats import Format, write_texts
from search.engine.exchange.stored import stored_texts
from search.engine.exchange.vertical_tokens import VerticalOptions
from search.engine.query.filters import DocumentFilter, select
from search.engine.workbench.corpus import Corpus
from search.engine.workbench.errors import CommandError


def exported(
    corpus: Corpus, kind: Format, wanted: DocumentFilter, vertical: VerticalOptions
) -> Iterator[str]:
    """Write the texts that a filter lets through, in corpus order: parts of them if it names those.

    Raises
    ------
    CommandError
        If part of the index cannot be read.
    """
    if corpus.snapshot.damaged:
        names = ", ".join(map(str, corpus.snapshot.damaged))
        raise CommandError(f"Part of the index cannot be read: {names}")
    selection = select(corpus.snapshot, wanted)
    return write_texts(kind, stored_texts(selection, corpus.name), vertical)
