"""Features of every line of a page: what a reader would look at to tell the article from its frame.

Outline and what the page says of itself → a matrix, one row a line. Besides the line's own form
(length, links, punctuation, phrases) there are its ancestors (tags and class words), its containers
(how much of the page's running text they hold), the page's dominant paragraph markup, the support
of headline, description and JSON-LD, and the neighbours in page order. No feature knows a site; all
are shares, logarithms or flags.
"""

import numpy as np

from extraction.html.lines.line_containers import (
    container_columns,
    larger_parents,
    main_container_flags,
    markup_share,
    record_columns,
    same_container,
)
from extraction.html.lines.line_forms import RUNNING, FloatMatrix, own_form, text_weights
from extraction.html.lines.line_places import (
    PageContext,
    hint_bits,
    position_columns,
    signs_before,
    title_support,
)
from extraction.html.markup.outline import Outline

# Columns of each kind of evidence, for ablations.
FEATURE_GROUPS: dict[str, slice] = {
    "own form": slice(0, 23),
    "markup of the running text": slice(23, 27),
    "position": slice(27, 41),
    "support of title, description, JSON-LD": slice(41, 49),
    "names, tags, phrases": slice(49, 131),
    "containers": slice(131, 161),
    "records": slice(161, 172),
    "neighbours": slice(172, 262),
}


# What a line takes from its neighbours: columns of `own_form` and bits of `hint_bits`; the
# shipped model was trained on these.
_NEAR_COLUMNS = [0, 1, 2, 4, 5, 6]
# Hints own: comments, related, byline, caption, frame; tags: p, li, h2/h3.
_NEAR_BITS = [2, 4, 6, 7, 9, 45, 46, 62]


def line_features(outline: Outline, context: PageContext) -> FloatMatrix:
    """Features of all lines.

    Returns
    -------
    ndarray of shape (n_lines, n_features), float32
        Empty first axis for a page without text. Linear in lines and elements.
    """
    texts = [line.text for line in outline.lines]
    nodes = np.array([line.node for line in outline.lines], dtype=np.int64)
    weights = text_weights(texts)
    own = own_form(outline, weights)
    mass = own[:, RUNNING].astype(np.float64) * weights
    larger = larger_parents(outline)
    around = (outline, nodes, mass, larger)
    containers = [container_columns(*around), main_container_flags(*around)]
    markup = markup_share(outline, mass)
    support = title_support(outline, texts, context)
    bits = hint_bits(outline, texts, nodes)
    position = [position_columns(mass, support), signs_before(outline, bits, mass)]
    base = np.concatenate([own, markup, *position, support], axis=1)
    near = np.concatenate([own[:, _NEAR_COLUMNS], markup[:, :1], bits[:, _NEAR_BITS]], axis=1)
    neighbours = [_shifted(near, offset) for offset in (-3, -2, -1, 1, 2, 3)]
    together = [same_container(outline, nodes), record_columns(outline, nodes)]
    return np.concatenate([base, bits, *containers, *together, *neighbours], axis=1)


def _shifted(matrix: FloatMatrix, offset: int) -> FloatMatrix:
    """Row i of the result is row i + offset; zeros outside the page."""
    result = np.zeros_like(matrix)
    if abs(offset) >= len(matrix):
        return result
    if offset > 0:
        result[:-offset] = matrix[offset:]
    else:
        result[-offset:] = matrix[:offset]
    return result
