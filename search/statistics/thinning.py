"""Every so many hits: a quick look at a query with millions of them.

Input → output: hits and a step → hits whose spans are every step-th in the order of the corpus. The
sample is spread over all texts and comes out the same each time; what is counted in it, times the
step, estimates the whole (systematic sampling: Cochran 1977, *Sampling Techniques*, chapter 8).
"""

from search.index.hits import Hits, SpanHits, Spans


def every_nth(hits: Hits, step: int) -> Hits:
    """Keep every step-th hit, the middle one of each step, on the same base.

    Parameters
    ----------
    hits : Hits
    step : int
        1 or more; 1 keeps all.

    Returns
    -------
    Hits
        O(n_hits / step), once the spans are there.
    """
    if step == 1:
        return hits
    parts = []
    offset = step // 2
    for part in hits.parts:
        spans = part.spans
        kept = Spans(spans.starts[offset::step], spans.ends[offset::step])
        parts.append(SpanHits(part.view, kept, None))
        offset = (offset - len(spans)) % step
    return Hits(hits.snapshot, hits.generation, tuple(parts), hits.base)
