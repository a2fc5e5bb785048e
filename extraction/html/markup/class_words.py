"""What the class, id and role of an element say about its content, as a few flags.

The words are those that recur over many publishers' templates, in the languages of the evaluation
pages; no publisher's own names.
"""

import re
from enum import IntFlag
from functools import lru_cache

import re2


class Hint(IntFlag):
    """What a name or a tag promises; flags are inherited by everything inside the element."""

    NONE = 0
    BODY = 1  # "article-body", "entry-content", itemprop=articleBody
    ARTICLE = 2  # "story", "post", the article element
    COMMENTS = 4
    SHARE = 8
    RELATED = 16
    ADVERT = 32
    BYLINE = 64  # byline, dateline, category labels, tags
    CAPTION = 128
    NAVIGATION = 256  # menus, breadcrumbs, pagination
    FRAME = 512  # footer, sidebar, widget, copyright
    APPEAL = 1024  # newsletter, subscription, paywall, donation, cookies
    SUMMARY = 2048  # standfirst, lead, dek
    HEADLINE = 4096
    MAIN = 8192
    EMBED = 16384  # tweet, embedded post, player
    UNSEEN = 32768  # by convention hidden by the style sheet: no line at all, hence no feature


# Patterns over one lower-cased class or id with hyphens between its words; `^`, `$` and `-` are the
# borders of a word. RE2 syntax.
_WORDS: dict[Hint, str] = {
    Hint.BODY: (
        "(article|story|entry|post|news|blog|page|body|main|single|content|detail|txt|text|inner)-*"
        "(body|text|txt|content|copy|inner|paragraph)"
        "|rich-?text|(^|-)(rte|text|prose|copy)($|-)|body-?copy|wysiwyg|textkomponente|body-?component"
    ),
    Hint.ARTICLE: (
        "article|story|entry|(^|-)post(-|$)|news|artikel|articulo|artykul|materia|statya|content|detail"
    ),
    Hint.COMMENTS: (
        "comment|disqus|(^|-)(replies|reply|coral|forum)($|-)|respond|feedback|livefyre|kommentar"
        "|coment.rio|opinie|reactions|reacties|discussion|vuukle|spot-?im|openweb"
    ),
    Hint.SHARE: (
        "share|sharing|social|addthis|addtoany|(^|-)(sns|tools|soc)($|-)|facebook|whatsapp|follow-"
        "|bookmark|print-?button|toolbar|teilen|partage|compart"
    ),
    Hint.RELATED: (
        "relat|recommend|recirc|read-?(more|next|also|on)|also-?(read|see|like)|see-?also|outbrain"
        "|taboola|popular|trending|latest|teaser|promo|most-|more-(from|on|news|stor|articles|in)"
        "|similar|suggest|up-?next|prev(ious)?-|next-(post|article|story)|nextprev|prevnext"
        "|carousel|playlist|interesting|headlines|further|othernews|other-|zainteresuj|powiazan"
        "|verwandt|meistgel|liees|a-lire|leia|veja|inline-?link"
    ),
    Hint.ADVERT: (
        "(^|-)(ads?|adv)($|-|[0-9])|advert|adsense|sponsor|banner|dfp|(^|-)gpt($|-)|reklam|anzeige"
        "|werbung|publicid|publicite|commercial|partner|affiliate"
    ),
    Hint.BYLINE: (
        "by-?line|author|autor|writer|dateline|date|time|published|posted|meta|categor"
        "|(^|-)(tags?|info|bio)($|-)|keyword|topic|kicker|eyebrow|label|section-?(name|title)|infobar"
        "|contributor|reading"
    ),
    Hint.CAPTION: (
        "caption|credit|photo|image|(^|-)img($|-)|figure|picture|gallery|galerie|slideshow|slide"
        "|thumb|media|bild|foto|legend"
    ),
    Hint.NAVIGATION: (
        "(^|-)nav|menu|breadcrumb|crumb|pagina|(^|-)(pager|pages)($|-)|skip|jump|toc($|-)|table-of"
        "|sitemap|search|tabs?($|-)"
    ),
    Hint.FRAME: (
        "foot|side-?bar|widget|copyright|copywrite|masthead|header|(^|-)rail($|-)"
        "|(^|-)(right|left)-?(col|side|rail|block|bar)?($|-)|aside|sticky|modal|pop-?up|overlay"
        "|dialog|toolbox|tooltip|legal|disclaimer|notice|alert|dropdown|hidden|invisible"
        "|screen-reader|sr-only|visually|print-?only|no-?print|hide($|-)"
    ),
    Hint.APPEAL: (
        "newsletter|subscri|sign-?(up|in)|log-?in|register|paywall|pay-|premium|donat|spende"
        "|support-|cookie|consent|gdpr|(^|-)cta($|-)|call-to|appeal|membership|abo-|offer"
        "|app-?(promo|download)|quiz|poll|survey|vote|rating|lead-?gen|contribut(e|ion)-|mailing|email"
    ),
    Hint.SUMMARY: (
        "summary|stand-?first|sub-?(title|head|line)|(^|-)lead|lede|intro|excerpt|abstract"
        "|(^|-)de[ck]k?($|-)|chapo|chapeau|description|sapo|ingress|vorspann|sommario|occhiello"
        "|entradilla|bajada|teaser-?text|announce"
    ),
    Hint.HEADLINE: "headline|title|head(ing)?($|-)|titre|titel|titulo|titolo|(^|-)h[1-3]($|-)",
    Hint.MAIN: "(^|-)(main|page)|primary|principal|central|center($|-)|wrapper|container",
    Hint.EMBED: (
        "embed|tweet|twitter|instagram|youtube|player|pull-?quote|(^|-)quote|factbox|infobox|fact-"
        "|sidebox|inset"
    ),
    # Whole names that templates and frameworks give to what only screen readers are to say, or what
    # appears over the text when the pointer rests on a word. Of 2,400 such elements on the
    # development pages seven hold words of the gold text.
    Hint.UNSEEN: (
        "^(?:(?:u-|is-)?(?:sr-only|screen-?reader(?:-text|-only|s)?|visually-?hidden|vh-text"
        "|element-invisible|off-?screen|a11y-(?:hidden|only|text)|assistive-text)"
        "|(?:[a-z]+-+)*(?:rollover|tool-?tip|pop-?over|hover-?card)(?:-+[a-z]+)*"
        "-+(?:block|content|text|body|box|inner|card|bio|panel))$"
    ),
}


