"""Names of people in raw author values: prefixes, roles, dates and addresses cut, lists split."""

import re
from collections.abc import Iterable

from extraction.html.titles import squeezed

_MAX_NAME_CHARACTERS = 70
_MAX_NAME_WORDS = 7
_MAX_AUTHORS = 12
# "Written by", "Erstellt von": what was done, at most one word before it ("Ein", "Last").
_DONE = (
    "written|posted|published|reported|story|text|words|article|edited|reviewed|review|updated|post|"
    "advice|opinion|analysis|interview|geschrieben|erstellt|eingestellt|verfasst|veröffentlicht|artikel|"
    "beitrag|gastbeitrag|kommentar|nachricht|wortlaut|pressemitteilung|publié|écrit|escrito|publicado"
)
_PREFIX = re.compile(
    rf"^(?:(?:(?:\w+\s+)?(?:{_DONE})\s+)?"
    r"(?:by|von|par|por|di|da|de|door|av|af|od|przez|deur|ngu|pelo|pela)|"
    r"author|autor(?:in|en|es|e|a)?|auteur|auteure|autore|autorzy|writer|verfasser(?:in)?|"
    r"redakteur|автор|opinion|text|foto|"
    r"kommentar von|ein kommentar von|interview|report(?:er)?|gastbeitrag von|a cura di|auctor|"
    r"συντάκτης|от|post author|(?:ngu|u)mbhali|"
    r"文|記者|记者|作者|责任编辑|编辑)"
    r"(?:\s*[:：]\s*|\s+(?=\S)|$)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(
    r"\s*(?:[;|/•·\n\t]|\s[–—-]\s|,|、|，)\s*|\s+(?:and|und|et|y|e|og|och|en|oraz|i|ja|ve|with|mit|"
    r"&|\+)\s+",
    re.IGNORECASE,
)
# What follows a name and is none: a date, a role in brackets, "for The Post".
_TAIL = re.compile(
    r"\s*(?:\(.*|\[.*|<.*|\bfor\s+(?:the\s)?[A-Z].*|\bFOR\s+.*|\bin\s+[A-Z]\w+$|\s[–—-]\s.*|@.*|"
    r"\b(?:updated?|published|posted|on|am|le|el|il|op)\b\s*:?.*\d.*|"
    r"\b\d{1,2}[./:\s]\s?\w+[./:\s]\s?\d{2,4}.*|"
    r"\b(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\w*\.?\s+\d{1,2}\b.*|"
    r"\b(?:staff|special to|special|correspondent|contributor|chief|senior|political|editor|"
    r"reporter)\b\s+.*)$",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"https?:|www\.|[@#{}<>=*…]|\d{3}|^\W*$|\b(?:comments?|min(?:ute)?s?\b.*read|read more|"
    r"follow|twitter|facebook|view all|subscribe|share|"
    r"about the author|all posts|more from|profile|biography|editor'?s note|newsletter|print|"
    r"password|log ?in|category|tags?)\b",
    re.IGNORECASE,
)
_PLACEHOLDER = frozenset(
    [
        "admin", "administrator", "author", "editor", "staff", "none", "null", "undefined",
        "unknown", "anonymous", "user", "root", "webmaster", "name", "by", "autor", "von",
        "guest", "published", "posted", "reporter", "contributor", "writer", "redaktion",
        "online", "email", "default", "superuser", "n/a", "na", "follow", "website", "blog",
        "post", "about", "contact", "writers",
    ]
)  # fmt: skip
_ROLE = re.compile(
    r"^(?:.*\b(?:staff|reporter|correspondent|editor|writer|journalist|contributor|columnist|"
    r"producer|bureau chief|team leader|founder|ceo|"
    r"redakteur(?:in)?|korrespondent(?:in)?|journaliste|rédaction|director|analyst|professor|"
    r"fellow|author)\b.*)$",
    re.IGNORECASE,
)
# A particle of a name ("van der Merwe") may be written small.
_PARTICLES = frozenset(
    ["van", "von", "de", "der", "den", "du", "da", "di", "la", "le", "el", "al", "bin", "ibn", "ka"]
)
_MAX_PERSON_WORDS = 5
_CJK_NAME = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\s·]{2,8}$")


def clean_names(values: Iterable[str]) -> tuple[str, ...]:
    """Names in raw author values, each once, in order.

    Examples
    --------
    >>> clean_names(["By Thandi Nkosi, Political Editor", "thandi nkosi"])
    ('Thandi Nkosi',)
    """
    found: dict[str, str] = {}
    for value in values:
        text = " ".join(value.split())
        if not text or text.startswith(("http:", "https:", "/")):
            continue
        for position, piece in enumerate(_SEPARATOR.split(_strip_prefix(text))):
            name = _clean_name(piece or "", is_first=position == 0)
            if name:
                found.setdefault(squeezed(name), name)
    return tuple(found.values())[:_MAX_AUTHORS]


def _strip_prefix(text: str) -> str:
    for _ in range(2):  # "Posted by: Von …"
        shorter = _PREFIX.sub("", text, count=1)
        if shorter == text:
            break
        text = shorter
    return text


def _clean_name(piece: str, *, is_first: bool) -> str:
    name = _TAIL.sub("", _strip_prefix(piece.strip())).strip(" \t.,:;-–—|·•'\"“”„()[]")
    if not name or len(name) > _MAX_NAME_CHARACTERS or len(name.split()) > _MAX_NAME_WORDS:
        return ""
    if _NO_NAME.search(name) or name.casefold() in _PLACEHOLDER or not any(map(str.isalpha, name)):
        return ""
    if len(name) < 2 or (not is_first and _ROLE.match(name)):
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
    return all(
        word[0].isupper() or word.lower() in _PARTICLES or word[0] in "'\"(" for word in words
    )


def is_user_name(name: str) -> bool:
    """Whether a name is that of an account: one word, small or with dots and digits."""
    return " " not in name and (name.islower() or "." in name or "_" in name)
