"""Pages whose text is not in them: scripts fetch and write it, in a browser.

Parsed page → whether it is such a shell. Asked of pages in which no text was found; the signs are
those that frameworks leave: an empty element that the application is mounted in, a sentence for who
has no JavaScript, or scripts and hardly a word beside them.
"""

import re

from lxml import etree

# Elements that applications are mounted in: React's and Vue's own examples, Next, Nuxt, Gatsby,
# Angular, Ember, Svelte and Quasar name them so.
_ROOTS = frozenset(
    ["root", "app", "app-root", "main-app", "react-root", "__next", "__nuxt", "___gatsby",
     "ember-application", "svelte", "q-app", "vue-app", "application", "app-container"]
)  # fmt: skip
# Words that may stand in one before it is mounted: "Loading …", a logo's name.
_MOST_WORDS_OF_ROOT = 20
# Beside scripts, where there is no such element: a title bar and a line of the publisher's.
_MOST_WORDS_OF_SHELL = 40
# Menus and the imprint that are sent with one; a page with more has a text of its own, and its
# empty element is a part beside it: 43 of 1,122 pages with text had such a sign, mostly readers'
# comments, and none had it below so many words.
_MOST_WORDS_OF_PAGE = 150
_NEEDS_SCRIPT = re.compile(
    r"(?:enable|activate|turn on|requires?|needs?|without|aktiveer|vereis|nodig)[^.!]{0,60}"
    r"java\s?script|java\s?script[^.!]{0,60}(?:enabled|required|disabled|aktiveer|nodig)",
    re.IGNORECASE,
)
# Of a sentence for who has no JavaScript; longer ones are pages of their own.
_MOST_CHARACTERS_OF_SENTENCE = 400
_UNSEEN = frozenset({"script", "style", "noscript", "template", "head", "title"})


def is_drawn_by_scripts(root: etree._Element) -> bool:
    """Whether a page without text is one that scripts draw.

    Parameters
    ----------
    root : element
        The page as it was sent, parsed by `parse_html`.

    Returns
    -------
    bool
        False for every page without scripts.
    """
    if next(root.iter("script"), None) is None:
        return False
    n_words = _n_words(root, _MOST_WORDS_OF_PAGE)
    if n_words <= _MOST_WORDS_OF_SHELL:
        return True
    if n_words > _MOST_WORDS_OF_PAGE:
        return False
    return any(_is_empty_root(element) for element in root.iter() if _is_root(element)) or any(
        _says_script_is_needed(element) for element in root.iter("noscript")
    )


def _is_root(element: etree._Element) -> bool:
    return element.tag in _ROOTS or (element.get("id") or "").lower() in _ROOTS


def _is_empty_root(element: etree._Element) -> bool:
    return _n_words(element, _MOST_WORDS_OF_ROOT) <= _MOST_WORDS_OF_ROOT


def _n_words(root: etree._Element, most: int) -> int:
    """Count the words that are seen; more than so many are not counted."""
    n_words, waiting = 0, [root]
    while waiting and n_words <= most:
        element = waiting.pop()
        if element.tag not in _UNSEEN:
            n_words += len((element.text or "").split())
            waiting.extend(element)
        n_words += len((element.tail or "").split()) if element is not root else 0
    return n_words


def _says_script_is_needed(element: etree._Element) -> bool:
    sentence = " ".join("".join(map(str, element.itertext())).split())
    return bool(_NEEDS_SCRIPT.search(sentence[:_MOST_CHARACTERS_OF_SENTENCE]))
