"""One address for one page: pairs of addresses as real sites write them, and what joins them.

"key": the same identity, nothing has to say so. "spelling": one page once a redirect, the page's
own link or its very text says so. "words": the texts must show it too. "lead": a redirect and the
page's own link must agree besides. "none": two pages, whatever a page says.
"""

import pytest

from feeds.crawler.addressing.canonical import canonicalize
from feeds.crawler.addressing.same_page import Trust, may_take, trust_in
from feeds.crawler.addressing.spellings import bare_key, keys_of

STORY = "https://www.paper.example/news/fire-in-the-old-harbour-2000123"
OTHER = "https://www.paper.example/news/fire-in-the-old-harbour-2000124"

PATTERNS = [
    # The same identity.
    (STORY, STORY.replace("https:", "http:"), "key"),
    (STORY, f"{STORY}/", "key"),
    (STORY, f"{STORY}#comments", "key"),
    (STORY, f"{STORY}?utm_source=rss&utm_medium=feed&utm_campaign=x", "key"),
    (STORY, f"{STORY}?fbclid=IwAR0&gclid=Cj0", "key"),
    (STORY, f"{STORY}?outputType=amp", "key"),
    (STORY, f"{STORY}?amp=1", "key"),
    (STORY, f"{STORY}?at_medium=RSS&at_campaign=KARANGA", "key"),
    (STORY, STORY.replace("/news/", "//news/"), "key"),
    (STORY, f"{STORY};jsessionid=0A1B2C", "key"),
    ("https://a.example/s?b=2&a=1", "https://a.example:443/s?a=1&b=2", "key"),
    ("https://a.example/%7Ekaroo/x", "https://A.EXAMPLE/~karoo/x", "key"),
    # Other spellings.
    (STORY, STORY.replace("www.", ""), "spelling"),
    (STORY, STORY.replace("www.", "m."), "spelling"),
    (STORY, STORY.replace("www.", "amp."), "spelling"),
    (STORY, STORY.replace("www.", "mobile."), "spelling"),
    (STORY, STORY.replace("www.", "www.m."), "spelling"),
    (STORY, f"{STORY}/amp/", "spelling"),
    (STORY, f"{STORY}.amp", "spelling"),
    (STORY, f"{STORY}/amp.html", "spelling"),
    (STORY, STORY.replace(".example/", ".example/amp/"), "spelling"),
    (STORY, STORY.replace("www.", "m.") + "/amp?amp_js_v=a6&amp_gsa=1&usqp=mq331A", "spelling"),
    (STORY, f"{STORY}?m=1", "spelling"),
    (STORY, f"{STORY}?noamp=mobile", "spelling"),
    (STORY, f"{STORY}?view=amp", "spelling"),
    (STORY, f"{STORY}?page=", "spelling"),
    (STORY, f"{STORY}?ref=&source=", "spelling"),
    (STORY, f"{STORY}?gaa_at=eafs&gaa_n=AWE&gaa_ts=69&gaa_sig=x", "spelling"),
    ("https://a.example/news/", "https://a.example/news/index.html", "spelling"),
    ("https://a.example/", "https://www.a.example/index.php", "spelling"),
    ("https://a.example/?p=123", "https://a.example/index.php?p=123", "spelling"),
    ("https://a.example/2026/11/20/", "https://m.a.example/2026/11/20/default.aspx", "spelling"),
    # Like addresses, which the texts decide.
    (STORY, "https://www.paper.example/capetown/fire-in-the-old-harbour-2000123", "words"),
    (STORY, "https://www.paper.example/2026/11/20/fire-in-the-old-harbour", "words"),
    (STORY, "https://www.paper.example/news/old-harbour-burns-2000123", "words"),
    (STORY, "https://www.paper.example/article.php?id=2000123", "words"),
    (STORY, "https://newname.example/news/fire-in-the-old-harbour-2000123", "words"),
    # Short forms.
    ("https://a.example/?p=8812", "https://a.example/2026/11/fire-in-the-old-harbour", "lead"),
    ("https://s.example/xYz1", STORY, "lead"),
    ("https://a.example/node/88", "https://a.example/news/fire-in-the-old-harbour", "lead"),
    # Two pages.
    ("https://a.example/read?id=1", "https://a.example/read?id=2", "none"),
    ("https://a.example/read?id=1", "https://a.example/read", "none"),
    ("https://a.example/?12345", "https://a.example/?12346", "none"),
    ("https://a.example/index.php?page=2", "https://a.example/index.php?page=3", "none"),
    ("https://a.example/index.php?page=2", "https://a.example/", "none"),
    ("https://m.example/news/fire", "https://example/news/fire", "none"),
    ("https://m.example/news/fire", "https://www.example.org/news/fire", "none"),
    ("https://sport.a.example/fire", "https://a.example/fire", "none"),
    ("https://amp.example/", "https://www.example/", "none"),
    ("https://a.example/amp", "https://a.example/volt", "none"),
    ("https://a.example/music/amp-review", "https://a.example/music", "none"),
    ("https://a.example/revamp", "https://a.example/rev", "none"),
    ("https://a.example/News/Fire", "https://a.example/news/fire", "none"),
    ("https://a.example/indexes/index-funds.html", "https://a.example/indexes", "none"),
    (STORY, OTHER, "none"),
    (STORY, "https://www.paper.example/", "none"),
    (STORY, "https://www.paper.example/news", "none"),
    (STORY, f"{STORY}/2", "none"),
    (STORY, f"{STORY}/gallery", "none"),
    (STORY, "https://www.paper.example/news/flood-in-the-new-harbour-2000777", "none"),
    (
        "https://a.example/2026/11/20/letter-from-the-karoo",
        "https://a.example/2026/11/27/letter-from-the-karoo",
        "none",
    ),
    ("https://a.example/live?m=2", "https://a.example/live", "none"),
    ("https://a.example/s?type=video", "https://a.example/s?type=photo", "none"),
    ("https://a.example/20261120", "https://a.example/20261120/fire", "none"),
    ("https://a.example/?feed=rss2", "https://a.example/", "none"),
    ("https://a.example/?p=8812&feed=atom", "https://a.example/?p=8812", "none"),
    ("https://a.example:8080/fire", "https://a.example/fire", "none"),
    ("https://a.example/c/fire-in-town?id=1", "https://a.example/c/fire-in-town?id=2", "none"),
]


