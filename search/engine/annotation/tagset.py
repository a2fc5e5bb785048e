"""The Penn tags as the treebanks use them: plain words and the classes the tagged view colours.

Marcus, Santorini and Marcinkiewicz (1993), with the additions of the English Web Treebank (ADD,
AFX, GW, HYPH, NFP, XX); for Afrikaans the universal tags. `XX` is also the tag of every word in a
language without a tagger.
"""

from dataclasses import dataclass
from enum import StrEnum

UNTAGGED = "XX"
TAG_SEPARATOR = "|"  # between tags of which one is meant


class WordClass(StrEnum):
    """What the tagged view distinguishes by colour and underline."""

    NOUN = "noun"
    NAME = "name"
    VERB = "verb"
    ADJECTIVE = "adjective"
    ADVERB = "adverb"
    FUNCTION = "function"
    NUMBER = "number"
    OTHER = "other"
    SIGN = "sign"


@dataclass(frozen=True, slots=True)
class TagInfo:
    """A tag with its plain words and its class."""

    tag: str
    words: str
    word_class: WordClass


_ROWS = (
    ("NN", "noun, singular or mass", WordClass.NOUN),
    ("NNS", "noun, plural", WordClass.NOUN),
    ("NNP", "name, singular", WordClass.NAME),
    ("NNPS", "name, plural", WordClass.NAME),
    ("VB", "verb, base form", WordClass.VERB),
    ("VBD", "verb, past tense", WordClass.VERB),
    ("VBG", "verb, -ing form", WordClass.VERB),
    ("VBN", "verb, past participle", WordClass.VERB),
    ("VBP", "verb, present, not third person", WordClass.VERB),
    ("VBZ", "verb, present, third person singular", WordClass.VERB),
    ("MD", "modal verb", WordClass.VERB),
    ("JJ", "adjective", WordClass.ADJECTIVE),
    ("JJR", "adjective, comparative", WordClass.ADJECTIVE),
    ("JJS", "adjective, superlative", WordClass.ADJECTIVE),
    ("RB", "adverb", WordClass.ADVERB),
    ("RBR", "adverb, comparative", WordClass.ADVERB),
    ("RBS", "adverb, superlative", WordClass.ADVERB),
    ("RP", "particle (give up)", WordClass.ADVERB),
    ("WRB", "question adverb (when, how)", WordClass.ADVERB),
    ("CC", "coordinating conjunction", WordClass.FUNCTION),
    ("DT", "determiner", WordClass.FUNCTION),
    ("EX", "existential there", WordClass.FUNCTION),
    ("IN", "preposition or subordinating conjunction", WordClass.FUNCTION),
    ("PDT", "predeterminer (all the)", WordClass.FUNCTION),
    ("POS", "possessive ending", WordClass.FUNCTION),
    ("PRP", "personal pronoun", WordClass.FUNCTION),
    ("PRP$", "possessive pronoun", WordClass.FUNCTION),
    ("TO", "to", WordClass.FUNCTION),
    ("WDT", "question determiner (which)", WordClass.FUNCTION),
    ("WP", "question pronoun (who)", WordClass.FUNCTION),
    ("WP$", "possessive question pronoun (whose)", WordClass.FUNCTION),
    ("CD", "number", WordClass.NUMBER),
    ("UH", "interjection", WordClass.OTHER),
    ("FW", "foreign word", WordClass.OTHER),
    ("ADD", "web or e-mail address", WordClass.OTHER),
    ("AFX", "affix standing alone", WordClass.OTHER),
    ("GW", "part of a word written apart", WordClass.OTHER),
    ("LS", "list item marker", WordClass.OTHER),
    ("SYM", "symbol", WordClass.OTHER),
    (UNTAGGED, "not tagged", WordClass.OTHER),
    (".", "end of sentence", WordClass.SIGN),
    (",", "comma", WordClass.SIGN),
    (":", "colon, semicolon or dash", WordClass.SIGN),
    ("``", "opening quotation mark", WordClass.SIGN),
    ("''", "closing quotation mark", WordClass.SIGN),
    ("-LRB-", "opening bracket", WordClass.SIGN),
    ("-RRB-", "closing bracket", WordClass.SIGN),
    ("HYPH", "hyphen", WordClass.SIGN),
    ("NFP", "superfluous sign, emoticon", WordClass.SIGN),
    ("$", "currency sign", WordClass.SIGN),
)

TAGS = {tag: TagInfo(tag, words, word_class) for tag, words, word_class in _ROWS}

# Tags of names, Penn's and the universal one.
NAME_TAGS = frozenset({"NNP", "NNPS", "PROPN"})

_UNIVERSAL_ROWS = (
    ("NOUN", "noun", WordClass.NOUN),
    ("PROPN", "name", WordClass.NAME),
    ("VERB", "verb", WordClass.VERB),
    ("AUX", "auxiliary or linking verb", WordClass.VERB),
    ("ADJ", "adjective", WordClass.ADJECTIVE),
    ("ADV", "adverb", WordClass.ADVERB),
    ("ADP", "preposition or postposition", WordClass.FUNCTION),
    ("CCONJ", "coordinating conjunction", WordClass.FUNCTION),
    ("DET", "determiner", WordClass.FUNCTION),
    ("PART", "particle (te, nie)", WordClass.FUNCTION),
    ("PRON", "pronoun", WordClass.FUNCTION),
    ("SCONJ", "subordinating conjunction", WordClass.FUNCTION),
    ("NUM", "number", WordClass.NUMBER),
    ("INTJ", "interjection", WordClass.OTHER),
    ("SYM", "symbol", WordClass.OTHER),
    ("X", "foreign word or other", WordClass.OTHER),
    ("PUNCT", "punctuation", WordClass.SIGN),
)

# Tags of Afrikaans texts: Universal Dependencies (de Marneffe et al. 2021).
UNIVERSAL_TAGS = {tag: TagInfo(tag, words, kind) for tag, words, kind in _UNIVERSAL_ROWS}

# Closed classes, Penn's and the universal ones: a word the training texts do not have is none of
# these.
CLOSED_TAGS = frozenset(
    {
        "CC",
        "DT",
        "EX",
        "IN",
        "MD",
        "PDT",
        "POS",
        "PRP",
        "PRP$",
        "RP",
        "TO",
        "WDT",
        "WP",
        "WP$",
        "WRB",
        "ADP",
        "AUX",
        "CCONJ",
        "DET",
        "PART",
        "PRON",
        "SCONJ",
    }
)


def describe(tag: str) -> TagInfo:
    """Words and class of a tag; an unknown tag describes itself."""
    return TAGS.get(tag) or UNIVERSAL_TAGS.get(tag) or TagInfo(tag, tag, WordClass.OTHER)