def _compiled() -> re2.Set:
    """All patterns in one automaton: one pass over a name, whatever the number of words."""
    patterns = re2.Set.SearchSet()
    for pattern in _WORDS.values():
        patterns.Add(pattern)
    patterns.Compile()
    return patterns


# A real element has a handful of classes; utility frameworks reach a thousand characters.
MAX_NAMES_CHARACTERS = 2_000

_PATTERNS = _compiled()
_FLAGS = [hint.value for hint in _WORDS]
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TAG_HINTS = {
    "nav": Hint.NAVIGATION,
    "aside": Hint.FRAME,
    "footer": Hint.FRAME,
    "menu": Hint.NAVIGATION,
    "dialog": Hint.FRAME,
    "article": Hint.ARTICLE,
    "main": Hint.MAIN,
    "figure": Hint.CAPTION,
    "figcaption": Hint.CAPTION,
    "address": Hint.BYLINE,
    "time": Hint.BYLINE,
}
_ROLE_HINTS = {
    "navigation": Hint.NAVIGATION,
    "complementary": Hint.FRAME,
    "contentinfo": Hint.FRAME,
    "banner": Hint.FRAME,
    "search": Hint.NAVIGATION,
    "dialog": Hint.FRAME,
    "main": Hint.MAIN,
    "article": Hint.ARTICLE,
}
_PROPERTY_HINTS = {
    "articlebody": Hint.BODY,
    "author": Hint.BYLINE,
    "datepublished": Hint.BYLINE,
    "datemodified": Hint.BYLINE,
    "comment": Hint.COMMENTS,
    "headline": Hint.HEADLINE,
    "description": Hint.SUMMARY,
    "keywords": Hint.BYLINE,
    "caption": Hint.CAPTION,
}


def hints_of_names(names: str) -> int:
    """Give the flags for class and id values, separated by blanks.

    Plain integers, because flag objects are slow to combine. Names beyond the first
    `MAX_NAMES_CHARACTERS` are not looked at.
    """
    if len(names) > MAX_NAMES_CHARACTERS:
        names = names[:MAX_NAMES_CHARACTERS]
    return _hints_of_names(names)


# Values repeat over a page and over a site's pages. Bounded, since a worker lives long.
@lru_cache(maxsize=8192)
def _hints_of_names(names: str) -> int:
    found = 0
    for name in names.split():
        found |= _hints_of_name(name)
    return found


@lru_cache(maxsize=16384)
def _hints_of_name(name: str) -> int:
    if not name.islower():
        name = _CAMEL.sub("-", name).lower()
    return sum(_FLAGS[position] for position in _PATTERNS.Match(name.replace("_", "-")) or ())


@lru_cache(maxsize=4096)
def hints_of_element(tag: str, role: str, item_property: str) -> int:
    """Give the flags for the tag, the ARIA role and the microdata property."""
    found: Hint = _TAG_HINTS.get(tag, Hint.NONE) | _ROLE_HINTS.get(role.lower(), Hint.NONE)
    for name in item_property.lower().split():
        found |= _PROPERTY_HINTS.get(name, Hint.NONE)
    return found.value
