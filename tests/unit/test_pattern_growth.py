"""No pattern takes the square of a text that was made against it."""

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from module_patterns import ModulePattern, module_patterns
from pattern_time import growth_of
from worst_strings import attacks

# Of processor time on one text; an expression without an end takes it, the others far less.
MOST_SECONDS = 10
# Faster than by the length still; how long a text each may be given is not shown here. The list may
# only become shorter.
KNOWN = frozenset(
    {
        "corpus_site.squeezed_templates._BREAK",
        "corpus_site.squeezed_templates._IN_TAG",
        "corpus_site.squeezed_templates._TOKEN",
        "extraction.html.fields.bylines._BY",
        "extraction.html.fields.names._DATE_TAIL",
        "extraction.html.fields.names._NO_NAME",
        "extraction.html.fields.names._SEPARATOR",
        "extraction.html.fields.names._TAIL",
        "extraction.html.fields.titles._LOOSE_SEPARATOR",
        "extraction.html.fields.titles._SEPARATOR",
        "extraction.html.markup.json_ld._OPENING",
        "extraction.html.reader_comments.comment_authors._DIVIDED",
        "extraction.html.reader_comments.comment_parts._CLOCK",
        "extraction.html.reader_comments.comment_threads._INDENT",
        "extraction.html.reader_comments.comment_times._WEEKDAY",
        "extraction.html.reader_comments.comment_times._WHOLE_AGE",
        "extraction.html.reader_comments.comment_words._BY",
        "extraction.html.reader_comments.comment_words._GONE",
        "extraction.html.reader_comments.comment_words._HEAD",
        "extraction.html.reader_comments.comment_words._IN_BRACKETS",
        "extraction.html.reader_comments.comment_words._ONE",
        "extraction.html.reader_comments.comment_words._ONLY_CAPTIONS",
        "extraction.html.reader_comments.comment_words._ONLY_FILLERS",
        "extraction.html.reader_comments.comment_words._SAYS",
        "extraction.revisions.noise._CLOCKS",
        "extraction.text.sentences._CANDIDATE",
        "extraction.text.sentences._NEXT_WORD",
        "feeds.account_forms._HOST",
        "feeds.crawler.addressing.canonical._CDATA",
        "feeds.crawler.addressing.links._ADVERTISING_HOST",
        "feeds.crawler.addressing.slugs._TRAILING_ID",
        "feeds.crawler.addressing.web_archive._ARCHIVED",
        "feeds.crawler.comment_systems.wordpress._POST_ROUTE",
        "feeds.crawler.documents.home_page._NOT_FEED",
        "feeds.crawler.rights.robots_names._LINE",
        "search.engine.annotation.afrikaans_diminutives._ENDINGS",
        "search.engine.concordance.sort_keys._KEY",
        "search.engine.query.conditions.literals.PIECE",
        "search.engine.query.dialect.COMMENT",
        "search.engine.query.dialect.PIECE",
        "search.engine.query.language.habits._OPERATOR",
        "search.engine.query.language.macros._CALL",
        "search.engine.query.language.macros._PART",
    }
)
PATTERNS = {found.name: found for found in module_patterns()}


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """End what a pattern does after some seconds: the engine looks for signals as it runs."""

    def end(*_: object) -> None:
        raise TimeoutError("A pattern takes seconds for 16,000 characters.")

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def growth(named: ModulePattern) -> object:
    for attack in attacks(named.pattern):
        with at_most(MOST_SECONDS):
            found = growth_of(named, [attack])
        if found is not None:
            return found
    return None


@pytest.mark.parametrize("name", sorted(PATTERNS.keys() - KNOWN))
def test_time_grows_no_faster_than_the_text(name):
    assert growth(PATTERNS[name]) is None


def test_known_patterns_are_there():
    assert PATTERNS.keys() >= KNOWN


@pytest.mark.parametrize(
    ("source", "is_linear"),
    [
        (r"<input[^>]+type=password", False),
        (r'"(?:[^"\\]|\\.)*"|//', False),
        (r"\s+$", False),
        (r"(?:a+)+b", False),
        (r"<script\b[^>]*>", False),
        (r"\w+", True),
        (r"(?<! ) *+\n", True),
        (r"^\s*+x", True),
    ],
)
def test_worst_strings_are_found(source, is_linear):
    try:
        found = growth(ModulePattern("tried", re.compile(source), "finditer"))
    except TimeoutError:
        found = "no end"

    assert (found is None) == is_linear
