"""What a page's sketch would come to with some knowledge of its site: without reading the page.

Two digests of one page differ when the site's evidence changes which lines are text; only then is
it worth reading the page again.
"""

from hashlib import blake2b

import numpy as np

from extraction.html.cascade import settle
from extraction.html.site.knowledge import SiteKnowledge
from extraction.html.site.sketch import PageSketch

_DIGEST_BYTES = 12  # chance equality is out of the question, and 24 digits fit the column


def lines_digest(page: PageSketch, site: SiteKnowledge | None) -> str:
    """Digest of the lines that are text, with what is known of the site; 24 digits."""
    # As a stored sketch has them, so that a digest is the same before and after storing.
    probabilities = page.probabilities.astype(np.float16).astype(np.float32)
    if site is not None:
        is_known = site.knows(page.text)
        evidence = site.evidence(page.keys, probabilities, is_known=is_known)
        probabilities = evidence.adjusted(probabilities)
    chosen = np.array(settle(probabilities), dtype="<u2")
    return blake2b(chosen.tobytes(), digest_size=_DIGEST_BYTES).hexdigest()
