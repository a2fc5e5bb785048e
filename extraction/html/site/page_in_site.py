"""One page held against what its site's pages have in common: the cascade's window on the site.

The line model's probabilities come in; those with the site's evidence go out, and the sketch of
the page, from which the site learns, stays here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from extraction.html.markup.outline import Outline
from extraction.html.site.evidence import Floats, LineEvidence
from extraction.html.site.knowledge import SiteKnowledge
from extraction.html.site.sketch import LineKeys, PageSketch, line_keys, sketch_text

_LIKELY = 0.5  # what the model keeps


@dataclass(slots=True)
class PageInSite:
    """State of one page; `knowledge` is None while nothing is known of the site.

    Attributes
    ----------
    sketch
        What the site may learn of the page; None before the page was judged.
    evidence
        What the site said of its lines; None where it was not asked.
    """

    outline: Outline
    title: str = ""
    names: tuple[str, ...] = ()
    knowledge: SiteKnowledge | None = None
    sketch: PageSketch | None = field(default=None, init=False)
    evidence: LineEvidence | None = field(default=None, init=False)
    keys: LineKeys = field(init=False)

    def __post_init__(self) -> None:
        self.keys = line_keys(self.outline)

    def adjusted(self, probabilities: Floats) -> Floats:
        """Give probabilities of the lines with the site's evidence; sketch the page on the way."""
        sketch = self._sketch(probabilities)
        if self.knowledge is None:
            return probabilities
        is_known = self.knowledge.knows(sketch.text)
        self.evidence = self.knowledge.evidence(self.keys, probabilities, is_known=is_known)
        return self.evidence.adjusted(probabilities)

    def settle(self, lines: Sequence[int]) -> None:
        """Sketch a page whose lines somebody else has chosen: an editor's rule."""
        if self.sketch is None:
            probabilities = np.zeros(len(self.outline.lines), np.float32)
            probabilities[list(lines)] = 1.0
            self._sketch(probabilities)

    def _sketch(self, probabilities: Floats) -> PageSketch:
        lines = self.outline.lines
        texts = [lines[row].text for row in np.flatnonzero(probabilities >= _LIKELY)]
        text = sketch_text(texts, self.title)
        self.sketch = PageSketch(self.keys, probabilities, text, self.names)
        return self.sketch
