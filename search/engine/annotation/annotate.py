"""From text to tagged tokens: split, tokenize, tag, lemmatize, as the table of languages says.

In a language that is not in the table every token's tag is XX ("not tagged") and its lemma the
lower-cased word, so that word and lemma queries work alike there and no tag is invented.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from extraction.text.language import ENGLISH
from extraction.text.sentences import split_sentences
from extraction.text.tokens import Span, tokenize
from search.engine.annotation.languages import Lemmatizer, TaggedLanguage, tagged_language
from search.engine.annotation.lemmatizer import lemmas
from search.engine.annotation.lexicon import LexiconOverrides
from search.engine.annotation.rulings import (
    NO_CORRECTIONS,
    Ruling,
    TextRulings,
    corrections_of_sentence,
    rulings_of_sentence,
    rulings_of_words,
)
from search.engine.annotation.tagger import Tagger
from search.engine.annotation.tagset import UNTAGGED

# A sentence's spans and the words in them.
Sentence = tuple[list[Span], list[str]]


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
        Of English; the others' stand in the table of languages.
    overrides
        Entries that rule over tagger and lemmatizer, in English texts; corrections rule in all.

    Returns
    -------
    list of AnnotatedText
        One for each text; empty for an empty text.
    """
    entries = [tagged_language(item.language) for item in texts]
    split = [_split(item.text, entry) for item, entry in zip(texts, entries, strict=True)]
    results = [AnnotatedText((), ())] * len(texts)
    by_language: dict[str, tuple[TaggedLanguage, list[int]]] = {}
    for number, entry in enumerate(entries):
        if entry is None:
            results[number] = _build_untagged(split[number])
        elif split[number]:
            by_language.setdefault(entry.code, (entry, []))[1].append(number)
    for entry, numbers in by_language.values():
        ruled = [_rulings(texts[number], split[number], entry, overrides) for number in numbers]
        found = _annotate_alike(
            [split[number] for number in numbers],
            ruled,
            tagger if entry.code == ENGLISH else entry.tagger(),
            entry.lemmas,
        )
        for number, annotated in zip(numbers, found, strict=True):
            results[number] = annotated
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


def _split(text: str, entry: TaggedLanguage | None) -> list[Sentence]:
    sentences = [tokenize(text, start, end) for start, end in split_sentences(text)]
    if entry is not None and entry.join:
        sentences = [entry.join(text, spans) for spans in sentences]
    return [(spans, [text[start:end] for start, end in spans]) for spans in sentences if spans]


def _rulings(
    item: TextToAnnotate,
    sentences: list[Sentence],
    entry: TaggedLanguage,
    overrides: LexiconOverrides,
) -> list[dict[int, Ruling]]:
    """Find what people decided, sentence by sentence."""
    own = item.corrections
    if entry.has_lexicon:
        return [rulings_of_sentence(spans, words, overrides, own) for spans, words in sentences]
    return [corrections_of_sentence(spans, words, own) for spans, words in sentences]


def _annotate_alike(
    texts: list[list[Sentence]],
    ruled: list[list[dict[int, Ruling]]],
    tagger: Tagger,
    lemmatizer: Lemmatizer,
) -> list[AnnotatedText]:
    """Tag texts of one language together."""
    sentences = [words for text in texts for _, words in text]
    fixed = _fixed_tags([rulings for text in ruled for rulings in text])
    tagged = iter(tagger.tag_sentences(sentences, fixed))
    return [
        _build_tagged(text, [next(tagged) for _ in text], rulings, lemmatizer)
        for text, rulings in zip(texts, ruled, strict=True)
    ]


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
    lemmatizer: Lemmatizer,
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
