"""Which paragraphs of a text are in another language than the text: text in, spans out.

Newspapers print statements, poems and whole columns in a second language. Each paragraph is judged
by the same model as the text; it is of another language when it leads clearly, and takes the text's
language when it is short. Where another language has most of the letters, the text is of that one.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from extraction.text.language import (
    FOREIGN_SHARE,
    LanguageDecision,
    best,
    identify,
    is_other_script,
)
from extraction.text.language_features import letters_of
from extraction.text.language_model import ENGLISH, NAMES, UNKNOWN, shared_model
from extraction.text.other_languages import named
from extraction.text.vocabulary_ratio import vocabulary_ratio
from presentation.wording.figures import percent

# Shorter paragraphs inherit the language of the text: a name and a number have none.
MIN_CHARS = 40
# Characters of a paragraph that are looked at.
SAMPLE_CHARS = 200
# Nats by which another language must lead that of the text. In 6,000 English newspaper paragraphs
# 3 is where names and tables cease to be taken for another language.
LEAD = 3.0
# Share of the judged letters that another language needs to be that of the text.
MAJORITY = 0.6
# Paragraphs judged in one go; bounds the memory.
_BATCH = 64


@dataclass(frozen=True, slots=True)
class LanguageSpan:
    """Paragraphs in a row of another language than their text, in code points."""

    start: int
    end: int
    language: str


@dataclass(frozen=True, slots=True)
class TextLanguages:
    """Language of a text, and its paragraphs in others: ascending, disjoint."""

    decision: LanguageDecision
    spans: tuple[LanguageSpan, ...]


@dataclass(frozen=True, slots=True)
class _Paragraph:
    start: int
    end: int
    letters: str


def text_languages(text: str, expected: Collection[str] = (), declared: str = "") -> TextLanguages:
    """Judge a text and its paragraphs.

    Parameters
    ----------
    text
        Normalised text whose line feeds are its paragraph breaks.
    expected
        Codes of the languages that the publication is written in.
    declared
        The language that the page says it is in, for a text that is of none of the eleven.

    Returns
    -------
    TextLanguages
        Without spans where all paragraphs are of the text's language, and where the text is
        one paragraph.
    """
    decision = identify(text, expected=expected)
    paragraphs = _paragraphs(text)
    if len(paragraphs) < 2:
        return TextLanguages(named(decision, text, declared), ())
    languages = _judge(paragraphs, decision.language, expected)
    letters: Counter[str] = Counter()
    for paragraph, language in zip(paragraphs, languages, strict=True):
        letters[language] += len(paragraph.letters)
    language, most = letters.most_common(1)[0]
    if language != decision.language and most >= MAJORITY * letters.total():
        decision = _overruled(decision, language, most / letters.total())
        languages = _judge(paragraphs, language, expected)
    spans = _spans(paragraphs, languages, decision.language)
    return TextLanguages(
        named(decision, text, declared), tuple(_named_spans(text, decision, spans, declared))
    )


def _named_spans(
    text: str, decision: LanguageDecision, spans: list[LanguageSpan], declared: str
) -> Iterator[LanguageSpan]:
    """Name the languages of the spans that are of none of the eleven."""
    for span in spans:
        if span.language != UNKNOWN:
            yield span
            continue
        unknown = replace(decision, language=UNKNOWN)
        own = named(unknown, text[span.start : span.end], declared)
        yield replace(span, language=own.language)


def _paragraphs(text: str) -> list[_Paragraph]:
    """Paragraphs that are long enough to be judged."""
    found, start = [], 0
    for line in text.split("\n"):
        end = start + len(line)
        if len(line) >= MIN_CHARS:
            letters = letters_of(line[:SAMPLE_CHARS])
            if 2 * len(letters) > MIN_CHARS:
                found.append(_Paragraph(start, end, letters))
        start = end + 1
    return found


def _judge(paragraphs: Sequence[_Paragraph], language: str, expected: Collection[str]) -> list[str]:
    """Language of each paragraph of a text in `language`."""
    model = shared_model()
    column = model.languages.index(language)
    found = []
    for start in range(0, len(paragraphs), _BATCH):
        batch = paragraphs[start : start + _BATCH]
        scores = model.scores([paragraph.letters for paragraph in batch])
        leads = (scores.max(axis=1) - scores[:, column]).tolist()
        for paragraph, row, lead in zip(batch, scores, leads, strict=True):
            if is_other_script(paragraph.letters):
                found.append(UNKNOWN)
            elif lead < LEAD:
                found.append(language)
            else:
                other = model.languages[best(model, row, expected)[0]]
                is_noise = other == UNKNOWN and _is_english(paragraph.letters)
                found.append(language if is_noise and language == ENGLISH else other)
    return found


def _is_english(letters: str) -> bool:
    """Whether most words are English: tables and lists of names are like no language."""
    return vocabulary_ratio(letters.split(" ")).distinct <= FOREIGN_SHARE


def _overruled(decision: LanguageDecision, language: str, share: float) -> LanguageDecision:
    reason = f"{percent(share)} of its letters are in {NAMES[language]} paragraphs, though it"
    return replace(
        decision,
        language=language,
        reason=f"{reason} begins as {NAMES[decision.language]}. {decision.reason}",
    )


def _spans(
    paragraphs: Sequence[_Paragraph], languages: Sequence[str], language: str
) -> list[LanguageSpan]:
    """Join judged paragraphs of one other language; short ones between them belong to them."""
    found: list[LanguageSpan] = []
    before = language
    for paragraph, own in zip(paragraphs, languages, strict=True):
        if own != language and own == before:
            found[-1] = replace(found[-1], end=paragraph.end)
        elif own != language:
            found.append(LanguageSpan(paragraph.start, paragraph.end, own))
        before = own
    return found
