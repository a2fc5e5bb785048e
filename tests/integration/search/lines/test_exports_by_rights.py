"""Files mark reserved texts, and leave out those that the policy keeps back."""

import csv
import io
import json
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from factories import NOW, make_article, make_publication
from small_corpora import document, write

from feeds import rights
from feeds.models import Publication, RightsPolicy
from search.engine.index.documents import DocumentRights

pytestmark = pytest.mark.django_db

FORMATS = ("vertical", "jsonl", "conllu", "tei")


@pytest.fixture
def corpus():
    papers = {slug: make_publication(slug) for slug in ("karoo", "cape")}
    texts = []
    for slug, mark in [("karoo", 1), ("karoo", 0), ("cape", 1), ("cape", 2)]:
        article = make_article("rain", papers[slug])
        texts.append(
            document(article.pk, "rain", publication=slug, rights=DocumentRights(mark),
                     is_changed=mark == 2)
        )  # fmt: skip
    write(Path(settings.INDEX_DIR), texts)


def rows_of(reader):
    body = b"".join(reader.get("/search/export/?q=rain&format=csv&sort=pub").streaming_content)
    rows = list(csv.reader(io.StringIO(body.decode())))
    start = rows.index([])
    names = rows[start + 1]
    return dict(rows[:start]), [dict(zip(names, row, strict=True)) for row in rows[start + 2 :]]


def test_every_line_of_a_file_says_the_rights_of_its_text(reader, corpus):
    about, rows = rows_of(reader)

    assert sorted((row["publication"], row["rights"]) for row in rows) == sorted(
        (Publication.objects.get(slug=slug).name, mark)
        for slug, mark in [
            ("karoo", "reserved"), ("karoo", ""), ("cape", "reserved"), ("cape", "granted"),
        ]
    )  # fmt: skip
    assert "kept back" not in about


def test_reserved_texts_of_one_paper_are_kept_back(reader, corpus):
    Publication.objects.filter(slug="karoo").update(rights_policy=RightsPolicy.NO_EXPORT)

    about, rows = rows_of(reader)

    assert sorted(row["rights"] for row in rows) == ["", "granted", "reserved"]
    assert about["kept back"] == ("texts with reserved rights of karoo, by the policy on rights")
    assert about["hits"].startswith("3 in 3 texts")
    assert reader.get("/search/?q=rain").context["page"].total == 4  # the page shows them


@pytest.mark.parametrize("policy", ["no_export", "no_index", "no_archive"])
def test_each_further_policy_keeps_them_back_too(reader, corpus, policy):
    rights.set_general_policy(RightsPolicy(policy), None, NOW)

    _, rows = rows_of(reader)

    assert sorted(row["rights"] for row in rows) == ["", "granted"]


@pytest.mark.parametrize("kind", FORMATS)
def test_corpus_files_mark_and_keep_back(corpus, tmp_path, kind):
    path = tmp_path / "corpus.txt"
    call_command("export_corpus", str(path), "--format", kind)
    marked = path.read_text()
    assert (marked.count("reserved"), marked.count("granted")) == (2, 1)

    rights.set_general_policy(RightsPolicy.NO_EXPORT, None, NOW)
    call_command("export_corpus", str(path), "--format", kind)

    assert (path.read_text().count("reserved"), path.read_text().count("granted")) == (0, 1)


def test_the_api_says_it_of_lines_and_articles(reader, corpus):
    lines = reader.get("/api/search/?q=rain").json()["lines"]
    assert sorted(line["rights"] for line in lines) == ["", "granted", "reserved", "reserved"]

    article = make_article(
        rights="reserved", rights_said=[["tdm_header", "tdm-reservation: 1"]], n_versions=3
    )
    found = json.loads(reader.get(f"/api/articles/{article.pk}/").content)
    assert (found["rights"], found["n_versions"]) == ("reserved", 3)
    assert found["rights_said"] == [{"source": "tdm_header", "words": "tdm-reservation: 1"}]
