"""Names of people in raw author values: prefixes, titles, roles and dates cut, lists split."""

import re
from collections.abc import Iterable
from functools import lru_cache

from extraction.html.fields.byline_words import (
    ALL_OF,
    AND,
    BY,
    DONE,
    HONORIFIC,
    LABEL,
    MONTH,
    ORGANISATION,
    PICTURE,
    ROLE,
    ROLE_OF_PERSON,
    THEME,
    WEEKDAY,
    WORDS,
)
from extraction.text.plain_words import squeezed

# A longer name is a sentence; more names are a list of the staff.
_MAX_NAME_CHARACTERS = 70
_MAX_NAME_WORDS = 7
_MAX_AUTHORS = 12
_PREFIX = re.compile(
    rf"^(?:(?:(?:\w+\s+){{0,2}}(?:{DONE})(?:\s?(?:&|und|and|\+)\s?(?:{DONE}))?\s+)?(?:{BY})|"
    rf"{LABEL}|opinion|foto|auctor|от|{ALL_OF})"
    r"(?:\s*[:：/／]\s*|\s+(?=\S)|(?<=[\u3400-\u9fff])(?=\S)|$)",
    re.IGNORECASE,
)
# "Words: …", "Words and pictures by …", "Teks en foto's: …".
_WORDS_BY = re.compile(
    rf"^(?:{WORDS})(?:\s?(?:&|\+|,|/|{AND})\s?(?:{PICTURE})s?)?\s?(?:[:：]|\b(?:{BY})\b:?)\s*(?=\S)",
    re.IGNORECASE,
)
# "ByDaryl Austin": two elements without a blank between them. isiZulu has none: "NguSipho Dube".
_GLUED_BY = re.compile(r"^(?:By(?=[A-Z][a-z.])|[Nn]gu-?(?=[A-Z][a-z]))")
_SEPARATOR = re.compile(
    rf"\s*(?:[;|/•·∙⋅・、，\n\t]|\s[–—-]\s|,)\s*|\s+(?:{AND}|&|\+)\s+", re.IGNORECASE
)
# The date that follows a name, with all that is behind it; cut before the list is split.
_DATE_TAIL = re.compile(
    rf"[\s,|(·–—-]*\b(?:(?:last|zuletzt|posted|published|veröffentlicht|updated|aktualisiert|on|am|le|"
    rf"el|il|op|at|um|,)\s+)*(?:(?:{WEEKDAY})(?:day)?\b\.?,?\s+(?:den\s+)?)?"
    rf"(?:\d{{1,2}}[./]\s?\d{{1,2}}[./]\s?\d{{2,4}}|\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|"
    rf"\d{{1,2}}(?:\.|st|nd|rd|th)?,?\s(?:de\s)?(?:{MONTH})\w*\b|(?:{MONTH})\w*\.?\s\d{{1,2}}\b|"
    r"\d{4}年|\d{1,2}:\d{2}\b|\d{1,2}\s*月).*$",
    re.IGNORECASE,
)
# What follows a name and is none: a role in brackets, "for The Post", "3 hours ago".
_TAIL = re.compile(
    r"\s*(?:\(.*|\[.*|<.*|\bfor\s+(?:the\s)?[A-Z].*|\bFOR\s+.*|\bin\s+[A-Z]\w+$|\s[–—-]\s.*|@.*|"
    r"\b(?:updated?|published|posted|on|am|le|el|il|op)\b\s*:?.*\d.*|"
    r"\b(?:last )?(?:updated|modified)\b.*|\b(?:veröffentlicht|aktualisiert|on behalf of|ist)\b.*|"
    r"\b(?:hace|vor|il y a)\s\d.*|\s\d+\s(?:comments?|kommentare?|min).*|"
    r"\b(?:staff|special to|special|correspondent|contributor|chief|senior|political|editor|"
    r"reporter)\b\s+.*)$",
    re.IGNORECASE,
)
# A degree behind a comma, which would else be the next name of the list.
_DEGREE = re.compile(
    r",?\s(?:ph\.?\s?d|d\.?phil|m\.?d|mba|m\.?sc|b\.?sc|esq)\b\.?(?=\s*(?:[,;&|(]|and\b|$))",
    re.IGNORECASE,
)
_HONORIFIC = re.compile(rf"^(?:(?:{HONORIFIC})(?:\.\s*|\s+))+(?=\S)", re.IGNORECASE)
_NO_NAME = re.compile(
    r"https?\b|www\.|[@#{}<>=*…]|\d{3}|^\W*$|\b(?:comments?|min(?:ute)?s?\b.*read|read more|"
    r"follow|twitter|facebook|view all|subscribe|share|"
    r"about the author|all posts|more from|profile|biography|editor'?s note|newsletter|print|"
    rf"password|log ?in|category|tags?|{THEME})\b",
    re.IGNORECASE,
)
# An account may end in figures: "happyface313".
_ACCOUNT = re.compile(r"[a-z][a-z_.-]{2,}\d{1,6}$", re.IGNORECASE)
# What elements without a blank between them put behind a name: "MillerPublished", "LeeFollow".
_GLUED_TAIL = re.compile(
    r"(?<=[^\W\d_A-Z])(?:Published|Posted|Updated|Last|Follow|Veröffentlicht|Aktualisiert)\b.*$"
)
_STAFF = re.compile(r"\bstaff\s(?:reporters?|writers?|reports?)$", re.IGNORECASE)
# A role that stands before or behind a name without a comma.
_ROLE_BEFORE = re.compile(rf"^(?:\S+-)?(?:{ROLE_OF_PERSON})\s+(?=\S+\s\S)", re.IGNORECASE)
_ROLE_BEHIND = re.compile(
    rf"(?<=\S)\s(?:(?:\S+-)?(?:{ROLE_OF_PERSON})|by|von|vom|on|am)$", re.IGNORECASE
)
_PLACEHOLDER = frozenset(
    [
        "admin", "administrator", "author", "editor", "staff", "none", "null", "undefined",
        "unknown", "anonymous", "user", "root", "webmaster", "name", "by", "autor", "von",
        "guest", "published", "posted", "reporter", "contributor", "writer", "redaktion",
        "online", "email", "default", "superuser", "n/a", "na", "follow", "website", "blog",
        "post", "about", "contact", "writers", "no author", "postmaster", "staff writer",
        "staff reporter", "datum", "quelle", "veröffentlicht am", "uhr",
    ]
)  # fmt: skip
# Desks that sign for nobody else; they stand only where no source names anybody.
_DESK = re.compile(
    r"^(?:(?:die|online|web|news)[-\s]?)?redaktion$|^(?:staff|news) (?:writers?|reporters?|desk)$|"
    r"^staff$|^the (?:team|editors)$|^(?:editorial|news) (?:team|staff|board)$",
    re.IGNORECASE,
)
_ROLE = re.compile(rf"\b(?:{ROLE})\b", re.IGNORECASE)
_ORGANISATION = re.compile(
    rf"(?:^|[\s.-])(?:{ORGANISATION})$|^(?:{ORGANISATION})\s|^(?:the|die|das|der)\s|\.\w{{2,4}}$|"
    r"\b(?:redaktion|magazin|verband|verlag|stiftung|e\.\s?v)\b",
    re.IGNORECASE,
)
# A particle of a name ("van der Merwe") may be written small.
_PARTICLES = frozenset(
    ["van", "von", "de", "der", "den", "du", "da", "di", "la", "le", "el", "al", "bin", "ibn", "ka",
     "v.", "dos", "das", "do", "del", "y", "ter", "te", "zu", "af", "bint", "ben"]
)  # fmt: skip
_MAX_PERSON_WORDS = 5  # particles among them
_EDGES = " \t.,:;-–—|·•'\"“”„()（）[]"
_CJK_NAME = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\s·]{2,8}$")


