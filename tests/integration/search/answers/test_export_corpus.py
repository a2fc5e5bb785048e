"""`manage.py export_corpus`: the index as a file of other tools, and back through the program."""

import gzip
import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from factories import NOW, index_all, make_article, make_comment, make_version

from search.engine.exchange.formats import Format
from search.engine.index.documents import DocumentKind
from search.engine.index.reader import IndexReader
from search.engine.workbench.building import BuildRequest, build
from search.opened_index import current_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def export(*arguments):
    out = StringIO()
    call_command("export_corpus", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def article():
    article = make_article("We braai. “Rain & wind” came.", title="Weather")
    make_comment(article, "Eish!")
    index_all()
    return article


def test_articles_and_comments_are_exported_with_titles(article):
    records = [json.loads(line) for line in export("-", "--format", "jsonl").splitlines()]

    assert {(r["id"], r["kind"], r.get("title"), r.get("parent")) for r in records} == {
        (f"article-{article.pk}", "article", "Weather", None),
        (f"comment-{article.comments.get().pk}", "comment", None, f"article-{article.pk}"),
    }
    text = next(r for r in records if r["kind"] == "article")
    assert text["publication"] == article.publication.slug
    assert [[word for word, *_ in sentence] for sentence in text["sentences"]] == [
        ["We", "braai", "."], ["“", "Rain", "&", "wind", "”", "came", "."],
    ]  # fmt: skip
    assert text["sentences"][1][1][1:] == ["rain", "NN", False]


def test_an_export_can_be_narrowed(article):
    other = make_article("Elsewhere it is dry.", dated_at=NOW - timedelta(days=40))
    index_all()
    day = (NOW - timedelta(days=30)).date().isoformat()

    assert f'id="article-{other.pk}"' not in export("-", "--from", day)
    assert f'id="article-{other.pk}"' in export("-", "--to", day)
    assert f'id="article-{article.pk}"' not in export("-", "--to", day)
    assert 'kind="comment"' not in export("-", "--kind", "article")
    assert f'id="article-{other.pk}"' not in export("-", "--generation", "1")
    assert export("-", "--publication", "nobody") == ""


@pytest.mark.parametrize("kind", Format)
def test_an_export_is_the_same_corpus_elsewhere(article, kind, tmp_path):
    file = tmp_path / "corpus.gz"

    assert export(str(file), "--format", kind.value, "--glue") == ""
    build(BuildRequest(str(file), tmp_path / "elsewhere", kind))

    assert file.read_bytes()[:2] == gzip.compress(b"")[:2]
    elsewhere = IndexReader(tmp_path / "elsewhere").snapshot
    here = current_snapshot()
    assert elsewhere.size().tokens_by_kind == here.size().tokens_by_kind
    stored, other = (
        here.document(DocumentKind.ARTICLE, article.pk),
        elsewhere.document(DocumentKind.ARTICLE, 1),
    )
    assert (stored.tokens, stored.sentence_starts) == (other.tokens, other.sentence_starts)
    if kind is not Format.VERTICAL:
        assert stored.space_before == other.space_before


def test_a_file_that_cannot_be_written_is_an_error(article, tmp_path):
    with pytest.raises(CommandError, match="cannot be written"):
        export(str(tmp_path / "none" / "corpus.vrt"))


def test_a_damaged_index_is_not_exported_in_part(article, settings):
    segment = next(settings.INDEX_DIR.glob("*.segment"))
    segment.write_bytes(segment.read_bytes()[:100])

    with pytest.raises(CommandError, match=segment.name):
        export("-")


def test_earlier_versions_are_exported_on_wish_behind_the_newest(article):
    make_version(article, "We fry.", title="Wind")
    name = f"article-{article.pk}"

    def exported(*options):
        lines = export("-", "--format", "jsonl", "--kind", "article", *options).splitlines()
        return [json.loads(line) for line in lines]

    newest, former = exported("--versions")
    assert [text["id"] for text in exported()] == [name]
    assert (newest["id"], newest.get("original")) == (name, None)
    assert (former["id"], former["original"], former["title"]) == (f"{name}-v1", name, "Wind")
    assert [[word for word, *_ in sentence] for sentence in former["sentences"]] == [
        ["We", "fry", "."]
    ]
    with pytest.raises(CommandError, match="takes no --generation"):
        export("-", "--versions", "--generation", "1")


@pytest.mark.parametrize("kind", Format)
def test_an_export_in_ascii_has_the_same_tokens(kind):
    make_article("Môre – “Groß” kom.", title="Café")
    index_all()

    plain, original = (export("-", "--format", kind.value, *more) for more in (["--ascii"], []))

    assert plain.isascii()
    assert len(plain.splitlines()) == len(original.splitlines())
    assert "Môre" in original
    for word in ("More", "Gross", "Cafe"):
        assert word in plain
