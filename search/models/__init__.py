"""Tables of the search: the index stage's own rows, the lexicon, and what users keep."""

from search.models.correction import CorrectionState, Scope, TagCorrection
from search.models.following import IndexFollower
from search.models.history import PastQuery
from search.models.indexed import IndexedArticle, IndexedComment, IndexedText, LeavingText
from search.models.kept import (
    IgnoredWord,
    Macro,
    ReferenceList,
    SavedQuery,
    SketchGrammar,
    Subcorpus,
    TextSet,
    WordList,
)
from search.models.lexicon import (
    ChangeKind,
    LexiconChange,
    LexiconEntry,
    LexiconUse,
    Retagging,
    UseCount,
)
from search.models.marking import LineMark, MarkedLine, Marker, Marking
from search.models.text_import import TextImport

__all__ = [
    "ChangeKind",
    "CorrectionState",
    "IgnoredWord",
    "IndexFollower",
    "IndexedArticle",
    "IndexedComment",
    "IndexedText",
    "LeavingText",
    "LexiconChange",
    "LexiconEntry",
    "LexiconUse",
    "LineMark",
    "Macro",
    "MarkedLine",
    "Marker",
    "Marking",
    "PastQuery",
    "ReferenceList",
    "Retagging",
    "SavedQuery",
    "Scope",
    "SketchGrammar",
    "Subcorpus",
    "TagCorrection",
    "TextImport",
    "TextSet",
    "UseCount",
    "WordList",
]