def judged(one, other):
    """Say what joins two addresses, both ways round."""
    own, said = canonicalize(one).key, canonicalize(other).key
    if own == said:
        return "key"
    trust = max(trust_in(own, said), trust_in(said, own))
    if trust is Trust.NONE:
        return "lead" if trust_in(own, said, twice=True) is Trust.WITH_TEXT else "none"
    return {Trust.ALONE: "spelling", Trust.WITH_TEXT: "words"}[trust]


@pytest.mark.parametrize(("one", "other", "expected"), PATTERNS)
def test_pair_of_addresses(one, other, expected):
    assert judged(one, other) == expected


def test_table_holds_sixty_patterns_as_many_parted_as_joined():
    parted = [pair for pair in PATTERNS if pair[2] == "none"]

    assert len(PATTERNS) >= 60
    assert len(parted) >= 28


@pytest.mark.parametrize(
    ("one", "other"), [(one, other) for one, other, what in PATTERNS if what == "spelling"]
)
def test_each_spelling_is_looked_up_among_the_keys_of_the_other(one, other):
    """What is stored as the plain address is found by its spelling."""
    own, said = canonicalize(one).key, canonicalize(other).key

    assert bare_key(own) == bare_key(said)
    assert own in keys_of(other)


@pytest.mark.parametrize(
    "stored",
    [
        "https://m.paper.example/news/fire", "https://amp.paper.example/news/fire",
        "https://paper.example/amp/news/fire", "https://www.paper.example/news/fire/amp",
        "https://paper.example/news/fire/index.html",
    ],
)  # fmt: skip
def test_spelling_that_is_stored_is_found_by_the_plain_address(stored):
    assert canonicalize(stored).key in keys_of("https://www.paper.example/news/fire")


def test_keys_of_an_address_are_few():
    assert len(keys_of(f"{STORY}/amp?page=&id=7")) <= 30


def test_second_page_does_not_take_the_place_of_the_first():
    own, said = canonicalize(f"{STORY}?page=2").key, canonicalize(STORY).key
    trust = trust_in(own, said)

    assert trust is Trust.WITH_TEXT
    assert not may_take(own, said, trust, is_redirect=False)
    assert may_take(own, said, trust, is_redirect=True)
