"""Files of a concordance that go on where they broke off, and their manifest."""

import csv
import hashlib
import io
import json
from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest
from django.utils.timezone import localtime
from factories import (
    NOW,
    index_all,
    make_article,
    make_comment,
    make_fetch,
    make_publication,
)
from pages import words

from corpus_site import pipeline
from extraction.models import Article
from extraction.withdrawal import withdrawing
from extraction.withdrawal.register import Order
from search.engine.tables.exports import ExportFormat
from search.models import SavedQuery

pytestmark = pytest.mark.django_db
LINE_FORMATS = [form for form in ExportFormat if form.is_lines]


@pytest.fixture
def articles():
    make_publication(min_characters=0)
    texts = ("We braai, and braai on.", "A cold braai", "=braai", "Sê braai\nbraai braai")
    articles = [make_article(text, title=f"“{text[:6]}”") for text in texts]
    index_all()
    return articles


def withdraw(article):
    changed = withdrawing.withdraw_articles([article.pk], Order("The author asks.", None, NOW))
    pipeline.follow("articles", changed.articles, NOW)
    index_all()


def body_of(response):
    return b"".join(response.streaming_content)


def again(response):
    """Return the address that the file is had from again."""
    first, _, _ = response["Link"].partition(">")
    return first.removeprefix("<http://testserver")


@pytest.mark.parametrize("form", LINE_FORMATS)
@pytest.mark.parametrize("order", ["new", "r1,l1", "shuffle"])
def test_a_file_that_broke_off_goes_on_with_the_same_bytes(linguist, articles, form, order):
    response = linguist.get(f"/search/export/?q=braai&format={form}&sort={order}&ascii=1")
    address, whole = again(response), body_of(response)
    make_article("One more braai.")
    index_all()

    lines = whole.splitlines(keepends=True)
    for skip in (1, 4, 6):
        rest = body_of(linguist.get(f"{address}&skip={skip}"))
        assert rest == b"".join(lines[len(lines) - 7 + skip :])
    assert body_of(linguist.get(f"{address}&skip=7")) == b""


def test_a_line_says_when_an_archive_had_seen_its_text(linguist, articles):
    copied, own = articles[1], articles[2]
    seen_at = datetime(2013, 12, 3, 8, tzinfo=UTC)
    copy = "https://web.archive.example/web/20131203080000id_/"
    for article, said in ((copied, {"seen_at": seen_at, "final_url": copy}), (own, {})):
        Article.objects.filter(pk=article.pk).update(fetch=make_fetch(article.page, **said))
    make_comment(copied, "Our braai is hot.")
    index_all()

    _, *rows = map(
        json.loads,
        body_of(linguist.get("/search/export/?q=braai&format=jsonl&in=both")).splitlines(),
    )

    seen = localtime(seen_at).isoformat(timespec="minutes")
    assert {row["text"]: row["seen"] for row in rows if row["seen"]} == {
        f"article-{copied.pk}": seen
    }
    assert {row["text"].partition("-")[0] for row in rows} == {"article", "comment"}


def test_another_list_is_not_gone_on_with(linguist, articles):
    response = linguist.get("/search/export/?q=braai&format=csv")
    address = again(response)
    withdraw(articles[1])

    refused = linguist.get(f"{address}&skip=2")

    assert refused.status_code == 409
    assert b"begin the file anew" in refused.content


@pytest.mark.parametrize("more", ["skip=x", "skip=-1", "skip=2&format=parquet", "format=exe"])
def test_wrong_places_are_refused(linguist, articles, more):
    assert linguist.get(f"/search/export/?q=braai&{more}").status_code == 400


def recounted(rows):
    """Hash the rows of a file as its manifest says, without any code of ours."""
    rows = sorted(
        rows,
        key=lambda row: (row["text"].split("-")[0], int(row["text"].split("-")[1]),
                         int(row["position"]), int(row["tokens"])),
    )  # fmt: skip
    plain = "".join(f"{row['text']}\t{row['position']}\t{row['node']}\n" for row in rows)
    return hashlib.sha256(plain.encode()).hexdigest()


@pytest.mark.parametrize("more", ["", "&sample=3&seed=7", "&sort=r1", "&in=both"])
def test_manifest_says_what_a_recount_of_the_file_finds(linguist, articles, more):
    manifest = linguist.get(f"/search/manifest/?q=braai{more}").json()
    address = urlsplit(manifest["files"]["jsonl"])

    head, *rows = map(
        json.loads, body_of(linguist.get(f"{address.path}?{address.query}")).splitlines()
    )

    assert manifest["hash"]["value"] == recounted(rows)
    assert manifest["lines"] == len(rows) == (3 if "sample" in more else 7)
    assert manifest["hits"] == 7
    assert sum(manifest["rights"].values()) == len(rows)
    assert manifest["columns"] == list(rows[0])
    assert head["generation"] == str(manifest["generation"])
    assert "sample" in more or head["hash"] == f"SHA-256 {manifest['hash']['value']}"


def test_hash_is_equal_on_two_runs_and_another_after_a_withdrawal(linguist, articles):
    first, second = (linguist.get("/search/manifest/?q=braai&asof=1").json() for _ in range(2))
    withdraw(articles[1])
    third = linguist.get("/search/manifest/?q=braai&asof=1").json()

    assert first["hash"] == second["hash"] != third["hash"]
    assert first["list"] == second["list"] != third["list"]


def test_a_link_of_a_long_list_gets_its_hash_from_the_manifest(linguist, articles, monkeypatch):
    monkeypatch.setattr("search.answers.kept_lists.HASHED_HITS", 3)
    linguist.post("/saved/link/", {"query": "q=braai"})
    said = words(linguist.get("/search/today/?q=braai&asof=1"))
    assert SavedQuery.objects.get().digest == ""
    assert "The list is too long for a hash while you wait" in said

    manifest = linguist.get("/search/manifest/?q=braai").json()

    assert SavedQuery.objects.get().digest == manifest["hash"]["value"]


def test_readers_manifest_is_of_the_lines_they_may_have(reader, articles, monkeypatch):
    monkeypatch.setattr("search.views.concordance.export.READER_LINES", 2)

    manifest = reader.get("/search/manifest/?q=braai").json()

    assert (manifest["lines"], manifest["of_lines"]) == (2, 7)
    rows = csv.DictReader(
        io.StringIO(body_of(reader.get("/search/export/?q=braai&format=data.csv")).decode())
    )
    assert manifest["hash"]["value"] == recounted(list(rows))


def test_a_list_longer_than_a_file_comes_in_several(linguist, articles, monkeypatch):
    whole = body_of(linguist.get("/search/export/?q=braai&format=data.csv"))
    for name, most in (("MAX_LINES", 3), ("WHOLE_LINES", 6)):
        monkeypatch.setattr(f"search.views.concordance.export.{name}", most)

    response = linguist.get("/search/export/?q=braai&format=data.csv")
    address, files = again(response), [body_of(response)]
    files += [body_of(linguist.get(f"{address}&skip={skip}")) for skip in (3, 6)]
    manifest = linguist.get("/search/manifest/?q=braai").json()
    page = words(linguist.get("/search/?q=braai"))

    assert b"".join(files) == b"".join(whole.splitlines(keepends=True)[:7])
    assert [manifest[name] for name in ("lines", "of_lines", "lines_a_file")] == [6, 7, 3]
    assert "A file has the first 3 of 7 lines; the next goes on with skip=3, up to 6" in page
    assert "parquet" not in manifest["files"]
