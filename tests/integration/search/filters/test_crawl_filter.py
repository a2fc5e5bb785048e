"""A crawl is a filter: what it found is searched, counted, exported and kept as other texts are."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from factories import NOW, make_article, make_page, make_publication, make_user
from small_corpora import document, write

from feeds.crawls.pool import digest_of
from feeds.models import Crawl, CrawlAddress
from search.articles import filters
from search.articles.filters import BrowseRequest
from search.asking import crawl_texts
from search.asking.address import Address
from search.asking.crawl_texts import texts_of_crawl
from search.asking.subcorpora import Named, save_filters, size_of
from search.engine.index.documents import DocumentKind
from search.opened_index import current_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

STATISTICS = ["frequency", "collocates", "ngrams", "trend", "distribution", "keyness"]
N_TEXTS = 5
FOUND = {1: (1, 2, 4), 2: (2, 5)}  # which text each crawl found; the second one is of both


@pytest.fixture
def texts():
    """Texts of one paper, their keys by number; text n has n tokens."""
    paper = make_publication("karoo", state="active")
    pages = [make_page(paper, url=f"https://karoo.example/{n}") for n in range(1, N_TEXTS + 1)]
    articles = [make_article(page=page) for page in pages]
    write(Path(settings.INDEX_DIR), [_indexed(n, one) for n, one in enumerate(articles, start=1)])
    return dict(enumerate(articles, start=1))


@pytest.fixture
def crawls(texts):
    return {number: _crawled([texts[n] for n in found]) for number, found in FOUND.items()}


def _indexed(n, article, **changes):
    return document(article.pk, "rain " * n, publication="karoo", **changes)


def _crawled(articles):
    """Make a crawl that found the pages of some articles, and one that waits."""
    paper = articles[0].publication
    crawl = Crawl.objects.create(publication=paper, kind="site", created_at=NOW, due_at=None)
    found = [_address(crawl, article) for article in articles]
    waiting = {"url": "https://karoo.example/later", "digest": digest_of("karoo.example/later")}
    CrawlAddress.objects.create(crawl=crawl, role="story", found_at=NOW, **waiting)
    assert all(found)
    return crawl


def _address(crawl, article):
    page = article.page
    digest = digest_of(page.key)
    given = {"url": page.url, "digest": digest, "role": "story", "found_at": NOW}
    return CrawlAddress.objects.create(crawl=crawl, page=page, released_at=NOW, **given)


@pytest.mark.parametrize("number", FOUND)
def test_the_concordance_and_its_base_are_of_what_a_crawl_found(reader, crawls, number):
    page = reader.get(f"/search/?q=rain&crawl={crawls[number].pk}").context["page"]

    found = FOUND[number]
    assert (page.total, page.n_texts, page.base_tokens) == (sum(found), len(found), sum(found))


@pytest.mark.parametrize("name", STATISTICS)
def test_every_statistic_knows_it_by_page_and_api(reader, crawls, name):
    parameters = f"?q=rain&ref=in%3Dboth&crawl={crawls[1].pk}"

    page = reader.get(f"/search/{name}/{parameters}")
    answer = reader.get(f"/api/search/{name}/{parameters}").json()

    assert (page.status_code, answer["base"]["tokens"]) == (200, sum(FOUND[1]))
    assert f"articles that crawl {crawls[1].pk} found" in page.content.decode()


def test_word_list_and_zipf_are_of_it(reader, crawls):
    for path in ("/words/", "/words/zipf/"):
        page = reader.get(f"{path}?crawl={crawls[1].pk}")
        assert page.context["tables"][0].rows[0][1].value == "rain"
        assert page.context["tables"][0].rows[0][2].value == sum(FOUND[1])


def test_it_is_a_control_a_chip_and_part_of_an_address(reader, crawls):
    key = crawls[1].pk
    page = reader.get(f"/search/?crawl={key}&q=rain&origin=newspapers")

    assert page.context["canonical"] == f"/search/?q=rain&origin=newspapers&crawl={key}"
    chips = {chip.name: (chip.value, chip.without) for chip in page.context["chips"]}
    assert chips["Crawl"] == (str(key), "/search/?q=rain&origin=newspapers")
    assert f'<option value="{key}" selected>' in page.content.decode()


@pytest.mark.parametrize("value", ["x", "0", "-1", "999999"])
def test_what_is_no_crawl_is_refused(reader, crawls, value):
    assert reader.get(f"/search/?q=rain&crawl={value}").status_code == 400
    faults = reader.get(f"/api/search/?q=rain&crawl={value}").json()["error"]["faults"]
    assert [fault["parameter"] for fault in faults] == ["crawl"]


def test_its_comments_are_those_on_its_articles(reader, texts, crawls):
    comments = [
        document(n, "rain again", kind=DocumentKind.COMMENT, parent_key=texts[n].pk) for n in texts
    ]
    write(Path(settings.INDEX_DIR), comments)

    def total(scope):
        return reader.get(f"/search/?q=rain&in={scope}&crawl={crawls[2].pk}").context["page"].total

    assert (total("comments"), total("both")) == (2, 2 + sum(FOUND[2]))


def test_a_subcorpus_of_a_crawl_lives_and_joins_with_another_crawl(
    reader, texts, crawls, monkeypatch
):
    monkeypatch.setattr(crawl_texts, "REST", 0)
    owner = make_user()
    first = save_filters(
        Named("Of the crawl", owner, is_shared=True), Address.parse(f"crawl={crawls[1].pk}")
    )
    pinned = save_filters(
        Named("Then", owner, is_shared=True, is_pinned=True),
        Address.parse(f"crawl={crawls[1].pk}"),
    )

    _address(crawls[1], texts[5])

    assert (size_of(first).n_tokens, size_of(pinned).n_tokens) == (12, 7)
    both = f"/search/?q=rain&sub={pinned.slug}&crawl={crawls[2].pk}"
    assert reader.get(both).context["page"].total == 2


def test_the_command_takes_it_and_names_one_there_is_not(texts, crawls):
    out = StringIO()
    call_command("search", "rain", "--crawl", str(crawls[2].pk), "--json", stdout=out)

    assert json.loads(out.getvalue())["total"] == sum(FOUND[2])
    with pytest.raises(CommandError, match=r"^--crawl: There is no crawl 999\.$"):
        call_command("search", "rain", "--crawl", "999", stdout=out)


def test_the_file_of_a_search_has_the_same_texts(reader, texts, crawls):
    answer = reader.get(f"/search/export/?q=rain&format=csv&crawl={crawls[1].pk}")
    lines = b"".join(answer.streaming_content).decode().splitlines()

    hits = [line for line in lines if line[:1].isdigit()]
    keys = [f"article-{texts[n].pk}" for n in FOUND[1] for _ in range(n)]
    assert sorted(line.split(",")[-4] for line in hits) == sorted(keys)


def test_a_set_is_kept_and_takes_newcomers_in(texts, crawls):
    crawl, paper = crawls[2], texts[1].publication
    clock = iter([0, 1, 2, 100, 101]).__next__
    before = texts_of_crawl(crawl.pk, current_snapshot(), clock)

    page = make_page(paper, url="https://karoo.example/new")
    new = make_article(page=page)
    _address(crawl, new)
    write(Path(settings.INDEX_DIR), [_indexed(7, new)])
    _address(crawl, texts[1])  # known before: it is taken in when the set has rested
    then = texts_of_crawl(crawl.pk, current_snapshot(), clock)
    later = texts_of_crawl(crawl.pk, current_snapshot(), clock)

    assert _keys(before) == {texts[2].pk, texts[5].pk}
    assert _keys(then) == _keys(before) | {new.pk}
    assert _keys(later) == _keys(then) | {texts[1].pk}


def _keys(texts):
    return set(texts.keys(DocumentKind.ARTICLE).tolist())


def test_the_list_of_articles_its_count_and_the_report_are_of_it(reader, texts, crawls):
    again = texts[1].page  # under a second address of the same crawl
    url, digest = "https://karoo.example/one?", digest_of("x")
    crawled = {"url": url, "digest": digest, "role": "story", "found_at": NOW}
    CrawlAddress.objects.create(crawl=crawls[1], page=again, released_at=NOW, **crawled)

    answer = reader.get(f"/api/articles?crawl={crawls[1].pk}").json()
    page = reader.get(f"/articles/?crawl={crawls[1].pk}")
    report = reader.get(f"/crawls/{crawls[1].pk}/")

    keys = {texts[n].pk for n in FOUND[1]}
    assert ({row["id"] for row in answer["articles"]}, answer["total"]) == (keys, len(keys))
    assert page.context["page"].total == len(keys)
    assert report.context["texts"].n_articles == len(keys)
    for path in ("articles/", "search/", "words/zipf/", "words/", "search/keyness/"):
        assert f'"/{path}?crawl={crawls[1].pk}"' in report.content.decode()


def test_articles_of_a_large_crawl_are_the_same(texts, crawls, monkeypatch):
    monkeypatch.setattr(filters, "_FEW_PAGES", 0)

    found = BrowseRequest(crawl=crawls[2].pk).matches()

    assert {article.pk for article in found} == {texts[n].pk for n in FOUND[2]}


@pytest.mark.parametrize("value", ["x", "0", "999999", "9" * 30])
def test_the_list_of_articles_refuses_what_is_no_crawl(reader, value):
    assert reader.get(f"/articles/?crawl={value}").status_code == 400
