"""What may leave the site as a file: texts but those that the policy on rights keeps back.

A filter leaves them out before copies are counted once, so the numbers of a file are those of the
lines it may have; it says so where a publication of the corpus is concerned.
"""

from dataclasses import replace

from feeds.rights import unexported
from search.asking.request import SearchRequest
from search.engine.query.filters import DocumentFilter

_SENTENCE = "texts with reserved rights of {names}, by the policy on rights"


def exportable(wanted: DocumentFilter) -> DocumentFilter:
    """Narrow a filter to texts that may be exported."""
    return replace(wanted, without_reserved=unexported())


def exportable_request(request: SearchRequest) -> SearchRequest:
    """Narrow a request to texts that may be exported."""
    texts = replace(request.texts, filter=exportable(request.texts.filter))
    return replace(request, texts=texts)


def kept_back(request: SearchRequest) -> str:
    """Say what a narrowed request leaves out, empty for nothing."""
    names = ", ".join(request.texts.filter.without_reserved)
    return _SENTENCE.format(names=names) if names else ""
