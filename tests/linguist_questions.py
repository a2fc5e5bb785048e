"""Questions as linguists type them, each with its hits by plain Python or with what is said.

A corpus is a list of texts, a text a list of sentences, a sentence a list of (word, lemma, tag), as
they stand in a vertical file. Nothing here knows the engine: the hits of a question are counted by
a function of its own, so that both must agree.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import pairwise

Token = tuple[str, str, str]
Sentence = list[Token]
Corpus = list[list[Sentence]]
Test = Callable[[Token], bool]
Count = Callable[[Corpus], int]

SIMPLE, CQL = "simple", "cql"


# Tests of a token


def word(pattern: str, flags: int = 0) -> Test:
    return lambda token: re.fullmatch(pattern, token[0], flags) is not None


def lemma(pattern: str) -> Test:
    return lambda token: re.fullmatch(pattern, token[1]) is not None


def tag(pattern: str) -> Test:
    return lambda token: re.fullmatch(pattern, token[2]) is not None


def small(pattern: str) -> Test:
    """Test a word in whatever case, as the simple language does."""
    return word(pattern, re.IGNORECASE)


def both(*tests: Test) -> Test:
    return lambda token: all(test(token) for test in tests)


def no(test: Test) -> Test:
    return lambda token: not test(token)


def anything(_token: Token) -> bool:
    return True


def without_marks(text: str) -> str:
    parted = unicodedata.normalize("NFD", text)
    return "".join(sign for sign in parted if not unicodedata.combining(sign))


# Counts


def row(*tests: Test) -> Count:
    """Count the places where tokens one behind the other meet the tests, sentences regardless."""

    def count(corpus: Corpus) -> int:
        return sum(
            all(test(token) for test, token in zip(tests, tokens[start:], strict=False))
            for tokens in flat(corpus)
            for start in range(len(tokens) - len(tests) + 1)
        )

    return count


def gap(first: Test, last: Test, least: int, most: int, *, is_within_s: bool = False) -> Count:
    """Count the shortest ways from a first to a last token; of those that end together one."""

    def count(corpus: Corpus) -> int:
        units = sentences(corpus) if is_within_s else flat(corpus)
        return sum(len(_ends(tokens, first, last, range(least, most + 1))) for tokens in units)

    return count


def _ends(tokens: Sentence, first: Test, last: Test, gaps: range) -> set[int]:
    found = set()
    for start in filter(lambda place: first(tokens[place]), range(len(tokens))):
        reached = (start + 1 + n for n in gaps if start + 1 + n < len(tokens))
        found.update([end for end in reached if last(tokens[end])][:1])
    return found


def in_sentences(test: Callable[[Sentence], int]) -> Count:
    """Add up what a function says of each sentence."""
    return lambda corpus: sum(int(test(sentence)) for sentence in sentences(corpus))


def in_texts(test: Callable[[Sentence], int]) -> Count:
    """Add up what a function says of the tokens of each text."""
    return lambda corpus: sum(int(test(tokens)) for tokens in flat(corpus))


def flat(corpus: Corpus) -> Iterator[Sentence]:
    for text in corpus:
        yield [token for sentence in text for token in sentence]


def sentences(corpus: Corpus) -> Iterator[Sentence]:
    for text in corpus:
        yield from text


def has(test: Test) -> Callable[[Sentence], bool]:
    return lambda tokens: any(map(test, tokens))


def n_where(test: Test, context: Test) -> Callable[[Sentence], int]:
    """Count tokens of a sentence that has a token of the context."""
    return lambda tokens: sum(map(test, tokens)) if any(map(context, tokens)) else 0


def n_near(test: Test, other: Test, reach: int) -> Callable[[Sentence], int]:
    """Count tokens that have another one within a reach on either side."""
    return lambda tokens: sum(
        test(token)
        and any(
            other(beside)
            for place, beside in enumerate(tokens)
            if place != here and abs(place - here) <= reach
        )
        for here, token in enumerate(tokens)
    )


THE, SAID = word("the"), word("said")
NOUN, VERB = tag("NN.*|NOUN|PROPN"), tag("VB.*|MD|VERB|AUX")
COUNTED: dict[tuple[str, str], Count] = {
    # words
    (SIMPLE, "said"): row(small("said")),
    (SIMPLE, "Said"): row(small("said")),
    (SIMPLE, "SAID"): row(small("said")),
    (SIMPLE, "the court"): row(small("the"), small("court")),
    (SIMPLE, '"the court"'): row(small("the"), small("court")),
    (SIMPLE, "of the"): row(small("of"), small("the")),
    (SIMPLE, "at the"): row(small("at"), small("the")),
    (SIMPLE, "word:said"): row(small("said")),
    (SIMPLE, "he|she"): row(small("he|she")),
    (SIMPLE, "he | she"): row(small("he|she")),
    (SIMPLE, "(he|she) was"): row(small("he|she"), small("was")),
    (SIMPLE, "sai?"): row(small("sai.")),
    (SIMPLE, "s??d"): row(small("s..d")),
    (SIMPLE, "re*"): row(small("re.*")),
    (SIMPLE, "*ing"): row(small(".*ing")),
    (SIMPLE, "*oo*"): row(small(".*oo.*")),
    (SIMPLE, "*ed the"): row(small(".*ed"), small("the")),
    (SIMPLE, "the * of"): row(small("the"), anything, small("of")),
    (SIMPLE, "*"): row(anything),
    (SIMPLE, "?"): row(word(".")),
    (SIMPLE, "."): row(word(r"\.")),
    (SIMPLE, ","): row(word(",")),
    (SIMPLE, "15"): row(word("15")),
    (SIMPLE, "Mr."): row(small(r"mr\.")),
    (SIMPLE, "Dr."): row(small(r"dr\.")),
    (SIMPLE, "p.m."): row(small(r"p\.m\.")),
    (SIMPLE, "e.g."): row(small(r"e\.g\.")),
    # lemmas, tags, classes
    (SIMPLE, "lemma:say"): row(lemma("say")),
    (SIMPLE, "lemma:be"): row(lemma("be")),
    (SIMPLE, "lemma:be *ed"): row(lemma("be"), small(".*ed")),
    (SIMPLE, "lemma:say that"): row(lemma("say"), small("that")),
    (SIMPLE, "tag:NNS"): row(tag("NNS")),
    (SIMPLE, "tag:VB*"): row(tag("VB.*")),
    (SIMPLE, "tag:NNP tag:NNP"): row(tag("NNP"), tag("NNP")),
    (SIMPLE, "NOUN"): row(NOUN),
    (SIMPLE, "the NOUN"): row(small("the"), NOUN),
    (SIMPLE, "ADJ NOUN"): row(tag("JJ.*|ADJ"), NOUN),
    (SIMPLE, "said/VBD"): row(both(small("said"), tag("VBD"))),
    (SIMPLE, "lemma:say/VERB"): row(both(lemma("say"), tag("VB.*|VERB|AUX|MD"))),
    (SIMPLE, "no/DET"): row(both(small("no"), tag("P?DT|WDT|DET"))),
    # CQL: one token
    (CQL, '"said"'): row(SAID),
    (CQL, '"Said"%c'): row(small("said")),
    (CQL, '[word="said"]'): row(SAID),
    (CQL, "[word='said']"): row(SAID),
    (CQL, '[lower="said"]'): row(small("said")),
    (CQL, '[word="sai.*"]'): row(word("sai.*")),
    (CQL, '[word="SAI.*"%c]'): row(small("sai.*")),
    (CQL, '[word!="the"]'): row(no(THE)),
    (CQL, "[]"): row(anything),
    (CQL, '[word="the" & pos="DT"]'): row(both(THE, tag("DT"))),
    (CQL, '[word="the" | word="a"]'): row(word("the|a")),
    (CQL, '[!(word="the")]'): row(no(THE)),
    (CQL, '[pos="V.*" & lemma!="be"]'): row(both(tag("V.*"), no(lemma("be")))),
    (CQL, '[pos="N.*" & !word="[A-Z].*"]'): row(both(tag("N.*"), no(word("[A-Z].*")))),
    (CQL, '[word="[A-Z].*"]'): row(word("[A-Z].*")),
    (CQL, r'[word="\d+"]'): row(word(r"\d+")),
    (CQL, r'[word="\p{Lu}{2,}"]'): row(
        lambda token: len(token[0]) > 1 and all(unicodedata.category(c) == "Lu" for c in token[0])
    ),
    (CQL, r'[word=".*\..+"]'): row(word(r".*\..+")),
    (CQL, r'"\."'): row(word(r"\.")),
    (CQL, '"[.]"'): row(word(r"\.")),
    (CQL, '[word="caf.*"%d]'): row(lambda token: without_marks(token[0]).startswith("caf")),
    (CQL, '[lemma="say|tell|ask"]'): row(lemma("say|tell|ask")),
    (CQL, '[tag="NN"]'): row(tag("NN")),
    (CQL, '[pos="CD"]'): row(tag("CD")),
    (CQL, '"a"|"an"'): row(word("an?")),
    # rows of tokens
    (CQL, '"the" [pos="NN"]'): row(THE, tag("NN")),
    (CQL, '[lemma="be"] [pos="VBN"]'): row(lemma("be"), tag("VBN")),
    (CQL, '[pos="JJ"] [pos="NNS?"]'): row(tag("JJ"), tag("NNS?")),
    (CQL, '[pos="DT"] [pos="JJ"] [pos="NN"]'): row(tag("DT"), tag("JJ"), tag("NN")),
    (CQL, '("a"|"an") [pos="NN"]'): row(word("an?"), tag("NN")),
    (CQL, '"the" [] "of"'): row(THE, anything, word("of")),
    (CQL, '"the" []{2} "of"'): row(THE, anything, anything, word("of")),
    (CQL, '"the" []{0,3} "of"'): gap(THE, word("of"), 0, 3),
    (CQL, '"the" []{0,5} "in" within s'): gap(THE, word("in"), 0, 5, is_within_s=True),
    (CQL, '[lemma="say"] []{0,9} "the" within s'): gap(
        lemma("say"), THE, 0, 9, is_within_s=True
    ),
    (CQL, '[pos="NNP"]{2}'): row(tag("NNP"), tag("NNP")),
    (CQL, '[pos="NNP"]{2} within s'): in_sentences(lambda s: row(tag("NNP"), tag("NNP"))([[s]])),
    (CQL, '"the" within s'): row(THE),
    (CQL, 'a:[pos="DT"] [pos="NN"] :: a.word="the"'): row(both(tag("DT"), THE), tag("NN")),
    (CQL, "a:[] b:[] :: a.word=b.word"): in_texts(
        lambda t: sum(a[0] == b[0] for a, b in pairwise(t))
    ),
    (CQL, "a:[] [] b:[] :: a.lemma=b.lemma"): in_texts(
        lambda t: sum(a[1] == b[1] for a, b in zip(t, t[2:], strict=False))
    ),
    (CQL, 'MU(meet "said" "the" -5 5)'): in_texts(n_near(SAID, THE, 5)),
    (CQL, 'MU(meet "the" "of" 1 1)'): row(THE, word("of")),
    (CQL, 'MU(meet "said" "the" s)'): in_sentences(n_where(SAID, THE)),
    (CQL, 'MU(union "said" "says")'): row(word("sai?ys?|said")),
    # sentences and texts
    (CQL, "<s/>"): in_sentences(lambda _: 1),
    (CQL, "<text/>"): in_texts(lambda _: 1),
    (CQL, '<s> "The"'): in_sentences(lambda s: s[0][0] == "The"),
    (CQL, '[word="\\."] </s>'): in_sentences(lambda s: s[-1][0] == "."),
    (CQL, "<s> [] </s>"): in_sentences(lambda s: len(s) == 1),
    (CQL, '<s> []{3} [word="\\."] </s>'): in_sentences(lambda s: len(s) == 4 and s[-1][0] == "."),
    (CQL, '<text> [pos="NNP"]'): in_texts(lambda t: tag("NNP")(t[0])),
    (CQL, '<s/> containing "said"'): in_sentences(has(SAID)),
    (CQL, '<s/> !containing "the"'): in_sentences(lambda s: not any(map(THE, s))),
    (CQL, '<text/> containing "said"'): in_texts(has(SAID)),
    (CQL, '<text/> !containing "the"'): in_texts(lambda t: not any(map(THE, t))),
    (CQL, '"said" within (<s/> containing "the")'): in_sentences(n_where(SAID, THE)),
    (CQL, '"the" !within (<s/> containing "said")'): in_sentences(
        lambda s: 0 if any(map(SAID, s)) else sum(map(THE, s))
    ),
    (CQL, '[word="said" & _.text_language="en"]'): row(SAID),
    (CQL, '"said" :: match.text_language="af"'): in_texts(lambda _: 0),
}  # fmt: skip
# What is said where nothing is found, and what is offered instead.
EXPLAINED: dict[tuple[str, str], tuple[str, str]] = {
    (SIMPLE, "siad"): ("“siad” does not occur", "said"),
    (SIMPLE, "cafe"): ("“cafe” does not occur", "café"),
    (SIMPLE, "zzzzq"): ("“zzzzq” does not occur", ""),
    (SIMPLE, "U.S"): ("does not occur", ""),
    (SIMPLE, "50%"): ("does not occur", ""),
    (SIMPLE, "#"): ("does not occur", ""),
    (SIMPLE, "http*"): ("No word in the corpus matches", ""),
    (SIMPLE, "lemma:said"): ("is a form of “say”", ""),
    (SIMPLE, "court said of"): ("In one sentence, in any order", "MU(meet (meet"),
    (SIMPLE, "the said"): ("In one sentence, in any order", 'MU(meet "the"%c "said"%c s)'),
    (SIMPLE, "“said that”"): ("Quotes", '"said that"'),
    (SIMPLE, "[say]"): ("lemma:", "lemma:say"),
    (SIMPLE, "[say].[v*]"): ("Square brackets", "lemma:say/VERB"),
    (SIMPLE, "=strong"): ("Synonyms", "lemma:strong"),
    (SIMPLE, "{say}"): ("lemma:", "lemma:say"),
    (SIMPLE, "colo[u,]r"): ("Square brackets", "colour|color"),
    (SIMPLE, "NEAR(said,court)"): ("near one another", 'MU(meet "said"%c "court"%c -5 5)'),
    (SIMPLE, "said near/5 court"): ("near one another", 'MU(meet "said"%c "court"%c -5 5)'),
    (SIMPLE, "said <<s>> court"): ("near one another", 'MU(meet "said"%c "court"%c s)'),
    (SIMPLE, "said W/5 court"): ("near one another", 'MU(meet "said"%c "court"%c -5 5)'),
    (SIMPLE, "said..court"): ("A gap", "said ..3.. court"),
    (SIMPLE, "say_V*"): ("behind a stroke", "say/VERB"),
    (SIMPLE, "title:water"): ("filters", "water"),
    (SIMPLE, "say+"): ("A + is itself", "say?*"),
    (SIMPLE, "NOUNS"): ("short names", "NOUN"),
    (SIMPLE, "said AND court"): ("AND is a word", 'MU(meet "said"%c "court"%c s)'),
    (SIMPLE, "said OR court"): ("OR is a word", "said | court"),
    (SIMPLE, "said NOT court"): ("NOT is a word", '("said"%c) !within'),
    (SIMPLE, "said -court"): ("- is a sign", '("said"%c) !within'),
    (SIMPLE, "+said +court"): ("+ is a sign", 'MU(meet "said"%c "court"%c s)'),
    (SIMPLE, "sa.+"): ("Regular expressions", "sa*"),
    (SIMPLE, "ADJ+ NOUN"): ("How often", '[pos="JJ.*|ADJ"]+ [pos="NN.*|NOUN|PROPN"]'),
    (SIMPLE, "said~2"): ("found by likeness", "said"),
    (SIMPLE, "said^2"): ("found by likeness", "said"),
    (SIMPLE, "said%c"): ("Match case", "said"),
    (SIMPLE, "<s> said"): ("Where a sentence begins", '<s> "said"%c'),
    (SIMPLE, "{say"): ("A bracket stands alone", "say"),
    (SIMPLE, "said]"): ("A bracket stands alone", "said"),
    (SIMPLE, '[word="said"]'): ("looks like CQL", ""),
    (SIMPLE, '[word="said"'): ("looks like CQL", ""),
    (CQL, '"siad"'): ("“siad” does not occur", ""),
    (CQL, '"SAID"'): ("in this spelling", ""),
    (CQL, '[pos="VERBB"]'): ("No token has a tag", ""),
    (CQL, '[pos="noun"]'): ("is not a tag", ""),
    (CQL, '[lemma="said"]'): ("is a form of “say”", ""),
    (CQL, '"the" "said"'): ("In one sentence, in any order", 'MU(meet "the" "said" s)'),
    (CQL, '[word contains "sai"]'): ("look into sets", '[word = ".*(sai).*"]'),
}
# What cannot be read: the page says at which character, and why.
REFUSED: tuple[tuple[str, str], ...] = (
    (SIMPLE, "((said"), (SIMPLE, '"said'),
    (CQL, "said"), (CQL, '"said'), (CQL, '[word="said"'), (CQL, "[word=said]"),
    (CQL, '[[word="said"]]'), (CQL, '[lc="said"]'), (CQL, "[pos=/V.*/]"), (CQL, '[word="(a"]'),
    (CQL, '[word="*a"]'), (CQL, '[word="[a"]'), (CQL, '"a"{5,2}'), (CQL, '"a"{99999}'),
    (CQL, "()"), (CQL, '[pos="NN"] within'), (CQL, "within s"), (CQL, '"a" :: b.word="c"'),
    (CQL, "<p/>"), (CQL, "</x>"), (CQL, "[len>20]"), (CQL, 'A = "a"'), (CQL, "cat A"),
    (CQL, "[lemma=$nolist]"), (CQL, '/nomacro["a"]'), (CQL, 'expand "a" to s'),
    (CQL, '[word="a"] & "b"'), (CQL, '(meet "a" "b" -5 5)'), (CQL, '"a" <coll> "b"'),
    (CQL, "1:[] 2:[] & 1.lemma=2.lemma"), (CQL, "(" * 500 + '"a"' + ")" * 500),
)  # fmt: skip
