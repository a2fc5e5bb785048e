"""What classes, ids and properties say of an element: a comment, its text, author, time, a button.

A name is one class or an id. Only names that many systems share stand here; how a comment is built
otherwise is learned from items that are built alike (`like_items`).
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from lxml import etree

from extraction.html.markup.elements import attribute

_COMMENT = (
    r"(?:comment|komm?entar|coment[aá]rio|commentaire|commento|komentarz|opinia|reactie|reaction)"
)
# Of what stands before "comment" in a name: whose it is, or nothing that matters.
_BEFORE = r"(?:[a-z]+[-_]{1,2}){0,3}"
_ITEM = re.compile(
    rf"^(?:{_BEFORE}{_COMMENT}"
    rf"|{_BEFORE}{_COMMENT}s?[-_]{{0,2}}(?:item|entry|node|single|post|row|box|block|wrap(?:per)?|container|li|one|main"
    r"|article|card|outer[-_]wrapper|inner|tile|element|view)"
    rf"|(?:[\w-]+[-_])?[a-z]*{_COMMENT}[-_]?\d+|(?:div|li)[-_]comment[-_][\w-]+|comment[-_][0-9a-f]{{8,40}}"
    r"|h-cite|[up]-comment|[A-Za-z]+Comment(?:Item|Entry|Post|Row|Box|Block|Wrapper|Container|s?List)?"
    r"|comment(?:Item|Entry|Post|Row|Box|Block|Wrapper|Container|Wrap)"
    r"|forum-fil|dsq-comment-[\d]+|wpd-comment|wc-comment)$"
)
# Not one comment: a form, a button, a count, a list, or a comment on something else.
_NO_ITEM = re.compile(
    r"(?:^|[-_])(?:no|add|write|post|leave|new|create|submit|recents?|latest|last|newest|top|most|best|hide|show|toggle|open"
    r"|close|count|form|reply|replies|cancel|edit|report|flag|has|with|all|my|view|total|icon|link|single|multiple)"
    r"[-_]{1,2}comments?",
    re.IGNORECASE,
)
_ITEM_TYPE = re.compile(r"(?:^|[/:\s])(?:Comment|UserComments)\b")
_ANSWER_LIST = re.compile(
    r"child|repl(?:y|ies)|answer|antwort|respuest|respost|réponse|odpowied|indent|nested|sub-?(?:comment|thread)|thread",
    re.IGNORECASE,
)
# One answer, where the system calls comments and answers by different names.
_ANSWER = re.compile(
    r"^(?:[a-z]+[-_])*(?:reply|answer|antwort|respuesta|resposta|risposta|réponse|reponse|odpowiedz|antwoord)"
    r"(?:[-_](?:item|entry|row|box))?$",
    re.IGNORECASE,
)
_BODY = re.compile(
    rf"^(?:{_BEFORE}{_COMMENT}s?[-_]{{0,2}}(?:content|contents|text|texte|txt|message|copy|bodytext|body|description|entry|inner|p|tekst"
    r"|tresc|data-text|area)|(?:e|p)-content|field-name-comment-body|field--name-comment-body"
    r"|[A-Za-z]*[cC]omment(?:Text|Content|Body|Message|sContent)|(?:tresc|text|content|body)[-_]?[cCkK]omm?entar?z?[a-z]*|dsq-comment-message|crawler-post-text|ac_text|opTresc)$"
)
# Names that mean the text inside of a comment, and anything elsewhere.
_PLAIN_BODY = re.compile(
    r"^(?:text|texte|txt|content|body|message|msg|post[-_]?(?:text|body|content)|message[-_](?:text|body|content)|blurb|cooked"
    r"|forum[-_](?:message|texte)|(?:user|message)[-_]text[-_\w]*|tresc|treść|obj(?:ect)?link)$",
    re.IGNORECASE,
)
_AUTHOR = re.compile(
    rf"^(?:fn|p-author|p-name|vcard|{_BEFORE}{_COMMENT}s?[-_]{{0,2}}(?:author|user|username|poster|name|by|autor)(?:[-_]{{0,2}}(?:name|link))?"
    r"|(?:[a-z]+[-_]{1,2}){0,4}(?:author|username|nickname)(?:[-_]{1,2}(?:name|info|link))?|autor|user(?:[-_]?(?:name|nick|info-name))?|name|nick(?:[-_]?name)?"
    r"|lj-?user|benutzer(?:name)?|dsq-comment-cite|poster|byline|signature|creator|profile(?:[-_]link)?|display[-_]?name|postuser|bigusername"
    r"|[a-z]*[cC]omment(?:Author|AccountName|AuthorName|UserName|Name|er)|(?:list|user)(?:Author|Name)|[a-z]{1,3}-author|[a-z]{4,12}(?:author|username|alias)|alias)$",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"(?:^|[-_])(?:title|subject|subj|topic|headline|betreff|titel|titre|titulo|título|titolo|oggetto|onderwerp|tytul)$",
    re.IGNORECASE,
)
_TIME = re.compile(
    rf"^(?:dt-published|published|{_BEFORE}{_COMMENT}s?[-_]{{0,2}}(?:date|time|timestamp|published|meta(?:data)?|posted|age|ago)"
    r"(?:[-_](?:time|link))?|date(?:[-_]?time)?|datetime|time|timestamp|posted(?:[-_]on)?|datum|data|permalink|(?:[a-z]+[-_]{1,2}){1,4}date"
    r"|dsq-comment-header-time|pub-?date|post[-_]?date|rough-age|age|relative[-_]?time[-\w]*|(?:list|post)Date|[a-z]{1,3}-data"
    r"|[a-z]*[cC]omment(?:Date|Time|Timestamp)|submitted)$",
    re.IGNORECASE,
)
_LIKES = re.compile(
    r"(?:^|[-_])(?:likes?|up-?votes?|votes?-?up|thumbs?-?up|karma|score)(?:[-_]?(?:count|num|number|total))?$",
    re.IGNORECASE,
)
_BUTTON = re.compile(
    r"(?:^|[-_])(?:repl(?:y|ies)|share|shar(?:e|ing)[-_]?\w*|sharedaddy|says|edit|actions?|moderation|moderate|avatar|gravatar|votes?|voting"
    r"|ratings?|likes?|likebtn\w*|dislikes?|report|flag|abuse|tools?|toolbar|toolbox|buttons?|btn\w*|badges?|permalink|toggle|controls"
    r"|functions|nav|menu|dropdown|hellip|read-?more|respond|form|number|screen-reader-text|visually-hidden|sr-only|parent-comment|dateline-edit"
    r"|signature|sig|stats|links|hyperlien|userdetails|register[-_]?date)(?:$|[-_])",
    re.IGNORECASE,
)
_SIGNED_OFF = re.compile(r"(?:^|[-_])signature$", re.IGNORECASE)
_TEXT_WORD = re.compile(r"text|content|body|message|copy", re.IGNORECASE)
_PINGBACK = re.compile(r"(?:^|[-_])(?:pingbacks?|trackbacks?|webmention)(?:$|[-_])", re.IGNORECASE)
# Other stories' comments, and whatever stands beside the article.
_ASIDE = re.compile(
    r"(?:^|[-_])(?:recents?|latest|newest|last|letzte|neueste|ostatnie|ultimos|derniers)[-_]?(?:comm|komm|coment|replies|posts?)"
    r"|recentcomments|most[-_]?comm|top[-_]?comm|^widget$|^widget[-_]area|^side-?bar|[-_]sidebar$|^related|related[-_](?:posts|articles|stories)"
    r"|^popular|teasers?$|^(?:aside|footer|masthead|reviews?)$|customer[-_](?:rating|review)|product[-_]review|^tab-item|testimonial|comment-footer-item",
    re.IGNORECASE,
)
_LIST = re.compile(
    rf"^(?:{_COMMENT}s(?:[-_]?(?:list|area|section|container|wrapper|block|thread|template|content|holder|inner))?|commentlist|{_COMMENT}[-_](?:list|area|section|template)s?|kommentare|komentarze|opinie"
    r"|(?:reader|user|article|post|blog)[-_]?comments|disqus_thread|dsq-comments|wpd-thread-list|wc-thread-list|wp-block-comment-template)$",
    re.IGNORECASE,
)
ZONE_WORD = re.compile(
    rf"{_COMMENT[:-1]}|reacties|discuss|diskus|disqus|forum|community|opinie|opOpinie|respon[sd]|feedback|talkback|leserbrief"
    r"|replies|debat|meinung|yorum|hozz[aá]sz|binh-?luan|tanggapan|otz[iy]v)",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"\d+|^(?:odd|even|first|last|alt|active|open|closed?|hidden|clear(?:fix)?|selected)$"
)
_TEXT_PROPERTIES = frozenset(
    [
        "text",
        "commentText",
        "comment",
        "schema:text",
        "content:encoded",
        "reviewBody",
        "articleBody",
    ]
)
_AUTHOR_PROPERTIES = frozenset(
    ["author", "creator", "schema:author", "foaf:name", "sioc:has_creator"]
)
_TIME_PROPERTIES = frozenset(
    ["dateCreated", "datePublished", "commentTime", "schema:dateCreated", "dc:date", "dc:created"]
)


_ASIDE_TAGS = frozenset(["nav", "footer"])


def names_of(element: etree._Element) -> tuple[str, ...]:
    """Classes of an element, then its id."""
    classes, own = element.get("class"), element.get("id")
    names = _split(classes) if classes else ()
    own = own.strip() if own else ""
    return (*names, own) if own else names


@lru_cache(maxsize=8192)
def _split(classes: str) -> tuple[str, ...]:
    return tuple(classes.split())


def _has_property(element: etree._Element, wanted: frozenset[str]) -> bool:
    """Whether microdata or RDFa calls the element one of what is wanted."""
    get = element.get
    item_property, prop, rel = get("itemprop"), get("property"), get("rel")
    if item_property is None and prop is None and rel is None:
        return False  # as of nearly every element
    return not wanted.isdisjoint(f"{item_property or ''} {prop or ''} {rel or ''}".split())


def _has_class(element: etree._Element, pattern: re.Pattern[str]) -> bool:
    """Whether a class is what a pattern looks for."""
    classes = element.get("class")
    return classes is not None and _has(pattern, classes)


# Items of a list, and the pages of a site, have the same classes again and again.
@lru_cache(maxsize=8192)
def _has(pattern: re.Pattern[str], names: str) -> bool:
    """Whether one of some names is what a pattern looks for."""
    return any(map(pattern.search, names.split()))


def is_comment_type(element: etree._Element) -> bool:
    """Whether microdata or RDFa calls the element a comment."""
    item_type, kind = element.get("itemtype"), element.get("typeof")
    if item_type is None and kind is None:
        return False  # as of nearly every element
    return _ITEM_TYPE.search(f"{item_type or ''} {kind or ''}") is not None


@lru_cache(maxsize=8192)
def is_item_name(name: str) -> bool:
    """Whether a name is that of one comment."""
    return (_ITEM.match(name) or _ITEM.match(name.lower())) is not None and not _NO_ITEM.search(
        name
    )


def is_answer_list(element: etree._Element) -> bool:
    """Whether an element is named as one that holds the answers to a comment."""
    return any(_ANSWER_LIST.search(name) for name in names_of(element))


def is_answer_name(name: str) -> bool:
    """Whether a name is that of one answer, or of a button that lets readers answer."""
    return _ANSWER.match(name) is not None


def is_body(element: etree._Element) -> bool:
    """Whether an element is named as the text of a comment, wherever it stands."""
    return _has_property(element, _TEXT_PROPERTIES) or _has_class(element, _BODY)


def is_plain_body(element: etree._Element) -> bool:
    """Whether an element is named as some text."""
    return _has_class(element, _PLAIN_BODY)


def is_author(element: etree._Element) -> bool:
    """Whether an element is named as the author of something."""
    return _has_property(element, _AUTHOR_PROPERTIES) or _has_class(element, _AUTHOR)


def is_subject(element: etree._Element) -> bool:
    """Whether an element is named as the subject of a comment."""
    return _has_class(element, _SUBJECT)


def is_author_property(element: etree._Element) -> bool:
    """Whether microdata or RDFa calls the element an author."""
    return _has_property(element, _AUTHOR_PROPERTIES)


def is_time(element: etree._Element) -> bool:
    """Whether an element is, or is named as, a moment."""
    if element.tag in {"time", "relative-time", "time-ago"} or is_time_property(element):
        return True
    return _has_class(element, _TIME)


def is_time_property(element: etree._Element) -> bool:
    """Whether microdata or RDFa calls the element a moment."""
    return _has_property(element, _TIME_PROPERTIES)


def is_likes(element: etree._Element) -> bool:
    """Whether an element is named as the number of those who like a comment."""
    return _has_class(element, _LIKES)


def is_button(element: etree._Element) -> bool:
    """Whether an element is named as something to click, or as a decoration."""
    return _is_button_name(attribute(element, "class"))


@lru_cache(maxsize=8192)
def _is_button_name(names: str) -> bool:
    return any(
        _BUTTON.search(name) and (_SIGNED_OFF.search(name) or not _TEXT_WORD.search(name))
        for name in names.split()
    )


def is_pingback(element: etree._Element) -> bool:
    """Whether an element is named as a link from elsewhere."""
    return _has_class(element, _PINGBACK)


def is_aside(element: etree._Element) -> bool:
    """Whether an element is named as one that shows what belongs to other pages."""
    is_aside_tag = element.tag in _ASIDE_TAGS and not _is_foot_of_an_article(element)
    if not is_aside_tag and not _is_named(element, _ASIDE):
        return False
    return "Blog" not in names_of(element)  # so Blogger calls the article with its comments


def _is_foot_of_an_article(element: etree._Element) -> bool:
    return element.tag == "footer" and any(True for _ in element.iterancestors("article"))


def is_comment_list(element: etree._Element) -> bool:
    """Whether an element is named as the one that holds the comments of the page."""
    return _is_named(element, _LIST)


def _is_named(element: etree._Element, pattern: re.Pattern[str]) -> bool:
    """Whether a class or the id is what a pattern looks for."""
    classes, own = element.get("class"), element.get("id")
    if classes and _has(pattern, classes):
        return True
    # Ids are each another, but what is around many elements is asked for each of them.
    return own is not None and _has(pattern, own)


def stems(element: etree._Element) -> Iterator[str]:
    """Names of an element without numbers and states ("odd"), as items of one list share them."""
    for name in names_of(element):
        if not _STATE.match(name):
            yield _STATE.sub("", name)


def is_like(one: etree._Element, other: etree._Element) -> bool:
    """Whether two elements are built alike: the same tag, and a name in common if they have any."""
    if one.tag != other.tag:
        return False
    names = set(stems(one))
    others = set(stems(other))
    return bool(names & others) or not (names or others)
