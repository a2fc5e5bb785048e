"""Archived pages as a WACZ: of an article, a story, a publication and a search."""

import io
import json
import zipfile
from urllib.parse import quote

import pytest
from django.core.management import CommandError, call_command
from factories import NOW, index_all, make_article, make_comment, make_publication
from stored_pages import store_page

from dedup.models import Detection, StoryCluster
from extraction.models import Article
from feeds.models import RightsPolicy

pytestmark = pytest.mark.django_db


def stored(text: str, **changes) -> Article:
    """Archive a page and make its article."""
    fetch = store_page(f"<p>{text}</p>".encode())
    return make_article(text, page=fetch.page, fetch=fetch, **changes)


def pages_of(client, address: str) -> list[str]:
    """Give the texts of the pages in the file of an address."""
    response = client.get(f"/articles/pages.wacz?of={quote(address)}")
    assert response.status_code == 200, response.content
    assert response["Content-Type"] == "application/wacz"
    whole = zipfile.ZipFile(io.BytesIO(b"".join(response.streaming_content)))
    assert whole.testzip() is None
    lines = whole.read("pages/pages.jsonl").splitlines()[1:]
    return sorted(json.loads(line)["text"] for line in lines)


def refusal(client, address: str) -> str:
    response = client.get(f"/articles/pages.wacz?of={quote(address)}")
    assert response.status_code == 400
    return response.content.decode()


def test_article_publication_and_search_give_their_pages(reader):
    snow, hail = stored("snow fell"), stored("hail fell")
    index_all()

    assert pages_of(reader, f"/articles/{snow.pk}/") == ["snow fell"]
    assert pages_of(reader, f"https://corpus.example/articles/{hail.pk}/page/") == ["hail fell"]
    assert pages_of(reader, "/search/?q=hail") == ["hail fell"]
    assert pages_of(reader, "/search/?q=fell") == ["hail fell", "snow fell"]
    assert pages_of(reader, f"/sources/{snow.publication.slug}/") == ["hail fell", "snow fell"]


def test_story_gives_the_pages_of_its_reports(reader):
    told = [stored("snow fell"), stored("much snow fell")]
    stored("hail fell")
    story = StoryCluster.objects.create(first=told[0], created_at=NOW)
    for article in told:
        Detection.objects.update_or_create(
            article=article, defaults={"story": story, "due_at": None}
        )

    assert pages_of(reader, f"/stories/{story.pk}/") == ["much snow fell", "snow fell"]


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("", "article, a story, a publication or a search"),
        ("/nowhere/", "no address of this site"),
        ("/status/", "article, a story, a publication or a search"),
        ("/articles/99999999/", "no such article"),
        ("/stories/99999999/", "no such story"),
        ("/sources/nobody/", "no such publication"),
        ("/search/?q=nowhere", "no articles here"),
        ("/search/?q=%5Bword%3D&ql=cql", "ends too early"),
        ("http://[/", "no address of this site"),
    ],
)
def test_other_addresses_are_refused_with_a_sentence(reader, address, words):
    stored("snow fell")
    index_all()

    assert words in refusal(reader, address)


def test_what_may_not_leave_the_site_is_in_no_file(reader):
    kept, withdrawn, quoted = stored("snow fell"), stored("hail fell"), stored("rain fell")
    reserved = stored("sleet fell", rights="reserved")
    reserved.publication.rights_policy = RightsPolicy.NO_EXPORT
    reserved.publication.save()
    unarchived = make_article("fog lay")
    index_all()
    Article.objects.filter(pk=withdrawn.pk).update(withdrawn_at=NOW)
    make_comment(quoted, withdrawn_at=NOW)

    assert pages_of(reader, f"/articles/{kept.pk}/") == ["snow fell"]
    for article in (withdrawn, reserved):
        assert "no such article" in refusal(reader, f"/articles/{article.pk}/")
    assert "1 page withdrawn in part" in refusal(reader, f"/articles/{quoted.pk}/")
    assert "1 page not archived" in refusal(reader, f"/articles/{unarchived.pk}/")


def test_command_writes_a_file_that_the_import_takes_and_never_over_another(tmp_path):
    snow, hail = stored("snow fell"), stored("hail fell")
    path = tmp_path / "snow.wacz"
    out = io.StringIO()

    call_command("export_wacz", path, f"/articles/{snow.pk}/", stdout=out)

    assert out.getvalue() == f"1 page in {path}.\n"
    assert zipfile.ZipFile(path).testzip() is None
    with pytest.raises(CommandError, match="exists already"):
        call_command("export_wacz", path, f"/articles/{hail.pk}/")
    with pytest.raises(CommandError, match="no such publication"):
        call_command("export_wacz", tmp_path / "other.wacz", "/sources/nobody/")
    empty = make_publication("empty")
    with pytest.raises(CommandError, match="No page was written"):
        call_command("export_wacz", tmp_path / "other.wacz", f"/sources/{empty.slug}/")
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == ["snow.wacz"]
    told = io.StringIO()
    call_command("import_warc", path, "--json", stdout=told, stderr=io.StringIO())
    assert json.loads(told.getvalue())["records"] == 1
