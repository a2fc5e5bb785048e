"""Names of a site in its titles, as its pages show them: pieces that stand on many of them.

Page sources → the pieces at the ends of its titles; whoever keeps the pages of a host counts them
and calls those its names that stand on enough pages. A name learnt so is cut from titles and
refused as an author, like the names the site gives itself.
"""

from collections import Counter
from collections.abc import Iterable

from extraction.html.meta_tags import HeadData
from extraction.html.titles import split_loosely, squeezed

# A piece is a name of the site when it stands on this many articles, and on this share of all: a
# section's name stands on fewer, and a series of three articles is none yet.
LEAST_PAGES = 3
LEAST_SHARE = 0.3
_MAX_PIECES = 6
_MAX_CHARACTERS = 60


def title_pieces(head: HeadData) -> tuple[str, ...]:
    """First and last pieces of the title element and of og:title, squeezed; at most six.

    Examples
    --------
    >>> title_pieces(HeadData(title="Fire in the harbour | News | The Post"))
    ('fireintheharbour', 'thepost', 'news')
    """
    found: dict[str, None] = {}
    for title in (head.title, head.first("og:title")):
        pieces = [squeezed(piece) for piece in split_loosely(title)]
        if len(pieces) > 1:
            found |= dict.fromkeys([pieces[0], pieces[-1], *pieces[-2:-1][: len(pieces) - 2]])
    kept = [piece for piece in found if 2 <= len(piece) <= _MAX_CHARACTERS]
    return tuple(kept[:_MAX_PIECES])


def learn_site_names(pages: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Names of a site from the title pieces of its articles, the most frequent first.

    Examples
    --------
    >>> learn_site_names([("one", "thepost"), ("two", "thepost"), ("three", "thepost")])
    ('thepost',)
    """
    counts: Counter[str] = Counter()
    n_pages = 0
    for pieces in pages:
        n_pages += 1
        counts.update(set(pieces))
    least = max(LEAST_PAGES, LEAST_SHARE * n_pages)
    return tuple(piece for piece, count in counts.most_common() if count >= least)
