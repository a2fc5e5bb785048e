"""The tagger behind NLTK's interface, for NLTK's evaluation, chunkers and corpus readers.

A module of its own, because importing NLTK costs 30 MB and half a second that no worker needs.
"""

from collections.abc import Iterable, Sequence

from nltk.tag.api import TaggerI

from search.engine.annotation.tagger import Tagger


class NltkTagger(TaggerI):  # type: ignore[misc]  # NLTK ships no types
    """`nltk.tag.api.TaggerI` over a `Tagger`."""

    def __init__(self, tagger: Tagger) -> None:
        self._tagger = tagger

    def tag(self, tokens: Sequence[str]) -> list[tuple[str, str]]:
        """Tag one sentence: (word, tag) pairs."""
        return self.tag_sents([tokens])[0]

    def tag_sents(self, sentences: Iterable[Sequence[str]]) -> list[list[tuple[str, str]]]:
        """Tag many sentences at once, which is faster."""
        listed = list(sentences)
        tagged = self._tagger.tag_sentences(listed)
        return [
            list(zip(words, tags, strict=True)) for words, tags in zip(listed, tagged, strict=True)
        ]
