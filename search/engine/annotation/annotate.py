"""From text to tagged tokens: split, tokenize, tag, lemmatize.

English gets Penn tags and lemmas, Afrikaans universal tags and lemmas. In any other language every
token's tag is XX ("not tagged") and its lemma the lower-cased word, so that word and lemma queries
work alike there and no tag is invented.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from extraction.text.language import ENGLISH
from extraction.text.sentences import split_sentences
from extraction.text.south_african import SOUTH_AFRICAN_PATH
from extraction.text.tokens import Span, tokenize
from search.engine.annotation.afrikaans import LEMMAS_PATH, afrikaans_lemmas
from search.engine.annotation.afrikaans_tagger import EVERYDAY_PATH, afrikaans_tagger
from search.engine.annotation.afrikaans_tokens import join_afrikaans
from search.engine.annotation.languages import is_afrikaans, is_english
from search.engine.annotation.lemmatizer import TABLE_PATH, lemmas
from search.engine.annotation.lexicon import LexiconOverrides
from search.engine.annotation.model import AFRIKAANS_MODEL_PATH, MODEL_PATH
from search.engine.annotation.rulings import (
    NO_CORRECTIONS,
    Ruling,
    TextRulings,
    corrections_of_sentence,
    rulings_of_sentence,
    rulings_of_words,
)
from search.engine.annotation.tagger import Tagger, shared_tagger
from search.engine.annotation.tagset import UNTAGGED

# Raised by hand when the code changes what comes out for the same files.
CODE_VERSION = "4"

_DECIDING_FILES = (
    MODEL_PATH,
    TABLE_PATH,
    SOUTH_AFRICAN_PATH,
    AFRIKAANS_MODEL_PATH,
    LEMMAS_PATH,
    EVERYDAY_PATH,
)

# A sentence's spans and the words in them.
Sentence = tuple[list[Span], list[str]]
# Words and tags of a sentence in, lemmas out.
Lemmatizer = Callable[[Sequence[str], Sequence[str]], list[str]]


class AnnotatedToken(NamedTuple):
    """One token: offsets into the text in code points, form, lemma, tag."""

    start: int
    end: int
    word: str
    lemma: str
    tag: str


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """Tokens in text order, and each sentence as a half-open span of token numbers.

    `rulings` says of some tokens, by number, what people decided.
    """

    tokens: tuple[AnnotatedToken, ...]
    sentences: tuple[Span, ...]
    rulings: Mapping[int, Ruling] = field(default_factory=dict)

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
    """A normalised text, its language (BCP 47), and what was corrected in it."""

    text: str
    language: str = ENGLISH
    corrections: TextRulings = NO_CORRECTIONS


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
        Of English; Afrikaans has its own.
    overrides
        Entries that rule over tagger and lemmatizer, in English texts; corrections rule in both.

    Returns
    -------
    list of AnnotatedText
        One for each text; empty for an empty text.
    """
    split = [_split(item) for item in texts]
    english = [
        number for number, item in enumerate(texts) if is_english(item.language) and split[number]
    ]
    sentences = [words for number in english for _, words in split[number]]
    ruled = [
        rulings_of_sentence(spans, words, overrides, texts[number].corrections)
        for number in english
        for spans, words in split[number]
    ]
    tagged = tagger.tag_sentences(sentences, _fixed_tags(ruled))
    results = [AnnotatedText((), ())] * len(texts)
    done = 0
    for number in english:
        end = done + len(split[number])
        results[number] = _build_tagged(split[number], tagged[done:end], ruled[done:end])
        done = end
    afrikaans = [number for number, item in enumerate(texts) if is_afrikaans(item.language)]
    found = _annotate_afrikaans(
        [split[number] for number in afrikaans], [texts[number].corrections for number in afrikaans]
    )
    for number, annotated in zip(afrikaans, found, strict=True):
        results[number] = annotated
    for number in set(range(len(texts))).difference(english, afrikaans):
        results[number] = _build_untagged(split[number])
    return results


