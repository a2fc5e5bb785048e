"""Articles of an invented site: each of its own words, all with the same notice under the text."""

import random

from newspaper_pages import article_page, paragraphs_html

from extraction.html.extract_page import extract_page
from extraction.html.page import PageInput
from extraction.html.site.knowledge import SiteKnowledge

NOTICE = (
    "Readers who have seen what happened, or who were there themselves, are asked to write to the "
    "news desk in Main Road; their names will be kept out of the paper if they wish it."
)
_NOUNS = (
    "harbour council water engineer winter report market school bridge farmer river minister "
    "court doctor train village storm museum player season budget valley teacher coast island"
)
_WORDS = _NOUNS.split()


def own_paragraphs(number, n=4):
    """Paragraphs that no other article has."""
    words = random.Random(number)
    return [
        f"The {words.choice(_WORDS)} of {words.choice(_WORDS)} {words.choice(_WORDS)}, said the "
        + " ".join(words.choices(_WORDS, k=22))
        + f" on the {words.choice(_WORDS)}."
        for _ in range(n)
    ]


def site_article(number, *, notice=NOTICE, paragraphs=None):
    """Bytes of article `number`; the notice is the last paragraph inside the body."""
    own = own_paragraphs(number) if paragraphs is None else paragraphs
    title = f"How the {_WORDS[number % 20]} met the {_WORDS[number // 20]} again"
    return article_page(paragraphs_html([*own, *([notice] if notice else [])]), title=title)


def extracted(body, site=None, url="http://herald.example/a"):
    return extract_page(PageInput(body=body, url=url, site=site))


def learnt(bodies):
    """Knowledge of a site from these pages."""
    site = SiteKnowledge()
    for body in bodies:
        sketch = extracted(body).sketch
        assert sketch is not None
        site.learn(sketch)
    return site
