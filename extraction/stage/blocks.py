"""The blocks of a page as they are stored beside its text."""

from extraction.html.page import ExtractedPage


def block_spans(found: ExtractedPage) -> list[list[object]]:
    """List `[kind, start, end]` of each block, in page order.

    Places are code points of the running text, one line feed, and the captions: a caption stands
    in the list where it stands on the page, its words behind those of the text.
    """
    spans: list[list[object]] = []
    start, behind = 0, len(found.text) + 1
    for block in found.blocks:
        if not block.text:
            continue
        at = start if block.kind.is_running else behind
        end = at + len(block.text)
        spans.append([block.kind.value, at, end])
        if block.kind.is_running:
            start = end + 1
        else:
            behind = end + 1
    return spans