def annotate_sentences(
    sentences: Sequence[Sequence[str]],
    tagger: Tagger,
    overrides: LexiconOverrides,
    corrections: Sequence[Mapping[int, Ruling]] = (),
) -> list[list[tuple[str, str]]]:
    """Tag English sentences of words under a lexicon, to compare one lexicon with another.

    Parameters
    ----------
    sentences
        Words by sentence, as they were tokenized.
    tagger
        As for `annotate_many`.
    overrides
        The lexicon to try.
    corrections
        What rules over the lexicon in each sentence, by place; empty for none at all.

    Returns
    -------
    list of list of (str, str)
        Tag and lemma of every word, in the shape of the argument.
    """
    ruled = [
        rulings_of_words(words, overrides) | dict(own)
        for words, own in zip(sentences, corrections or [{}] * len(sentences), strict=True)
    ]
    tagged = tagger.tag_sentences(sentences, _fixed_tags(ruled))
    return [
        list(zip(tags, _lemmas(words, tags, rulings), strict=True))
        for words, tags, rulings in zip(sentences, tagged, ruled, strict=True)
    ]


def tagger_of(language: str) -> Tagger | None:
    """Return the process's tagger of a language, None where it has none."""
    if is_english(language):
        return shared_tagger()
    return afrikaans_tagger() if is_afrikaans(language) else None


@cache
def annotation_version() -> str:
    """Return a digest of all that decides tags and lemmas but the text and what editors enter."""
    digest = hashlib.blake2b(CODE_VERSION.encode(), digest_size=8)
    for path in _DECIDING_FILES:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _split(item: TextToAnnotate) -> list[Sentence]:
    text = item.text
    sentences = [tokenize(text, start, end) for start, end in split_sentences(text)]
    if is_afrikaans(item.language):
        sentences = [join_afrikaans(text, spans) for spans in sentences]
    return [(spans, [text[start:end] for start, end in spans]) for spans in sentences if spans]


def _fixed_tags(
    ruled: Sequence[Mapping[int, Ruling]],
) -> dict[tuple[int, int], tuple[str, ...]]:
    return {
        (number, place): ruling.entry.tags
        for number, rulings in enumerate(ruled)
        for place, ruling in rulings.items()
    }


def _build_tagged(
    sentences: list[Sentence],
    tags: list[list[str]],
    ruled: list[dict[int, Ruling]],
    lemmatizer: Lemmatizer = lemmas,
) -> AnnotatedText:
    tokens: list[AnnotatedToken] = []
    bounds: list[Span] = []
    rulings: dict[int, Ruling] = {}
    parts = zip(sentences, tags, ruled, strict=True)
    for (spans, words), their_tags, their_rulings in parts:
        rulings |= {len(tokens) + place: ruling for place, ruling in their_rulings.items()}
        bounds.append((len(tokens), len(tokens) + len(spans)))
        found = _lemmas(words, their_tags, their_rulings, lemmatizer)
        tokens += _tokens(spans, words, found, their_tags)
    return AnnotatedText(tuple(tokens), tuple(bounds), rulings)


def _lemmas(
    words: Sequence[str],
    tags: Sequence[str],
    rulings: Mapping[int, Ruling],
    lemmatizer: Lemmatizer = lemmas,
) -> list[str]:
    found = lemmatizer(words, tags)
    for place, ruling in rulings.items():
        found[place] = ruling.entry.lemma or found[place]
    return found


def _annotate_afrikaans(
    texts: list[list[Sentence]], corrections: list[TextRulings]
) -> list[AnnotatedText]:
    if not any(texts):
        return [AnnotatedText((), ())] * len(texts)
    ruled = [
        [corrections_of_sentence(spans, words, own) for spans, words in text]
        for text, own in zip(texts, corrections, strict=True)
    ]
    sentences = [words for text in texts for _, words in text]
    fixed = _fixed_tags([rulings for text in ruled for rulings in text])
    tagged = iter(afrikaans_tagger().tag_sentences(sentences, fixed))
    return [
        _build_tagged(text, [next(tagged) for _ in text], rulings, afrikaans_lemmas)
        for text, rulings in zip(texts, ruled, strict=True)
    ]


def _build_untagged(sentences: list[Sentence]) -> AnnotatedText:
    tokens: list[AnnotatedToken] = []
    bounds: list[Span] = []
    for spans, words in sentences:
        bounds.append((len(tokens), len(tokens) + len(spans)))
        folded = [word.lower() for word in words]
        tokens += _tokens(spans, words, folded, [UNTAGGED] * len(words))
    return AnnotatedText(tuple(tokens), tuple(bounds))


def _tokens(
    spans: list[Span], words: list[str], lemmas: list[str], tags: list[str]
) -> Iterator[AnnotatedToken]:
    starts, ends = zip(*spans, strict=True)
    return map(AnnotatedToken._make, zip(starts, ends, words, lemmas, tags, strict=True))
