"""Words that say nothing of an event, and how words are brought to one form for `tfidf.py`.

A window of a dozen articles cannot tell from its own counts that "government" is a common word;
this list does that until there are enough texts. English and Afrikaans, written for this purpose.
"""

import re

STOP_WORDS = frozenset(
    """
    a about above according across added after again against ago all almost alone along already
    also although always am among an and announced another any anyone anything are area around as
    ask asked at away back be became because become been before began behind being believe best
    better between big both bring but by call called came can cannot case change city close come
    coming confirmed could country daily day days dead did do does done down due during each early
    earlier either else end enough even evening ever every expected few final find first five for
    former forward found four from full further gave get getting give given go going good got great
    group had half happened has have having he held help her here high him himself his home hour
    hours how however hundred i if important in including inside into is issue it its itself just
    keep kept know known large last late later latest least leave led left less let life like
    likely little local long look lot low made main major make making man many may me mean meeting
    member members men might million minute minutes monday tuesday wednesday thursday friday
    saturday sunday january february march april june july august september october november
    december month months more morning most move much must my name national near need never new
    news next night nine no nor not nothing now number of off office often old on once one only or
    order other others our out outside over own part people per percent perhaps place plan point
    possible public put rather read ready really reason released report reported reportedly
    reports result right role run said same saw say saying says second see seen sent service set
    seven several shall she should show side since six small so some something soon south
    spokesman spokesperson spokeswoman start started state statement still story such take taken
    taking talk team tell ten than that the their them themselves then there these they thing
    things think third this those though thousand three through time times to today together told
    tomorrow too took top total toward towards town turn two under until up update updated us use
    used using very via want wants was way we week weekend weeks well went were what when where
    whether which while who whole whose why will with within without woman women work working
    world would year years yes yesterday yet you young your
    don didn doesn isn wasn won couldn wouldn ain ll ve re
    aan al alle alles as at baie beide bo by daar daardie dag dan dat de deur die dink dis dit doen
    dus een eerste ek elke en er gaan gee gehad geen gesê geword goed haar had het hierdie hom hoe
    hulle hy iets in is ja jaar jou kan kom kon laat maak maar mense met moes moet my na nadat net
    niks nog nou nuwe of om omdat onder ons ook op oor sal se sê self sien sit so soos sou te tot
    toe twee uit van vandag vanaf vir voor vra waar waarin wanneer want wat weer wees weet werk wie
    wil word
    """.split()  # noqa: SIM905 (three hundred quoted words would not be easier to read)
)

# A run of letters with inner marks.
WORD = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?")
# The same, or a number of two digits or more with its marks: 12,500 or 2.5 or 2026.
WORD_OR_NUMBER = re.compile(rf"{WORD.pattern}|\d[\d.,]*\d")
_DAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|maandag|dinsdag|woensdag|donderdag|vrydag|saterdag"
)
_MONTH = r"january|february|march|april|may|june|july|august|september|october|november|december"
_VARIABLE = re.compile(rf"\b(?:{_DAY}|{_MONTH})\b|\d+(?:[.,:/-]\d+)*")
# Shorter words end so by themselves: gas, bus; lies, ties.
_MIN_PLURAL, _MIN_PLURAL_Y = 4, 5


def fold(word: str) -> str:
    """Bring a word to the form that is counted: lower case, without possessive or plural s.

    >>> [fold(word) for word in ("Ministers", "minister's", "Parties", "Congress", "ANC’s")]
    ['minister', 'minister', 'party', 'congress', 'anc']
    """
    folded = word.lower()
    if folded.endswith(("'s", "’s")):
        folded = folded[:-2]
    if len(folded) >= _MIN_PLURAL_Y and folded.endswith("ies"):
        return folded[:-3] + "y"
    if len(folded) >= _MIN_PLURAL and folded.endswith("s") and not folded.endswith("ss"):
        return folded[:-1]
    return folded


def without_dates(title: str) -> tuple[str, bool]:
    """Replace numbers, days and months of a title; return it and whether there were any.

    >>> without_dates("Weather for Tuesday, 16 June")
    ('weather for #, # #', True)
    """
    masked, n_found = _VARIABLE.subn("#", title.lower())
    return " ".join(masked.split()), n_found > 0
