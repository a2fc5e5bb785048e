"""Examples of queries for the help pages: what to type, in plain words, and its hits here and now.

A test runs every example over the demo newspapers; one without hits fails the build.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from weakref import WeakKeyDictionary

from django.urls import reverse
from django.utils.http import urlencode

from search.answers.answering import answer
from search.asking.request import asked
from search.asking.written_query import WrittenQuery
from search.engine.index.lexicon.lexicon import Lexicon
from search.engine.query.language.parser import Language
from search.opened_index import current_snapshot

# Seconds a page of examples may count; what is not counted by then is a link without a number.
PATIENCE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Example:
    """A query and what it means."""

    q: str
    words: str
    ql: str = "simple"

    @property
    def address(self) -> str:
        """Return where the query is run."""
        parameters = {"q": self.q} | ({"ql": self.ql} if self.ql != "simple" else {})
        return f"{reverse('search')}?{urlencode(parameters)}"


@dataclass(frozen=True, slots=True)
class Topic:
    """Examples that belong together."""

    slug: str
    title: str
    examples: tuple[Example, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class CountedExample:
    """An example with its hits in articles; None where counting would keep the reader waiting."""

    example: Example
    n_hits: int | None


@dataclass(frozen=True, slots=True)
class CountedTopic:
    """A topic whose examples are counted."""

    topic: Topic
    examples: tuple[CountedExample, ...]


def _cql(q: str, words: str) -> Example:
    return Example(q, words, "cql")


FIRST_SEARCH = (
    Example("water", "A word. Case does not matter."),
    Example("lemma:say", "All forms of a word: say, says, said, saying."),
    Example('"said that"', "Words one after the other."),
    Example("rain|water", "Either word."),
    Example("ADJ NOUN", "Parts of speech, in capitals: an adjective and then a noun."),
)
SIMPLE = (
    Topic(
        "words",
        "Words",
        (
            Example("taxi", "a word, whatever its case"),
            Example("council*", "words that begin so; * stands for any characters"),
            Example("*ish", "words that end so"),
            Example("wo?k", "? stands for one character"),
            Example("rain|water", "either word"),
            Example("lemma:go", "any form of a word: go, goes, went, gone"),
        ),
        "A backslash takes the special meaning from the next character: \\* is an asterisk. "
        "Straight and curly quotes stand for one another: 'n finds ’n.",
    ),
    Topic(
        "parts-of-speech",
        "Parts of speech",
        (
            Example("said/VERB", "a word as a verb"),
            Example("lemma:go/VERB", "any form of a word, as a verb"),
            Example("ADJ NOUN", "an adjective and a noun"),
            Example("tag:JJ*", "a tag of the Penn Treebank; here all adjectives"),
        ),
        "NOUN NAME VERB AUX ADJ ADV PRON DET PREP CONJ SCONJ NUM PART INTJ PUNCT SYM are known, "
        "each with its tags in English and in Afrikaans texts, which the CQL of an answer names.",
    ),
    Topic(
        "phrases",
        "Phrases",
        (
            Example('"said that"', "these words in this order"),
            Example("the * of", "a lone * is any one word"),
            Example("NOUN of the NOUN", "words and parts of speech together"),
            Example("lemma:say ..3.. that", "up to three words between, in one sentence"),
            Example("(this|last) year", "brackets hold what belongs together"),
        ),
    ),
)
CQL = (
    Topic(
        "tokens",
        "One token",
        (
            _cql('"water"', "the word, exactly so"),
            _cql('"water"%c', "%c: case does not matter; %d: nor do accents"),
            _cql('[lemma="go" & pos="VBD"]', "the past tense of a verb"),
            _cql('[word=".*ness"]', "a regular expression, for the whole word"),
            _cql('[pos="VB.*" & word!="is|was"]', "verbs but these two"),
        ),
        "Attributes are word, lemma and pos (the tag). & is and, | is or, ! is not.",
    ),
    Topic(
        "sequences",
        "Sequences",
        (
            _cql('[pos="JJ.*"] [lemma="rain|water"]', "an adjective before one of two words"),
            _cql('[pos="NNP"]{2,}', "two or more names in a row"),
            _cql('[lemma="say"] []{0,3} "that" within s', "up to three tokens between"),
            _cql('[lemma="be"] [pos="VBN"] "by"', "a passive with its agent"),
            _cql('[pos="DT"] [pos="JJ.*"]* @[pos="NN.*"]', "@ marks the node of the concordance"),
        ),
        "? + * and {2,5} say how often, as in regular expressions. [] is any token.",
    ),
    Topic(
        "structure",
        "Sentences and conditions across tokens",
        (
            _cql('<s> [pos="DT"]', "at the start of a sentence"),
            _cql('[lemma="say"] !within "he said"', "what does not lie inside another pattern"),
            _cql('<s/> containing "water"', "whole sentences that hold a word"),
            _cql(
                '[lemma="say"] !within quote',
                "outside quoted blocks; without ! inside them; also heading, caption, list_item",
            ),
            _cql('[pos="NN.*"] within headline', "in headlines; also standfirst"),
            _cql('<text> [pos="NN.*"] within headline', "at the start of a headline"),
            _cql(
                'a:[pos="NN.*"] "and" b:[pos="NN.*"] :: a.pos = b.pos',
                "labels: two nouns with the same tag",
            ),
            _cql('MU(meet [lemma="water"] [lemma="council"] s)', "two words in one sentence"),
            _cql(
                '[lemma="say" & text_section="News"]',
                "in texts of a section; also text_author, text_agency, text_language, text_year …",
            ),
        ),
    ),
)


def count(topics: tuple[Topic, ...], patience: float = PATIENCE_SECONDS) -> list[CountedTopic]:
    """Count the hits of all examples in the corpus as it is, for `patience` seconds."""
    ends = perf_counter() + patience
    return [
        CountedTopic(topic, tuple(count_examples(topic.examples, ends - perf_counter())))
        for topic in topics
    ]


def count_examples(
    examples: tuple[Example, ...], patience: float = PATIENCE_SECONDS
) -> Iterator[CountedExample]:
    """Count examples one after the other; those that time is too short for have no number."""
    ends = perf_counter() + patience
    snapshot = current_snapshot()
    for example in examples:
        left = ends - perf_counter()
        if left <= 0:
            yield CountedExample(example, None)
            continue
        request = asked(WrittenQuery(example.q, Language(example.ql)))
        so_far = answer(request, left, snapshot)
        yield CountedExample(example, so_far.hits.total if so_far.is_done else None)


# Of each row the first that the corpus has.
_HOME_WORDS = ("braai", "water", "people", "say", "de", "die", "in")
_HOME_PHRASES = ("just now", "said that", "of the")
_HOME_ENDINGS = ("*ish", "*ing", "*en")
_HOME_CLASSES = "NOUN of the NOUN"  # dear to count: where there is English, there are some
HOME_PATIENCE_SECONDS = 0.1
_GROWN = 2  # times the forms of the choice before: then the corpus may have better ones


@dataclass(frozen=True, slots=True)
class HomeExamples:
    """A word for the empty search box, and queries to try."""

    word: str
    queries: tuple[Example, ...] = ()

    @property
    def placeholder(self) -> str:
        """Return what stands in the empty box: a simple query and one in CQL."""
        return f'{self.word}    ·    [lemma="go"] []{{0,3}} "{self.word}"'


OF_AN_EMPTY_CORPUS = HomeExamples(_HOME_WORDS[0])
_CHOSEN: WeakKeyDictionary[Lexicon, tuple[int, HomeExamples]] = WeakKeyDictionary()


def home_examples() -> HomeExamples:
    """Return what the home page offers to try; chosen once a process until the corpus has grown."""
    lexicon = current_snapshot().lexicon
    n_forms = lexicon.size.n_forms
    n_then, examples = _CHOSEN.get(lexicon.lexicon, (0, OF_AN_EMPTY_CORPUS))
    if n_forms > _GROWN * n_then:
        examples = _choose(perf_counter() + HOME_PATIENCE_SECONDS)
        _CHOSEN[lexicon.lexicon] = (n_forms, examples)
    return examples


def _choose(ends: float) -> HomeExamples:
    def first(queries: Sequence[str]) -> str:
        examples = tuple(Example(q, "") for q in queries)
        for one in count_examples(examples, ends - perf_counter()):
            if one.n_hits != 0:  # None: there was no time to count, most corpora have it
                return one.example.q
        return ""

    of_lemma = first([f"lemma:{word}" for word in _HOME_WORDS])
    phrase = first(_HOME_PHRASES)
    queries = (phrase, first(_HOME_ENDINGS), of_lemma, _HOME_CLASSES if phrase else "")
    found = tuple(Example(q, "") for q in queries if q)
    return HomeExamples(of_lemma.removeprefix("lemma:"), found)
