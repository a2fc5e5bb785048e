"""What is learnt of a site's pages, and what it does to the text of one."""

import numpy as np
import pytest
from newspaper_pages import paragraphs_html
from site_pages import NOTICE, extracted, learnt, own_paragraphs, site_article

from extraction.html.site.evidence import LineEvidence
from extraction.html.site.knowledge import (
    LINE_CAPACITY,
    PLACE_CAPACITY,
    SiteKnowledge,
)
from extraction.html.site.site_codec import (
    CodecError,
    decode_knowledge,
    decode_sketch,
    encode_knowledge,
    encode_sketch,
)


def text_of(number):
    return "\n".join(own_paragraphs(number))


@pytest.fixture(scope="module")
def site():
    return learnt(site_article(number) for number in range(6))


def test_notice_is_text_while_nothing_is_known():
    assert extracted(site_article(50)).text == f"{text_of(50)}\n{NOTICE}"


def test_notice_goes_when_other_articles_show_it(site):
    assert extracted(site_article(50), site).text == text_of(50)


def test_page_that_was_learnt_is_read_alike(site):
    assert extracted(site_article(3), site).text == text_of(3)


@pytest.mark.parametrize("n_learnt", [0, 1])
def test_one_other_article_proves_nothing(n_learnt):
    site = learnt(site_article(number) for number in range(n_learnt))

    assert extracted(site_article(50), site).text == extracted(site_article(50)).text


def test_same_article_under_two_addresses_counts_once():
    # Had it counted, its own text would be taken for template.
    site = learnt([site_article(1, notice="")] * 5)

    assert (site.n_articles, site.n_pages) == (1, 5)
    assert extracted(site_article(1, notice=""), site).text == text_of(1)


def test_sentence_quoted_within_articles_stays():
    quoted = "“We were promised a date, and then another one,” said Thandi Jacobs of the harbour."
    with_quote = {number: [*own_paragraphs(number)] for number in (0, 1, 50)}
    for paragraphs in with_quote.values():
        paragraphs.insert(2, quoted)
    site = learnt(
        site_article(number, notice="", paragraphs=with_quote.get(number)) for number in range(20)
    )

    found = extracted(site_article(50, notice="", paragraphs=with_quote[50]), site)

    assert found.text == "\n".join(with_quote[50])


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x00\xff\xfe",
        b"<html><body></body></html>",
        b"<p>" * 3000 + b"deep",
        b"<p>\xed\xa0\x80 lone surrogate</p>" * 9,
        site_article(1)[:900],
        b"".join(b"<p>line %d of many</p>" % n for n in range(6000)),
    ],
)
def test_odd_pages_are_read_and_learnt_without_harm(body):
    site = learnt(site_article(number) for number in range(3))

    page = extracted(body, site)
    site.learn(decode_sketch(encode_sketch(page.sketch)))

    assert extracted(site_article(50), site).text == text_of(50)


def test_page_without_lines_teaches_nothing(site):
    assert learnt([b"", b"<html>"]).n_articles == 0


def test_digits_make_no_new_line():
    site = learnt(
        site_article(number, notice=f"{NOTICE} Call {number}0 555.") for number in range(6)
    )

    assert extracted(site_article(50, notice=f"{NOTICE} Call 77 123."), site).text == text_of(50)


def test_name_of_the_site_is_learnt_from_titles(site):
    assert site.site_names == ("thesaldanhaherald",)


def test_familiar_page_shows_what_the_site_shows(site):
    known = site.familiarity(extracted(site_article(60)).sketch.keys)
    strange = site.familiarity(extracted(paragraphs_html().encode()).sketch.keys)

    assert (known.lines, known.places) == (1.0, 1.0)
    assert (strange.lines, strange.places) == (0.0, 0.0)


