"""What is never taken for a version of a stored text, and what is."""

from dataclasses import replace

import pytest

from extraction.revisions.refusals import Refusal, ShownText, refusal

URL = "https://www.karoo.example/news/fire-in-cape-town-harbour-2000123"
TEXT = "\n".join(
    f"Witness {number} told the court that the fire in the harbour began in the {place} store."
    for number, place in enumerate(["north", "south", "east", "west", "fish", "coal"] * 4)
)
STORED = ShownText("Fire in the harbour", TEXT, "en", url=URL, canonical_url=URL)


def later(text=TEXT, title=STORED.title, **changes):
    return replace(STORED, text=text, title=title, **changes)


def words(n):
    return " ".join(TEXT.split()[:n])


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (later(""), Refusal.EMPTY),
        (later(url="https://www.karoo.example/"), Refusal.FRONT_PAGE),
        (later(url="https://www.karoo.example/news"), Refusal.FRONT_PAGE),
        (later(canonical_url="https://www.karoo.example/"), Refusal.FRONT_PAGE),
        (later("Please verify you are human to go on.", "Just a moment..."), Refusal.BLOCKED),
        (later("You do not have permission.", "Access denied"), Refusal.BLOCKED),
        (later("Our systems saw unusual traffic from your network."), Refusal.BLOCKED),
        (later("This article has been removed at the request of a reader."), Refusal.REMOVED),
        (later("The page you were looking for does not exist.", "Oops"), Refusal.REMOVED),
        (later("Hierdie artikel is verwyder."), Refusal.REMOVED),
        (later(words(150), is_paywalled=True), Refusal.PAYWALL),
        (later(words(150) + "\nSubscribe to continue reading."), Refusal.PAYWALL),
        (later(words(60)), Refusal.SHRUNK),
        (later(words(40) + " More of it tomorrow in our paper."), Refusal.SHRUNK),
        (later(" ".join(words(40).split()[::-1])), Refusal.SHRUNK),
        (later("Getuies het vertel hoe dit gebeur het. " * 30, language="af"), Refusal.LANGUAGE),
    ],
)
def test_document_is_refused(document, reason):
    assert refusal(STORED, document) is reason


@pytest.mark.parametrize(
    "document",
    [
        later(),
        later(TEXT + "\nAll are safe."),
        later(title="Two held after fire in the harbour"),
        later(is_paywalled=True),  # whole, though only for subscribers
        later(words(250)),  # an editor cuts a third
        later(TEXT.replace("court", "inquest")),
        # A note within the article: it grew, and says nothing of itself.
        later(TEXT + "\nThis article has been removed from our archive by mistake before."),
        # A running report that was rewritten to a shorter one of its own words.
        later(" ".join(f"Nobody expects word{n} afterwards" for n in range(40))),
        later(canonical_url="https://www.karoo.example/news/fire-in-cape-town-harbour-2000123/"),
        later(language="und"),
        later(language="en-ZA"),
    ],
)
def test_document_is_a_version(document):
    assert refusal(STORED, document) is None


def test_article_about_a_block_page_is_not_one():
    stored = replace(STORED, text="Readers met the words “access denied” on Monday. " + words(30))
    shorter = replace(stored, text="Readers met the words “access denied” on Monday.")

    assert refusal(stored, shorter) is None


def test_short_texts_are_not_judged_by_length_or_language():
    stored = replace(STORED, text=words(50))

    assert refusal(stored, replace(stored, text=words(10))) is None
    assert refusal(stored, replace(stored, language="af")) is None
    assert refusal(stored, replace(stored, text="")) is Refusal.EMPTY


def test_address_that_always_looked_like_a_section_is_no_front_page():
    stored = replace(STORED, canonical_url="https://www.karoo.example/news")

    assert refusal(stored, replace(stored, text=TEXT + " All are safe.")) is None
