"""Pages of one invented newspaper in a layout that can be redesigned, with their known values."""

import random
from dataclasses import dataclass, field
from datetime import date

from extraction.html.proposals.known_pages import KnownPage

_WORDS = """
    river mayor council taxi rank water bridge school market drought farmer harvest police court
    budget strike union clinic nurse teacher road rain fire summer winter morning evening season
    people money street house garden village meeting decision report question answer plan
"""
WORDS = _WORDS.split()
NAMES = [("Thandi", "Mokoena"), ("Pieter", "Botha"), ("Aisha", "Khan"), ("Sipho", "Dube")]


@dataclass(frozen=True)
class Layout:
    """Class names by their old name, and whether everything is wrapped once more."""

    names: dict[str, str] = field(default_factory=dict)
    is_wrapped: bool = False

    def __getitem__(self, name: str) -> str:
        return self.names.get(name, name)


OLD = Layout()
NEW = Layout(
    {"headline": "c-title", "byline": "c-who", "name": "c-who__name", "date": "c-when"}
    | {"story": "c-story", "related": "c-readnext", "menu": "c-nav"},
    is_wrapped=True,
)


def sentence(words: random.Random) -> str:
    return " ".join(words.choices(WORDS, k=words.randint(9, 16))).capitalize() + "."


def known_page(number: int, layout: Layout = OLD, *, has_related: bool = True) -> KnownPage:
    """Make article `number`; the same number is the same article in every layout."""
    words = random.Random(number)
    title = " ".join(words.choices(WORDS, k=6)).capitalize()
    name = " ".join(words.choice(NAMES))
    day = date(2026, 1 + number % 12, 1 + number % 28)
    paragraphs = [" ".join(sentence(words) for _ in range(3)) for _ in range(words.randint(4, 8))]
    others = [" ".join(words.choices(WORDS, k=7)).capitalize() for _ in range(3)]
    related = "".join(f"<li><a href='/{n}'>{other}</a></li>" for n, other in enumerate(others))
    story = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    if has_related:
        block = f"<div class='{layout['related']}'><h4>Read also</h4><ul>{related}</ul></div>"
        story = story.replace("</p><p>", f"</p>{block}<p>", 1)
    main = (
        f"<h1 class='{layout['headline']}'>{title}</h1>"
        f"<p class='{layout['byline']}'>By <span class='{layout['name']}'>{name}</span>"
        f" <span class='{layout['date']}'>{day:%d %B %Y}</span></p>"
        f"<div class='{layout['story']}' id='post-{number}1234'>{story}</div>"
    )
    if layout.is_wrapped:
        main = f"<div class='c-grid'><div class='c-col'>{main}</div></div>"
    page = (
        f"<html><head><title>{title}</title></head><body>"
        f"<ul class='{layout['menu']}'><li><a href='/'>News</a></li><li><a href='/s'>Sport</a></li>"
        f"</ul><main>{main}</main><div class='foot'><p>The Karoo Herald, since 1904.</p></div>"
        "</body></html>"
    )
    return KnownPage(page.encode(), "text/html", title, (name,), day, "\n".join(paragraphs))
