"""The adapter for the shared harness: a site is learnt from a folder of pages, never from gold."""

import gzip
import json
import shutil

import pytest
from benchmarks.adapters import EXTRACTORS, extract, extract_with_site
from benchmarks.site_learning import site_of
from site_pages import NOTICE, own_paragraphs, site_article

URL = "http://www.herald.example/news/50"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Pages of two sites with addresses in gold files that hold nothing else of use."""
    (tmp_path / "gold").mkdir()
    (tmp_path / "pages/papers").mkdir(parents=True)
    records = []
    for number in range(5):
        page = tmp_path / f"pages/papers/{number}.html.gz"
        page.write_bytes(gzip.compress(site_article(number)))
        url = f"http://www.herald.example/news/{number}"
        records.append({"id": str(number), "url": url, "body": "nobody reads this"})
    (tmp_path / "gold/papers.jsonl").write_text("\n".join(map(json.dumps, records)))
    monkeypatch.setenv("REPLAY_DATA", str(tmp_path))
    return tmp_path


def test_harness_finds_both_extractors():
    assert EXTRACTORS == ["extract", "extract_with_site"]


@pytest.mark.parametrize("url", [URL, "http://herald.example", "herald.example"])
def test_site_is_learnt_from_the_folder(folder, url):
    found = extract_with_site(site_article(50), url)

    assert found["text"] == "\n".join(own_paragraphs(50))
    assert extract(site_article(50), url)["text"].endswith(NOTICE)


def test_page_of_the_folder_is_not_evidence_against_itself(folder):
    assert extract_with_site(site_article(3), URL)["text"] == "\n".join(own_paragraphs(3))


def test_sites_are_learnt_before_the_clock_of_the_harness_runs(folder):
    extract_with_site(b"<p>Warm-up.</p>", "http://example.org/a")
    shutil.rmtree(folder / "pages")

    found = extract_with_site(site_article(50), URL)

    assert found["text"] == "\n".join(own_paragraphs(50))


def test_canonical_link_tells_the_site_where_no_address_is_given(tmp_path, monkeypatch):
    link = b'<head><link rel="canonical" href="http://www.herald.example/news/1">'
    for number in range(5):
        body = site_article(number).replace(b"<head>", link)
        (tmp_path / f"{number}.html").write_bytes(body)
    monkeypatch.setenv("REPLAY_DATA", str(tmp_path))

    assert extract_with_site(site_article(50), URL)["text"] == "\n".join(own_paragraphs(50))


@pytest.mark.parametrize("url", ["http://another.example/a", ""])
def test_unknown_site_is_read_without_knowledge(folder, url):
    assert extract_with_site(site_article(50), url) == extract(site_article(50), url)


def test_without_a_folder_nothing_is_learnt(monkeypatch):
    monkeypatch.delenv("REPLAY_DATA", raising=False)

    assert extract_with_site(site_article(50), URL) == extract(site_article(50), URL)


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://news.bbc.co.uk/1/hi", "bbc.co.uk"),
        ("www.ifeng.com", "ifeng.com"),
        ("https://a.in.com/x", "in.com"),
        ("http://co.za/", "co.za"),
        ("", ""),
    ],
)
def test_registered_domain_is_the_site(url, site):
    assert site_of(url) == site