def test_knowledge_stays_bounded():
    site = SiteKnowledge()
    sketch = extracted(site_article(1)).sketch
    random = np.random.default_rng(7)
    for _ in range(40):
        keys = sketch.keys
        n_lines = 2000
        strange = type(keys)(
            *(random.integers(1, 2**63, n_lines, dtype=np.uint64) for _ in range(3)),
            np.full(n_lines, 80, np.uint16),
        )
        text = type(sketch.text)(np.sort(random.integers(1, 2**63, 16, dtype=np.uint64)))
        names = tuple(str(number) for number in random.integers(0, 10**9, 6))
        site.learn(type(sketch)(strange, np.ones(n_lines, np.float32), text, names))

    assert site.n_articles == 40
    assert len(site.lines.keys) <= LINE_CAPACITY
    assert len(site.places.keys) <= PLACE_CAPACITY
    assert len(encode_knowledge(site)) < 200_000


def test_old_evidence_fades():
    site = learnt(site_article(number) for number in range(3))
    sketch = extracted(site_article(1)).sketch
    for number in range(253):
        text = type(sketch.text)(np.arange(1, 17, dtype=np.uint64) * (number + 1) * 10**6)
        site.learn(type(sketch)(sketch.keys, sketch.probabilities, text))

    assert site.n_articles == 128
    assert site.lines.counts_of(sketch.keys.lines).max() == 128


def test_what_is_stored_comes_back(site):
    again = decode_knowledge(encode_knowledge(site))
    sketch = extracted(site_article(50)).sketch
    page = decode_sketch(encode_sketch(sketch))

    assert encode_knowledge(again) == encode_knowledge(site)
    assert extracted(site_article(50), again).text == text_of(50)
    assert (page.text.title, page.names) == (sketch.text.title, sketch.names)
    assert page.keys.lines.tolist() == sketch.keys.lines.tolist()
    assert page.probabilities == pytest.approx(sketch.probabilities, abs=1e-3)


@pytest.mark.parametrize("damage", [b"", b"no zlib", lambda data: data[: len(data) // 2]])
@pytest.mark.parametrize("decode", [decode_knowledge, decode_sketch])
def test_damaged_bytes_are_refused(site, damage, decode):
    with pytest.raises(CodecError):
        decode(damage(encode_knowledge(site)) if callable(damage) else damage)


def test_sketch_is_no_knowledge():
    with pytest.raises(CodecError):
        decode_knowledge(encode_sketch(extracted(site_article(1)).sketch))


def line_evidence(articles_with, n_articles=20):
    n_lines = len(articles_with)
    nothing = np.zeros(n_lines, np.int64)
    return LineEvidence(
        n_articles, np.array(articles_with), nothing, np.full(n_lines, 0.3, np.float32)
    )


@pytest.mark.parametrize(
    ("articles_with", "probabilities", "expected"),
    [
        ([0, 2, 0], [0.9, 0.99, 0.9], [False, False, False]),  # a quotation
        ([0, 5, 0], [0.9, 0.99, 0.9], [False, True, False]),  # a quarter of the articles
        ([0, 2, 0], [0.9, 0.6, 0.9], [False, True, False]),  # the model doubts it
        ([0, 0, 2], [0.9, 0.9, 0.99], [False, False, True]),  # behind the text
        ([2, 0, 1], [0.99, 0.9, 0.9], [True, False, False]),  # before it; one is none
    ],
)
def test_recurring_lines_are_template_by_share_and_place(articles_with, probabilities, expected):
    found = line_evidence(articles_with).templates(np.array(probabilities, np.float32))

    assert found.tolist() == expected


def test_place_that_held_text_raises_a_line():
    evidence = LineEvidence(
        n_articles=10,
        articles_with=np.zeros(3, np.int64),
        place_articles=np.array([9, 9, 0]),
        place_shares=np.array([0.95, 0.02, 0.3], np.float32),
    )

    raised, lowered, alone = evidence.adjusted(np.full(3, 0.5, np.float32)).tolist()

    assert (raised > 0.75, lowered < 0.25, round(alone, 3)) == (True, True, 0.5)
