"""A stored page made inert, for a look at it in a frame: markup in, markup out that can do nothing.

What runs, asks, loads or leads away goes: only elements and attributes of the lists below stay, so
what the lists do not know (scripts, forms, frames, refresh, handlers, style sheets, SVG, addresses
of links and pictures) cannot pass. Pictures stay as boxes of their size with their description,
links as words that tell where they led. The last parser is html5ever, the algorithm browsers use
(WHATWG HTML, 13.2), so that both see the same tree. The frame's own policy forbids the same things
again.

The tree is that of the extractor (`parse_html`), so that marks can be set by element, see
`marking`. It is cut at 256 levels: html5ever takes time in the square of the depth (4 000 nested
elements 0.04 s, 200 000 more than 100 s; measured with nh3 0.3.7).
"""

import nh3
from lxml import etree

from extraction.html.markup.cleaning import drop
from extraction.html.markup.parse import parse_html

_TEXT_ELEMENTS = {
    *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "del", "dfn", "em"),
    *("font", "i", "ins", "kbd", "mark", "q", "rp", "rt", "ruby", "s", "samp", "small", "span"),
    *("strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
}
_BLOCK_ELEMENTS = {
    *("address", "article", "aside", "blockquote", "center", "details", "div", "dd", "dl", "dt"),
    *("figcaption", "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup"),
    *("hr", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "ul", "img", "picture"),
    *("table", "caption", "col", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr"),
}
# Gone with all that is inside them: the text is not the page's, or is markup of another language.
_EMPTIED_ELEMENTS = {
    *("script", "style", "title", "template", "noscript", "iframe", "frame", "frameset", "object"),
    *("embed", "applet", "svg", "math", "canvas", "audio", "video", "select", "textarea", "button"),
    *("noembed", "noframes", "xmp", "plaintext", "portal", "dialog"),
}
# Set by `marking` after the page's own of these names have gone; a style sheet of ours reads them.
NUMBER, MARK, WHY = "data-n", "data-mark", "data-why"
OUR_ATTRIBUTES = (NUMBER, MARK, WHY)
_ATTRIBUTES = {
    "*": {"class", "id", "title", "lang", "dir", "style", *OUR_ATTRIBUTES},
    "img": {"alt", "width", "height"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "col": {"span"},
    "colgroup": {"span"},
    "ol": {"start", "reversed"},
    "li": {"value"},
    "time": {"datetime"},
    "details": {"open"},
}
# None of these can name an address, so a style cannot load anything.
_STYLE_PROPERTIES = {
    *("display", "visibility", "color", "background-color", "opacity", "float", "clear"),
    *("font-family", "font-size", "font-style", "font-weight", "font-variant", "line-height"),
    *("text-align", "text-decoration", "text-indent", "text-transform", "white-space"),
    *("width", "height", "max-width", "max-height", "min-width", "min-height"),
    *("margin", "margin-top", "margin-right", "margin-bottom", "margin-left"),
    *("padding", "padding-top", "padding-right", "padding-bottom", "padding-left"),
    *("border", "border-top", "border-right", "border-bottom", "border-left", "border-color"),
    *("border-style", "border-width", "vertical-align", "columns", "column-count"),
}
_SHOWN_ELEMENTS = _TEXT_ELEMENTS | _BLOCK_ELEMENTS
_CLEANER = nh3.Cleaner(
    tags=_SHOWN_ELEMENTS,
    clean_content_tags=_EMPTIED_ELEMENTS,
    attributes=_ATTRIBUTES,
    filter_style_properties=_STYLE_PROPERTIES,
    strip_comments=True,
    link_rel=None,
    url_schemes=set(),
)


_DEEPEST = 256  # a bound for what was made to exhaust us
# An address in a link's title is for reading; what is longer is tracking.
_TITLE_LIMIT = 300


def make_inert(markup: str) -> str:
    """Body of a stored page without anything that acts, loads or leads away.

    Parameters
    ----------
    markup
        A whole HTML page or a piece of one, as decoded; any brokenness is allowed. Of a page nested
        deeper than 256 elements, the part before that depth is shown.

    Returns
    -------
    str
        What stands inside the body, well-formed; empty for a page that shows nothing without its
        scripts. Time is linear in the length.

    Examples
    --------
    >>> make_inert('<p onclick="steal()">Maas<script>steal()</script></p>')
    '<p>Maas</p>'
    >>> make_inert('<a href="https://ads.example/"><img src="/a.jpg" alt="A pot" width="300"></a>')
    '<a title="https://ads.example/"><img alt="A pot" width="300"></a>'
    """
    root = parse_html(markup)
    drop_own_marks(root)
    return inert_markup(root)


def drop_own_marks(root: etree._Element) -> None:
    """Drop what a page may have put where our marks go."""
    for element in root.iter():
        for name in OUR_ATTRIBUTES:
            if name in element.attrib:
                del element.attrib[name]


def inert_markup(root: etree._Element) -> str:
    """Body of a parsed page without anything that acts, loads or leads away; changes the tree."""
    body = root.find("body")
    shown = root if body is None else body
    _cut_depth(shown)
    _rename_marked(shown)
    for link in shown.iter("a"):
        address = link.get("href", "").strip()
        if address and not link.get("title"):
            link.set("title", address[:_TITLE_LIMIT])
    return _CLEANER.clean(etree.tostring(shown, encoding="unicode", method="html")).strip()


def _rename_marked(root: etree._Element) -> None:
    """Let marks of elements that are not shown as such stay: a form becomes a plain box."""
    for element in root.iter():
        if element is not root and element.attrib and element.tag not in _SHOWN_ELEMENTS:
            is_ours = MARK in element.attrib or NUMBER in element.attrib
            if is_ours and element.tag not in _EMPTIED_ELEMENTS:
                element.tag = "div"


def _cut_depth(root: etree._Element) -> None:
    depth, walker = 0, etree.iterwalk(root, events=("start", "end"))
    too_deep = []
    for event, element in walker:
        if event == "end":
            depth -= 1
            continue
        depth += 1
        if depth > _DEEPEST:
            too_deep.append(element)
            walker.skip_subtree()
    drop(too_deep)