def clean_names(values: Iterable[str]) -> tuple[str, ...]:
    """Names in raw author values, each once, in order.

    Examples
    --------
    >>> clean_names(["By Dr Thandi Nkosi, Political Editor", "thandi nkosi"])
    ('Thandi Nkosi',)
    """
    found: dict[str, str] = {}
    for value in values:
        text = " ".join(value.replace("\xad", "").split())
        if not text or text.startswith(("http:", "https:", "/")):
            continue
        for key, name in _names_in(text):
            found.setdefault(key, name)
    return tuple(found.values())[:_MAX_AUTHORS]


# A page's bylines are asked for their names up to five times.
@lru_cache(maxsize=256)
def _names_in(text: str) -> tuple[tuple[str, str], ...]:
    """Names of one value, each behind its squeezed form."""
    text = _DEGREE.sub("", _DATE_TAIL.sub("", strip_prefix(text)))
    names = (
        _clean_name(piece or "", is_first=position == 0)
        for position, piece in enumerate(_SEPARATOR.split(text))
    )
    return tuple((squeezed(name), name) for name in names if name)


def desk_names(values: Iterable[str]) -> tuple[str, ...]:
    """Desks in raw author values ("Redaktion", "Staff Writer")."""
    pieces = (
        piece.strip(" .:")
        for value in values
        for piece in _SEPARATOR.split(_DATE_TAIL.sub("", strip_prefix(" ".join(value.split()))))
    )
    return tuple(dict.fromkeys(piece for piece in pieces if _DESK.match(piece)))


