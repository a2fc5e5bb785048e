"""A `Tagger` that gives known words only tags they are known to have.

Where a treebank is small, what stands around a word can outvote the word: Afrikaans "haar man het"
once read as an auxiliary. Held to the tags its form has in the treebank, 96.73 % of Afrikaans
development words are right, 96.01 % without. Words with a capital inside a sentence may be names
as well.
"""

from collections.abc import Callable, Sequence

from search.engine.annotation.model import TaggerModel
from search.engine.annotation.tagger import FixedTags, Tagger, TagProbability

_NAME = "PROPN"
# Tags of a form in small letters, with plain apostrophes; none for an unknown one.
SeenTags = Callable[[str], tuple[str, ...]]


class SeenTagger(Tagger):
    """A `Tagger` for which `fixed` comes on top of what words may be."""

    def __init__(self, model: TaggerModel, seen_tags: SeenTags) -> None:
        super().__init__(model)
        self._seen_tags = seen_tags

    def tag_sentences(
        self, sentences: Sequence[Sequence[str]], fixed: FixedTags | None = None
    ) -> list[list[str]]:
        """Tag sentences; see `Tagger.tag_sentences`."""
        return super().tag_sentences(sentences, self._with_seen(sentences, fixed))

    def alternatives(
        self, words: Sequence[str], fixed: FixedTags | None = None
    ) -> list[tuple[TagProbability, ...]]:
        """Rank the tags of each word; see `Tagger.alternatives`."""
        return super().alternatives(words, self._with_seen([words], fixed))

    def _with_seen(self, sentences: Sequence[Sequence[str]], fixed: FixedTags | None) -> FixedTags:
        allowed = {
            (number, place): self._allowed(word, is_first=place == 0)
            for number, words in enumerate(sentences)
            for place, word in enumerate(words)
        }
        return {key: tags for key, tags in allowed.items() if tags} | dict(fixed or {})

    def _allowed(self, word: str, *, is_first: bool) -> tuple[str, ...]:
        tags = self._seen_tags(word.lower().replace("’", "'"))
        if tags and not is_first and word[0].isupper() and _NAME not in tags:
            return (*tags, _NAME)
        return tags
