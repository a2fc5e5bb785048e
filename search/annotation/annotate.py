"""From text to tagged tokens: split, tokenize, tag, lemmatize.

English gets Penn tags and lemmas. In any other language every token's tag is XX ("not tagged") and
its lemma the lower-cased word, so that word and lemma queries work alike there and no tag is
invented.
"""

import hashlib
from collections.abc import Iterator, Sequence
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

# A sentence's spans and the words in them.
Sentence = tuple[list[Span], list[str]]

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
    sentences = [words for number in english for _, words in split[number]]
    fixed, ruled = _apply_lexicon(sentences, overrides)
    fixed |= _currency(sentences)
    tagged = tagger.tag_sentences(sentences, fixed)
    results = [AnnotatedText((), ())] * len(texts)
    done = 0
    for number in english:
        n_sentences = len(split[number])
        lemmas = {place: ruled.get(done + place, {}) for place in range(n_sentences)}
        results[number] = _build_tagged(split[number], tagged[done : done + n_sentences], lemmas)
        done += n_sentences
    for number in set(range(len(texts))) - set(english):
        results[number] = _build_untagged(split[number])
    return results


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


def _split(text: str) -> list[Sentence]:
    sentences = [tokenize(text, start, end) for start, end in split_sentences(text)]
    return [(spans, [text[start:end] for start, end in spans]) for spans in sentences if spans]


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


def _build_tagged(
    sentences: list[Sentence], tags: list[list[str]], entries: dict[int, dict[int, LexiconWord]]
) -> AnnotatedText:
    tokens: list[Token] = []
    bounds: list[Span] = []
    for number, ((spans, words), their_tags) in enumerate(zip(sentences, tags, strict=True)):
        lemmas = list(map(lemma, words, their_tags))
        for place, entry in entries[number].items():
            lemmas[place] = entry.lemma or lemmas[place]
        bounds.append((len(tokens), len(tokens) + len(spans)))
        tokens += _tokens(spans, words, lemmas, their_tags)
    return AnnotatedText(tuple(tokens), tuple(bounds))


def _build_untagged(sentences: list[Sentence]) -> AnnotatedText:
    tokens: list[Token] = []
    bounds: list[Span] = []
    for spans, words in sentences:
        bounds.append((len(tokens), len(tokens) + len(spans)))
        lemmas = [word.lower() for word in words]
        tokens += _tokens(spans, words, lemmas, [UNTAGGED] * len(words))
    return AnnotatedText(tuple(tokens), tuple(bounds))


def _tokens(
    spans: list[Span], words: list[str], lemmas: list[str], tags: list[str]
) -> Iterator[Token]:
    starts, ends = zip(*spans, strict=True)
    return map(Token._make, zip(starts, ends, words, lemmas, tags, strict=True))
