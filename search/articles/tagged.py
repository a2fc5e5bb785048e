"""An article with its tags: text → sentences of words with tag, lemma and who decided.

The text is annotated anew by the code that annotates for the index, so nothing is stored twice
(COR-60); what it shows is what the index holds since the article was last indexed.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from extraction.models import Article
from extraction.text.tokens import Span
from search.annotation.annotate import AnnotatedText, annotate, is_english
from search.annotation.features import case_flags
from search.annotation.lexicon import LexiconOverrides, LexiconWord
from search.annotation.tagger import shared_tagger
from search.annotation.tagset import WordClass, describe
from search.lexicon import overrides

SENTENCES_PER_PAGE = 60
# Letters of the style sheet's underlines; pronouns are told from other function words by their tag.
_LETTERS = {
    WordClass.NOUN: "N",
    WordClass.NAME: "N",
    WordClass.VERB: "V",
    WordClass.ADJECTIVE: "J",
    WordClass.ADVERB: "R",
}
_PRONOUNS = frozenset({"PRP", "PRP$", "WP", "WP$", "WDT", "EX"})
CLASS_NAMES = {
    "N": "Nouns and names",
    "V": "Verbs",
    "J": "Adjectives",
    "R": "Adverbs",
    "P": "Pronouns",
    "F": "All other",
}


@dataclass(frozen=True, slots=True)
class TaggedToken:
    """One token; `letter` is its class, `number` counts from 1 through the text."""

    number: int
    word: str
    tag: str
    lemma: str
    letter: str
    is_lexicon: bool
    is_hit: bool


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """Tokens in groups without space between them."""

    number: int
    groups: tuple[tuple[TaggedToken, ...], ...]


@dataclass(frozen=True, slots=True)
class ClassShare:
    letter: str
    name: str
    n: int
    share: float


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """The panel of one token."""

    token: TaggedToken
    tag_words: str
    sentence: int
    entry: LexiconWord | None


@dataclass(frozen=True, slots=True)
class TaggedText:
    """One page of sentences, the classes of the whole text, and the chosen token."""

    sentences: tuple[TaggedSentence, ...]
    first: int
    n_sentences: int
    n_tokens: int
    classes: tuple[ClassShare, ...]
    is_tagged: bool
    chosen: TokenFacts | None

    @property
    def last(self) -> int:
        return self.first + len(self.sentences) - 1


@dataclass(frozen=True, slots=True)
class TaggedRequest:
    """Which sentence to begin with, and which token is looked at; both from 1, 0 for none.

    `hits` are half-open spans of token numbers from 0; without a first sentence, the page of the
    token `shown` is opened.
    """

    article: Article
    hits: tuple[Span, ...] = ()
    first: int = 0
    chosen: int = 0
    shown: int = 0


def tagged_text(request: TaggedRequest) -> TaggedText:
    """Annotate an article and cut out one page of sentences."""
    article = request.article
    in_force = overrides()
    language = article.language or "und"
    annotated = annotate(article.whole_text, shared_tagger(), in_force, language)
    entries = _entries(annotated, in_force) if is_english(language) else {}
    tokens = list(_tokens(annotated, entries, request.hits))
    first = _first_sentence(annotated, request)
    bounds = annotated.sentences[first - 1 : first - 1 + SENTENCES_PER_PAGE]
    spaces = annotated.space_before()
    return TaggedText(
        sentences=tuple(
            TaggedSentence(number, tuple(_groups(tokens[start:end], spaces[start:end])))
            for number, (start, end) in enumerate(bounds, first)
        ),
        first=first,
        n_sentences=len(annotated.sentences),
        n_tokens=len(tokens),
        classes=tuple(_classes(tokens)),
        is_tagged=is_english(language),
        chosen=_facts(annotated, tokens, entries, request.chosen),
    )


def _entries(annotated: AnnotatedText, in_force: LexiconOverrides) -> dict[int, LexiconWord]:
    """Find the lexicon entries that decided, by token number from 0."""
    found: dict[int, LexiconWord] = {}
    for start, end in annotated.sentences:
        words = [token.word for token in annotated.tokens[start:end]]
        for place, (word, flag) in enumerate(zip(words, case_flags(words), strict=True), start):
            entry = in_force.find(word, flag)
            if entry:
                found[place] = entry
    return found


def _tokens(
    annotated: AnnotatedText, entries: dict[int, LexiconWord], hits: tuple[Span, ...]
) -> Iterator[TaggedToken]:
    marked = {place for start, end in hits for place in range(start, end)}
    for place, token in enumerate(annotated.tokens):
        yield TaggedToken(
            number=place + 1,
            word=token.word,
            tag=token.tag,
            lemma=token.lemma,
            letter=class_letter(token.tag),
            is_lexicon=place in entries,
            is_hit=place in marked,
        )


def class_letter(tag: str) -> str:
    """Letter of the class that a tag is shown as."""
    return "P" if tag in _PRONOUNS else _LETTERS.get(describe(tag).word_class, "F")


def _first_sentence(annotated: AnnotatedText, request: TaggedRequest) -> int:
    """Begin with the sentence asked for, else with the page that holds the chosen token."""
    wanted = request.chosen or request.shown
    if wanted and not request.first:
        for number, (_, end) in enumerate(annotated.sentences):
            if wanted <= end:
                return number // SENTENCES_PER_PAGE * SENTENCES_PER_PAGE + 1
    return max(1, min(request.first, len(annotated.sentences)))


def _groups(tokens: list[TaggedToken], spaces: list[bool]) -> Iterator[tuple[TaggedToken, ...]]:
    group: list[TaggedToken] = []
    for token, has_space in zip(tokens, spaces, strict=True):
        if group and has_space:
            yield tuple(group)
            group = []
        group.append(token)
    if group:
        yield tuple(group)


def _classes(tokens: list[TaggedToken]) -> Iterator[ClassShare]:
    counted = Counter(token.letter for token in tokens)
    for letter, name in CLASS_NAMES.items():
        if tokens:
            yield ClassShare(letter, name, counted[letter], counted[letter] / len(tokens))


def _facts(
    annotated: AnnotatedText,
    tokens: list[TaggedToken],
    entries: dict[int, LexiconWord],
    chosen: int,
) -> TokenFacts | None:
    if not 1 <= chosen <= len(tokens):
        return None
    token = tokens[chosen - 1]
    sentence = next(
        number for number, (_, end) in enumerate(annotated.sentences, 1) if chosen <= end
    )
    return TokenFacts(token, describe(token.tag).words, sentence, entries.get(chosen - 1))
