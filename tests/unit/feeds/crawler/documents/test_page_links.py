"""The links of a page against a slow reading of it, which walks up from each anchor by itself."""

import random

import lxml.html
import pytest

from feeds.crawler.addressing.canonical import canonicalize
from feeds.crawler.documents.page_links import Link, read_links

HOME = "https://www.karoo.example/"
WRAPPERS = ["div", "nav", "footer", "section", "h2", "ul role=navigation", "h6", "span"]


def generated_page(seed):
    source = random.Random(seed)
    parts = []
    for number in range(40):
        open_tags = source.choices(WRAPPERS, k=source.randint(0, 5))
        words = " ".join(source.choices(["rain", "on", "the", "Karoo"], k=source.randint(1, 6)))
        inner = source.choice([words, f"<h3>{words}</h3>", f"<b>{words}</b>"])
        path = f"story-{source.randint(0, 30)}" if number else "#top"
        parts += [f"<{tag}>" for tag in open_tags]
        parts.append(f'<a href="{path}">{inner}</a>')
        closed = open_tags[: source.randint(0, len(open_tags))]
        parts += [f"</{tag.partition(' ')[0]}>" for tag in reversed(closed)]
    return "".join(parts)


def plainly_read(html):
    """What `read_links` gives, by the longest way."""
    found = {}
    for anchor in lxml.html.document_fromstring(html).iter("a"):
        address = canonicalize(anchor.get("href"), HOME)
        if anchor.get("href").startswith("#"):
            continue
        parents = list(anchor.iterancestors())
        headings = [item for item in anchor.iter() if item.tag in {"h1", "h2", "h3", "h4", "h5"}]
        above = [item for item in parents if item.tag in {"h1", "h2", "h3", "h4", "h5"}]
        words = (headings or [anchor])[0].text_content()
        is_headline = (headings or above) and 3 <= len(words.split()) < 26
        is_framed = any(
            item.tag in {"nav", "footer"} or item.get("role") == "navigation" for item in parents
        )
        link = Link(address, words if is_headline else "", is_framed)
        known = found.setdefault(address.key, link)
        longest = max(known.words, link.words, key=len)
        found[address.key] = Link(known.address, longest, known.is_framed and is_framed)
    return list(found.values())


@pytest.mark.parametrize("seed", range(30))
def test_links_are_those_of_a_reading_that_looks_at_each_anchor_by_itself(seed):
    html = generated_page(seed)

    assert read_links(html.encode(), HOME, "text/html; charset=utf-8") == plainly_read(html)
