"""What another lexicon would change: the lines of some words, with tag now → tag then.

The sentences are those of the index, tagged under both lexicons. What was corrected in single texts
rules under both: such an occurrence keeps its tag, and is counted apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from search.answers.answering import hits_of
from search.answers.search_lines import SearchLine, search_lines
from search.asking.request import SearchRequest, Texts, asked_in_cql
from search.asking.value_queries import row_query
from search.engine.annotation.annotate import annotate_sentences
from search.engine.annotation.lexicon import WORD_SEPARATOR, LexiconOverrides
from search.engine.annotation.rulings import DecidedBy, Ruling, rulings_of_words
from search.engine.annotation.tagger import shared_tagger
from search.engine.concordance.kwic import KwicLine, PageRequest, lines_of
from search.engine.query.filters import DocumentFilter
from search.lexicon.correction_rulings import corrections_of_lines

# Tagged twice in some 0.2 s.
LINES_LOOKED_AT = 200
LINES_SHOWN = 20
# Of a pasted list: a query each, of about a millisecond.
MOST_WORDS = 300
CONTEXT_CHARS = 90  # of the sentence, on each side of the word
ENGLISH_TEXTS = ("en",)


@dataclass(frozen=True, slots=True)
class EffectLine:
    """One occurrence: its line, and tag and lemma under both lexicons, for each of its tokens.

    `corrected_by` is empty but where a correction of the token or the text decides.
    """

    line: SearchLine
    tag_now: str
    tag_then: str
    lemma_now: str
    lemma_then: str
    corrected_by: str = ""

    @property
    def left(self) -> str:
        return self.line.left[-CONTEXT_CHARS:]

    @property
    def right(self) -> str:
        return self.line.right[:CONTEXT_CHARS]

    @property
    def token_number(self) -> int:
        return self.line.position + 1

    @property
    def is_changed(self) -> bool:
        return (self.tag_now, self.lemma_now) != (self.tag_then, self.lemma_then)


@dataclass(frozen=True, slots=True)
class Effect:
    """How many occurrences of the words there are, and what became of the newest of them.

    `n_decided` counts those over which an entry of the lexicon of then rules, `n_corrected` those
    over which a correction rules instead.
    """

    n_hits: int
    n_texts: int
    n_looked_at: int
    n_decided: int
    n_corrected: int
    n_changed: int
    lines: tuple[EffectLine, ...]


@dataclass(frozen=True, slots=True)
class _Compared:
    line: KwicLine
    now: tuple[str, str]
    then: tuple[str, str]
    is_decided: bool
    correction: Ruling | None

    @property
    def is_changed(self) -> bool:
        return self.now != self.then


def effect(
    words: Sequence[str],
    now: LexiconOverrides,
    then: LexiconOverrides,
    n_lines: int = LINES_LOOKED_AT,
) -> Effect:
    """Compare two lexicons on the newest occurrences of some words.

    Changed lines come first, then corrected ones.
    """
    lines: list[KwicLine] = []
    n_hits = n_texts = 0
    for word in words[:MOST_WORDS]:
        hits = hits_of(_request(word))
        n_hits += hits.total
        n_texts += hits.n_texts
        n_left = max(0, n_lines - len(lines))
        share = n_left if len(words) == 1 else min(n_left, _share(len(words)))
        lines += lines_of(hits, PageRequest(count=share, whole_sentence=True))
    compared = _compare(lines, now, then)
    shown = sorted(compared, key=lambda item: (not item.is_changed, not item.correction))[
        :LINES_SHOWN
    ]
    described = search_lines([item.line for item in shown])
    return Effect(
        n_hits=n_hits,
        n_texts=n_texts,
        n_looked_at=len(lines),
        n_decided=sum(item.is_decided for item in compared),
        n_corrected=sum(item.correction is not None for item in compared),
        n_changed=sum(item.is_changed for item in compared),
        lines=tuple(_effect_line(line, item) for line, item in zip(described, shown, strict=True)),
    )


def _effect_line(line: SearchLine, item: _Compared) -> EffectLine:
    return EffectLine(
        line,
        tag_now=item.now[0],
        tag_then=item.then[0],
        lemma_now=item.now[1],
        lemma_then=item.then[1],
        corrected_by=item.correction.by if item.correction else "",
    )


def _share(n_words: int) -> int:
    """Return how many lines of each of several words are looked at, so that all are seen."""
    return max(2, LINES_SHOWN // n_words)


def _request(word: str) -> SearchRequest:
    """Ask for a word in whatever case, in all texts that the lexicon rules over."""
    query = row_query(word.lower().split(WORD_SEPARATOR))
    return asked_in_cql(query, Texts(DocumentFilter(languages=ENGLISH_TEXTS)))


def _compare(
    lines: list[KwicLine], now: LexiconOverrides, then: LexiconOverrides
) -> list[_Compared]:
    sentences = [[*line.left_words, *line.node_words, *line.right_words] for line in lines]
    corrections = corrections_of_lines(lines)
    tagged = [
        annotate_sentences(sentences, shared_tagger(), which, corrections) for which in (now, then)
    ]
    compared = []
    for number, (line, words) in enumerate(zip(lines, sentences, strict=True)):
        start = len(line.left_words)
        node = slice(start, start + len(line.node_words))
        places = range(*node.indices(len(words)))
        correction = next(filter(None, map(corrections[number].get, places)), None)
        ruled = rulings_of_words(words, then)
        name = WORD_SEPARATOR.join(words[node])
        is_decided = not correction and all(_is_of(name, ruled.get(place)) for place in places)
        before, after = (_joined(answers[number][node]) for answers in tagged)
        compared.append(_Compared(line, before, after, is_decided, correction))
    return compared


def _is_of(name: str, ruling: Ruling | None) -> bool:
    """Whether the lexicon's entry for a word or an expression rules."""
    return (
        ruling is not None
        and ruling.by is DecidedBy.LEXICON
        and ruling.name.lower() == name.lower()
    )


def _joined(node: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Write the tags of the tokens of an occurrence, and their lemmas."""
    tags, lemmas = zip(*node, strict=True)
    return WORD_SEPARATOR.join(tags), WORD_SEPARATOR.join(lemmas)
