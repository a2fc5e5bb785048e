"""What the class, id and role of an element say about its content: names of the web's templates → a few flags.

The words are those that recur over many publishers' templates, in the languages of the evaluation pages; no publisher's own names.
"""

import re
from enum import IntFlag
from functools import lru_cache


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


_PATTERNS: tuple[tuple[Hint, re.Pattern[str]], ...] = tuple(
    (hint, re.compile(pattern))
    for hint, pattern in (
        (
            Hint.BODY,
            r"(?:article|story|entry|post|news|blog|page|body|main|single|content|detail|txt|text|inner)[-_]*"
            r"(?:body|text|txt|content|copy|inner|paragraph)"
            r"|articlebody|storybody|body[-_]?copy|rich[-_]?text|\brte\b|wysiwyg|\btext\b|(?<![a-z])prose|\bcopy\b"
            r"|textkomponente|body[-_]?component",
        ),
        (
            Hint.ARTICLE,
            r"article|story|entry|\bpost\b|post[-_]|news|artikel|articulo|artykul|materia|statya|content|detail",
        ),
        (
            Hint.COMMENTS,
            r"comment|disqus|\breplies|respond|\breply\b|feedback|livefyre|kommentar|coment[aá]rio|opinie|reacti(?:e|on)s|"
            r"discussion|\bcoral\b|\bforum\b|vuukle|spot[-_]?im|openweb",
        ),
        (
            Hint.SHARE,
            r"share|sharing|social|addthis|addtoany|\bsns\b|facebook|whatsapp|follow[-_]|bookmark|print[-_]?button|toolbar|"
            r"\btools\b|\bsoc\b|teilen|partage|compart",
        ),
        (
            Hint.RELATED,
            r"relat|recommend|recirc|read[-_]?(?:more|next|also|on)|also[-_]?(?:read|see|like)|see[-_]?also|outbrain|taboola|"
            r"popular|trending|latest|teaser|promo|most[-_]|more[-_](?:from|on|news|stor|articles|in)|similar|suggest|up[-_]?next|"
            r"prev(?:ious)?[-_]|next[-_](?:post|article|story)|nextprev|prevnext|carousel|playlist|interesting|"
            r"headlines|further|othernews|other[-_]|zainteresuj|powiazan|verwandt|meistgel|liees|a[-_]lire|leia|veja|inline[-_]?link",
        ),
        (
            Hint.ADVERT,
            r"(?:^|[-_ ])ads?(?:$|[-_ \d])|advert|adsense|sponsor|banner|dfp|\bgpt\b|(?:^|[-_ ])adv(?:$|[-_ ])|reklam|anzeige|"
            r"werbung|publicid|publicite|commercial|partner|affiliate",
        ),
        (
            Hint.BYLINE,
            r"by[-_]?line|author|autor|writer|dateline|date|time(?!line)|published|posted|meta(?!l)|categor|\btags?\b|tag[-_]|"
            r"[-_]tags?|keyword|topic|kicker|eyebrow|label|section[-_]?(?:name|title)|infobar|\binfo\b|contributor|\bbio\b|reading",
        ),
        (
            Hint.CAPTION,
            r"caption|credit|photo|image|\bimg\b|figure|picture|gallery|galerie|slideshow|slide|thumb|media|bild|foto|legend",
        ),
        (
            Hint.NAVIGATION,
            r"(?:^|[-_ ])nav|menu|breadcrumb|crumb|pagina|\bpager\b|\bpages\b|skip|jump|toc\b|table[-_]of|sitemap|search|tabs?\b",
        ),
        (
            Hint.FRAME,
            r"foot|side[-_]?bar|widget|copyright|copywrite|masthead|header|\brail\b|(?:^|[-_ ])(?:right|left)[-_]?(?:col|side|rail|block|"
            r"bar)?(?:$|[-_ ])|aside|sticky|modal|popup|pop[-_]up|overlay|dialog|toolbox|tooltip|legal|disclaimer|notice|alert|"
            r"dropdown|hidden|invisible|screen[-_]reader|sr[-_]only|visually|print[-_]?only|no[-_]?print|hide\b",
        ),
        (
            Hint.APPEAL,
            r"newsletter|subscri|sign[-_]?up|signin|sign[-_]in|log[-_]?in|register|paywall|pay[-_]|premium|donat|spende|support[-_]|"
            r"cookie|consent|gdpr|\bcta\b|call[-_]to|appeal|membership|abo[-_]|offer|app[-_]?(?:promo|download)|quiz|poll|survey|vote|"
            r"rating|lead[-_]?gen|contribut(?:e|ion)[-_]|mailing|email",
        ),
        (
            Hint.SUMMARY,
            r"summary|stand[-_]?first|sub[-_]?(?:title|head|line)|(?:^|[-_ ])lead|lede|intro|excerpt|abstract|(?:^|[-_ ])de[ck]k?(?:$|[-_ ])|"
            r"chapo|chapeau|description|sapo|ingress|vorspann|sommario|occhiello|entradilla|bajada|teaser[-_]?text|announce",
        ),
        (Hint.HEADLINE, r"headline|title|head(?:ing)?(?:$|[-_ ])|titre|titel|titulo|titolo|(?:^|[-_ ])h[1-3](?:$|[-_ ])"),
        (Hint.MAIN, r"(?:^|[-_ ])main|primary|principal|central|center(?:$|[-_ ])|(?:^|[-_ ])page(?:$|[-_ ])|wrapper|container"),
        (Hint.EMBED, r"embed|tweet|twitter|instagram|youtube|player|pull[-_]?quote|\bquote|factbox|infobox|fact[-_]|sidebox|inset"),
    )
)  # fmt: skip
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
    """Flags for class and id values, separated by blanks; plain integers, because flag objects are slow to combine."""
    found = 0
    for name in names.split():
        found |= _hints_of_name(name)
    return found


# Names repeat over a page and over a site's pages; a worker sees a few ten thousand different ones.
@lru_cache(maxsize=65536)
def _hints_of_name(name: str) -> int:
    spaced = _CAMEL.sub("-", name).lower()
    found = 0
    for hint, pattern in _PATTERNS:
        if pattern.search(spaced):
            found |= hint.value
    return found


@lru_cache(maxsize=4096)
def hints_of_element(tag: str, role: str, item_property: str) -> int:
    """Flags for the tag, the ARIA role and the microdata property."""
    found: Hint = _TAG_HINTS.get(tag, Hint.NONE) | _ROLE_HINTS.get(role.lower(), Hint.NONE)
    for name in item_property.lower().split():
        found |= _PROPERTY_HINTS.get(name, Hint.NONE)
    return found.value
