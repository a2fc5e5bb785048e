"""From text to tagged tokens: split, tokenize, tag, lemmatize.

English gets Penn tags and lemmas. In any other language every token's tag is XX ("not tagged") and
its lemma the lower-cased word, so that word and lemma queries work alike there and no tag is
invented.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from extraction.text.language import ENGLISH
from extraction.text.sentences import split_sentences
from extraction.text.tokens import Span, tokenize
from search.annotation.features import case_flags
from search.annotation.lemmatizer import TABLE_PATH, lemma
from search.annotation.lexicon import LexiconOverrides, LexiconWord
from search.annotation.model import MODEL_PATH
from search.annotation.tagger import Tagger
from search.annotation.tagset import UNTAGGED

# Raised by hand when the code changes what comes out for the same files.
CODE_VERSION = "1"

_RAND = frozenset({"R", "ZAR"})


class Token(NamedTuple):
    """One token: offsets into the text in code points, form, lemma, tag."""

    start: int
    end: int
    word: str
    lemma: str
    tag: str


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """Tokens in text order, and each sentence as a half-open span of token numbers."""

    tokens: tuple[Token, ...]
    sentences: tuple[Span, ...]

    @property
    def sentence_starts(self) -> list[int]:
        """Token numbers at which sentences start."""
        return [first for first, _ in self.sentences]

    def space_before(self) -> list[bool]:
        """Whether white space stands before each token; false for the first."""
        ends = [0, *(token.end for token in self.tokens[:-1])]
        return [
            token.start > end and place > 0
            for place, (token, end) in enumerate(zip(self.tokens, ends, strict=False))
        ]


@dataclass(frozen=True, slots=True)
class TextToAnnotate:
    """A normalised text and its language (BCP 47)."""

    text: str
    language: str = ENGLISH


def annotate(
    text: str,
    tagger: Tagger,
    overrides: LexiconOverrides,
    language: str = ENGLISH,
) -> AnnotatedText:
    """Annotate one text; see `annotate_many`."""
    return annotate_many([TextToAnnotate(text, language)], tagger, overrides)[0]


def annotate_many(
    texts: Sequence[TextToAnnotate], tagger: Tagger, overrides: LexiconOverrides
) -> list[AnnotatedText]:
    """Annotate texts together, which is faster than one by one.

    Parameters
    ----------
    texts
        Normalised texts; line feeds are paragraph breaks.
    tagger
        Used for English only.
    overrides
        Entries that rule over tagger and lemmatizer, in English texts.

    Returns
    -------
    list of AnnotatedText
        One for each text; empty for an empty text.
    """
    split = [_split(item.text) for item in texts]
    english = [
        number for number, item in enumerate(texts) if is_english(item.language) and split[number]
    ]
    words = [
        [texts[number].text[start:end] for start, end in spans]
        for number in english
        for spans in split[number]
    ]
    fixed, ruled = _apply_lexicon(words, overrides)
    fixed |= _currency(words)
    tagged = iter(tagger.tag_sentences(words, fixed))
    places = iter(range(len(words)))
    is_tagged = set(english)
    return [
        _build(
            item.text,
            spans,
            [(next(tagged), ruled.get(next(places), {})) for _ in spans]
            if number in is_tagged
            else None,
        )
        for number, (item, spans) in enumerate(zip(texts, split, strict=True))
    ]


def is_english(language: str) -> bool:
    """Whether a BCP 47 code is English of any country."""
    return language == ENGLISH or language.startswith(f"{ENGLISH}-")


@cache
def annotation_version() -> str:
    """Return a digest of all that decides tags and lemmas but the text and the lexicon."""
    digest = hashlib.blake2b(CODE_VERSION.encode(), digest_size=8)
    for path in (MODEL_PATH, TABLE_PATH):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _split(text: str) -> list[list[Span]]:
    sentences = [tokenize(text, start, end) for start, end in split_sentences(text)]
    return [spans for spans in sentences if spans]


def _apply_lexicon(
    sentences: list[list[str]], overrides: LexiconOverrides
) -> tuple[dict[tuple[int, int], tuple[str, ...]], dict[int, dict[int, LexiconWord]]]:
    """Find the entries that rule: allowed tags by (sentence, place), and the entries themselves."""
    fixed: dict[tuple[int, int], tuple[str, ...]] = {}
    ruled: dict[int, dict[int, LexiconWord]] = {}
    candidates = {entry.lower() for entry in overrides.words}
    for number, words in enumerate(sentences):
        folded = [word.lower() for word in words]
        if candidates.isdisjoint(folded):
            continue
        flags = case_flags(words)
        for place, word in enumerate(words):
            entry = overrides.find(word, flags[place]) if folded[place] in candidates else None
            if entry:
                fixed[number, place] = entry.tags
                ruled.setdefault(number, {})[place] = entry
    return fixed, ruled


def _currency(sentences: list[list[str]]) -> dict[tuple[int, int], tuple[str, ...]]:
    """R and ZAR before an amount are currency signs; the treebanks have none of them."""
    return {
        (number, place): ("$",)
        for number, words in enumerate(sentences)
        for place, word in enumerate(words[:-1])
        if word in _RAND and words[place + 1][0].isdigit()
    }


def _build(
    text: str,
    sentences: list[list[Span]],
    tagged: list[tuple[list[str], dict[int, LexiconWord]]] | None,
) -> AnnotatedText:
    tokens: list[Token] = []
    bounds: list[Span] = []
    for number, spans in enumerate(sentences):
        first = len(tokens)
        if tagged is None:
            for start, end in spans:
                word = text[start:end]
                tokens.append(Token(start, end, word, word.lower(), UNTAGGED))
        else:
            tags, ruled = tagged[number]
            for (start, end), tag in zip(spans, tags, strict=True):
                word = text[start:end]
                tokens.append(Token(start, end, word, lemma(word, tag), tag))
            for place, entry in ruled.items():
                if entry.lemma:
                    token = tokens[first + place]
                    tokens[first + place] = token._replace(lemma=entry.lemma)
        bounds.append((first, len(tokens)))
    return AnnotatedText(tuple(tokens), tuple(bounds))