def without_date(text: str) -> str:
    """Cut the date that follows a name, with all that is behind it."""
    return _DATE_TAIL.sub("", text)


def strip_prefix(text: str) -> str:
    """Cut "By", "Written by", "Words:" from the start of a byline, "Autor:" twice at most."""
    text = _WORDS_BY.sub("", _GLUED_BY.sub("", text))
    for _ in range(2):  # "Posted by: Von …"
        shorter = _PREFIX.sub("", text, count=1)
        if shorter == text:
            break
        text = shorter
    return text


def _clean_name(piece: str, *, is_first: bool) -> str:
    text = _GLUED_TAIL.sub("", strip_prefix(piece.strip()))
    name = _TAIL.sub("", text)
    if name != text and _STAFF.search(text) and not is_person_like(name.strip(_EDGES)):
        name = text  # "Guardian staff reporter": nobody is left without the role
    name = _HONORIFIC.sub("", name.strip(_EDGES))
    if is_first and is_person_like(shorter := _ROLE_BEHIND.sub("", _ROLE_BEFORE.sub("", name))):
        name = shorter
    if not name or len(name) > _MAX_NAME_CHARACTERS or len(name.split()) > _MAX_NAME_WORDS:
        return ""
    if _NO_NAME.search(name) and not _ACCOUNT.match(name):
        return ""
    if name.casefold() in _PLACEHOLDER or not any(map(str.isalpha, name)):
        return ""
    if len(name) < 2 or (not is_first and _ROLE.search(name)):
        return ""
    return name


def is_person_like(name: str) -> bool:
    """Whether a name looks like a person's: two to five words with capitals, but for particles.

    Examples
    --------
    >>> [is_person_like(name) for name in ("Piet van der Merwe", "jrobison", "has been writing")]
    [True, False, False]
    """
    words = name.replace("’", "'").split()
    if _CJK_NAME.match(name):
        return True
    if not 2 <= len(words) <= _MAX_PERSON_WORDS or any(map(str.isdigit, name)):
        return False
    if _ROLE.search(name) or _ORGANISATION.search(name):
        return False
    return all(
        word[0].isupper() or word.lower() in _PARTICLES or word[0] in "'\"(" for word in words
    )


def is_user_name(name: str) -> bool:
    """Whether a name is that of an account: one word, small or with dots and digits."""
    return " " not in name and (name.islower() or "." in name or "_" in name)
