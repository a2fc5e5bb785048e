"""What the path of an address tells: the slug of an article, and whether a redirect left it.

Address → the words of its last telling segment, by which an article is known under two addresses;
two addresses → whether the second is a home or section page instead of the article that the first
names.
"""

import re

from feeds.crawler.addressing.canonical import normalize_percent

MIN_SLUG_WORDS = 4  # "cape-town-news" is a section, "fire-in-cape-town" an article
_MAX_SECTION_WORDS = MIN_SLUG_WORDS - 1

_DATE = re.compile(r"^(?:19|20)\d\d(?:-?\d\d){0,2}$")
_EXTENSION = re.compile(r"\.(?:html?|php|aspx?|jsp|cms|ece|shtml|do|amp|story)$", re.IGNORECASE)
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
# What content systems put behind the words: "-1.1234567", "-2000123", "_123456", a hash, a UUID.
_TRAILING_ID = re.compile(
    rf"(?:[-_~,.](?:{_UUID}|\d+\.\d+|\d{{4,}}|[a-z]{{0,2}}\d{{5,}}|(?=[a-f]*\d)[0-9a-f]{{8,}}))+$",
    re.IGNORECASE,
)
_TRAILING_DATE = re.compile(r"(?:19|20)\d\d-\d\d(?:-\d\d)?$|[-_](?:19|20)\d\d\d\d\d\d$")
_LEADING_ID = re.compile(rf"^(?:{_UUID}|\d{{5,}})[-_](?=\D)", re.IGNORECASE)
_WORD = re.compile(r"(?:^|[-_+]|%20)[^\W\d_]*[^\W\d_][^-_+/]*")
_NUMBER = re.compile(r"\d{4,}")
# WordPress' short form of an article's address.
_SHORT_FORM = re.compile(r"(?:^|&)p=\d+")
_LONGEST_DATE = 4  # digits of a year
_HOME_NAMES = frozenset({"index", "home", "homepage", "default", "start", "main"})


def slug(url: str) -> str:
    """Give the words of an article's address without its number, or "" where it has none.

    The last path segment with at least `MIN_SLUG_WORDS` words; extension, identifier and number
    before or behind are removed, a date is kept: a weekly column has one slug and many dates.

    Examples
    --------
    >>> slug("https://www.iol.co.za/news/fire-in-cape-town-harbour-2000123")
    'fire-in-cape-town-harbour'
    """
    for segment in reversed(_path(url).split("/")):
        words = _slug_of(segment)
        if words:
            return words
    return ""


def looks_like_article(url: str) -> bool:
    """Tell from an address alone whether it names an article: by slug, number or dated path.

    Archives by year, month or day are none, nor is what has a number for its page only.

    Examples
    --------
    >>> looks_like_article("https://a.example/2026/11/20/fire")
    True
    >>> looks_like_article("https://a.example/2026/11/"), looks_like_article("https://a.example/")
    (False, False)
    """
    segments = [_EXTENSION.sub("", part) for part in _path(url).split("/") if part]
    if not segments:
        return bool(_SHORT_FORM.search(_query(url)))
    if segments[-1].isdigit() and all(part.isdigit() for part in segments[:-1]):
        # "/2026/11/20" is a day's list; "/1234567" is an article.
        return len(segments[-1]) > _LONGEST_DATE and not _DATE.match(segments[-1])
    return bool(slug(url)) or _is_like_article(segments, url)


def is_section_page(final_url: str, original_url: str) -> bool:
    """Tell whether a redirect ended at a home or section page instead of the article.

    A page that answers under the path that was asked for is never one. Sections have short paths
    of few words; an article has a slug, a number, a date, or the last segment that was asked for.

    Parameters
    ----------
    final_url
        Where the redirects ended.
    original_url
        The article's address as it was listed.

    Examples
    --------
    >>> article = "https://www.thepost.co.za/fire-in-cape-town-harbour-2000123"
    >>> is_section_page("https://www.iol.co.za/thepost", article)
    True
    """
    final, original = _path(final_url), _path(original_url)
    if final == original:
        return False
    segments = [_EXTENSION.sub("", part) for part in final.split("/") if part]
    if all(part.lower() in _HOME_NAMES for part in segments):
        return not _NUMBER.search(_query(final_url))  # "/?p=12345" is WordPress' short form
    if _bare(segments[-1]) == _bare(original.rsplit("/", 1)[-1]):
        return False
    return not _is_like_article(segments, final_url)


def _is_like_article(segments: list[str], url: str) -> bool:
    last = segments[-1]
    if len(_WORD.findall(last)) > _MAX_SECTION_WORDS:
        return True
    if _NUMBER.search(last) and not _DATE.match(last):
        return True
    has_date = any(_DATE.match(part) for part in segments[:-1])
    return has_date or bool(_NUMBER.search(_query(url)))


def _slug_of(segment: str) -> str:
    text = _bare(segment)
    return text if len(_WORD.findall(text)) >= MIN_SLUG_WORDS else ""


def _bare(segment: str) -> str:
    """Take extension, numbers and blanks off a segment."""
    text = _EXTENSION.sub("", segment.removesuffix("%20"))
    if not _TRAILING_DATE.search(text):
        text = _TRAILING_ID.sub("", text)
    return _LEADING_ID.sub("", text).strip("-_").lower()


def _path(url: str) -> str:
    rest = url.partition("://")[2] or url
    path = rest.partition("#")[0].partition("?")[0].partition("/")[2]
    return normalize_percent(path).strip("/")


def _query(url: str) -> str:
    return url.partition("#")[0].partition("?")[2]
