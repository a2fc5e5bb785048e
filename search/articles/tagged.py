"""An article with its tags: text → sentences of words with tag, lemma and who decided.

The text is annotated anew by the code that annotates for the index, so nothing is stored twice;
what it shows is what the index holds since the article was last indexed. Only the
sentences that are shown are asked for the tagger's other candidates.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from extraction.models import Article
from extraction.text.tokens import Span
from search.engine.annotation.annotate import (
    AnnotatedText,
    TextToAnnotate,
    annotate_many,
)
from search.engine.annotation.features import CaseFlag, case_flags
from search.engine.annotation.languages import tagged_language
from search.engine.annotation.rulings import NO_CORRECTIONS, DecidedBy, Ruling
from search.engine.annotation.tagger import Tagger, TagProbability, shared_tagger
from search.engine.annotation.tagset import NAME_TAGS, TAG_SEPARATOR, WordClass, describe
from search.lexicon.correction_rulings import rulings_of_articles
from search.lexicon.entries import overrides

SENTENCES_PER_PAGE = 60
# As the specification of the page has it.
UNSURE_BELOW = 0.6
# Letters of the style sheet's underlines; pronouns are told from other function words by their tag.
_LETTERS = {
    WordClass.NOUN: "N",
    WordClass.NAME: "N",
    WordClass.VERB: "V",
    WordClass.ADJECTIVE: "J",
    WordClass.ADVERB: "R",
}
_PRONOUNS = frozenset({"PRP", "PRP$", "WP", "WP$", "WDT", "EX", "PRON"})
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
    """One token; `letter` is its class, `number` counts from 1 through the text.

    `decided_by` is empty where the tagger decided.
    """

    number: int
    word: str
    tag: str
    lemma: str
    letter: str
    decided_by: str
    is_hit: bool
    is_unsure: bool = False

    @property
    def folded(self) -> str:
        return self.word.lower()

    @property
    def is_lexicon(self) -> bool:
        return self.decided_by == DecidedBy.LEXICON

    @property
    def is_corrected(self) -> bool:
        return self.decided_by in (DecidedBy.TOKEN, DecidedBy.TEXT)


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
    """The panel of one token; `candidates` are what the tagger alone says, best first."""

    token: TaggedToken
    tag_words: str
    sentence: int
    ruling: Ruling | None
    candidates: tuple[TagProbability, ...]


@dataclass(frozen=True, slots=True)
class TaggedPage:
    """One page of sentences, the classes of the whole text, and the chosen token.

    `has_lexicon` says whether the lexicon rules over a text of this language; corrections rule over
    every text that is tagged.
    """

    sentences: tuple[TaggedSentence, ...]
    first: int
    n_sentences: int
    n_tokens: int
    classes: tuple[ClassShare, ...]
    is_tagged: bool
    has_lexicon: bool
    chosen: TokenFacts | None
    annotated: AnnotatedText

    @property
    def last(self) -> int:
        return self.first + len(self.sentences) - 1


@dataclass(frozen=True, slots=True)
class TaggedRequest:
    """Which sentence to begin with, and which token is looked at; both from 1, 0 for none.

    `hits` are half-open spans of token numbers from 0; without a first sentence, the page of the
    token `shown` is opened. With `marks_unsure`, tokens whose tag is in doubt are marked.
    """

    article: Article
    hits: tuple[Span, ...] = ()
    first: int = 0
    chosen: int = 0
    shown: int = 0
    marks_unsure: bool = False


def tagged_text(request: TaggedRequest) -> TaggedPage:
    """Annotate an article and cut out one page of sentences."""
    language = request.article.language or "und"
    annotated = annotated_article(request.article)
    tokens = list(_tokens(annotated, request.hits))
    first = _first_sentence(annotated, request)
    bounds = annotated.sentences[first - 1 : first - 1 + SENTENCES_PER_PAGE]
    entry = tagged_language(language)
    tagger = entry.tagger() if entry else None
    if request.marks_unsure and tagger:
        for span in bounds:
            _mark_unsure(tokens, annotated, span, tagger)
    spaces = annotated.space_before()
    return TaggedPage(
        sentences=tuple(
            TaggedSentence(number, tuple(_groups(tokens[start:end], spaces[start:end])))
            for number, (start, end) in enumerate(bounds, first)
        ),
        first=first,
        n_sentences=len(annotated.sentences),
        n_tokens=len(tokens),
        classes=tuple(_classes(tokens)),
        is_tagged=entry is not None,
        has_lexicon=entry is not None and entry.has_lexicon,
        chosen=_facts(annotated, tokens, request.chosen, tagger),
        annotated=annotated,
    )


def annotated_article(article: Article) -> AnnotatedText:
    """Annotate an article as the index has it, corrections of its own included."""
    text = article.whole_text
    own = rulings_of_articles({article.pk: text}).get(article.pk, NO_CORRECTIONS)
    item = TextToAnnotate(text, article.language or "und", own)
    return annotate_many([item], shared_tagger(), overrides())[0]


def _tokens(annotated: AnnotatedText, hits: tuple[Span, ...]) -> Iterator[TaggedToken]:
    marked = {place for start, end in hits for place in range(start, end)}
    for place, token in enumerate(annotated.tokens):
        ruling = annotated.rulings.get(place)
        yield TaggedToken(
            number=place + 1,
            word=token.word,
            tag=token.tag,
            lemma=token.lemma,
            letter=class_letter(token.tag),
            decided_by=ruling.by if ruling else "",
            is_hit=place in marked,
        )


def class_letter(tag: str) -> str:
    """Letter of the class that a tag is shown as."""
    return "P" if tag in _PRONOUNS else _LETTERS.get(describe(tag).word_class, "F")


def spelling_to_rule(annotated: AnnotatedText, number: int, tags: str) -> str:
    """Return under which spelling a word should be entered that was met as token `number`.

    A name keeps its capital, and so does a word whose capital is deliberate, amidst a sentence.
    """
    start, end = next(span for span in annotated.sentences if number <= span[1])
    words = [token.word for token in annotated.tokens[start:end]]
    place = number - 1 - start
    is_name = {tag.strip() for tag in tags.split(TAG_SEPARATOR)} <= NAME_TAGS
    if is_name or case_flags(words)[place] == CaseFlag.NORMAL:
        return words[place]
    return words[place].lower()


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
    annotated: AnnotatedText, tokens: list[TaggedToken], chosen: int, tagger: Tagger | None
) -> TokenFacts | None:
    if not 1 <= chosen <= len(tokens):
        return None
    token = tokens[chosen - 1]
    number, (start, end) = next(
        (number, span) for number, span in enumerate(annotated.sentences, 1) if chosen <= span[1]
    )
    candidates: list[tuple[TagProbability, ...]] = []
    if tagger:
        fixed = _fixed_tags(annotated, start, end, without=chosen - 1)
        words = [token.word for token in annotated.tokens[start:end]]
        candidates = tagger.alternatives(words, fixed)
    return TokenFacts(
        token=token,
        tag_words=describe(token.tag).words,
        sentence=number,
        ruling=annotated.rulings.get(chosen - 1),
        candidates=candidates[chosen - 1 - start] if candidates else (),
    )


def _fixed_tags(
    annotated: AnnotatedText, start: int, end: int, without: int = -1
) -> dict[tuple[int, int], tuple[str, ...]]:
    """Collect what is ruled in a sentence, the ruling of one token left out."""
    return {
        (0, place - start): ruling.entry.tags
        for place, ruling in annotated.rulings.items()
        if start <= place < end and place != without
    }


def _mark_unsure(
    tokens: list[TaggedToken], annotated: AnnotatedText, sentence: Span, tagger: Tagger
) -> None:
    start, end = sentence
    words = [token.word for token in annotated.tokens[start:end]]
    found = tagger.alternatives(words, _fixed_tags(annotated, start, end))
    for place, candidates in enumerate(found, start):
        is_unsure = place not in annotated.rulings and candidates[0].probability < UNSURE_BELOW
        tokens[place] = replace(tokens[place], is_unsure=is_unsure)
