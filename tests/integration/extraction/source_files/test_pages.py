"""Files of sources in the browser: upload, what would change, confirm, progress, export."""

import json
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from factories import make_feed, make_publication

from corpus_site.pipeline import BY_NAME
from extraction.models import SourceImport
from extraction.views import source_files
from feeds.crawler.documents.limited_work import TOO_MUCH_OF_FILE, Limits
from feeds.models import Publication
from feeds.work.leases import Claim

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

FILES = "/source-files/"


def bundle(n=1, **changes):
    papers = [
        {"name": f"Paper {i}", "home_url": f"https://p{i}.example/", "feeds": [
            {"url": f"https://p{i}.example/rss"}]} | changes
        for i in range(n)
    ]  # fmt: skip
    document = {"format": "broadsheet-sources", "version": 1, "publications": papers}
    return json.dumps(document).encode()


def upload(client, body, name="papers.json"):
    return client.post(FILES, {"file": SimpleUploadedFile(name, body)})


def run():
    later = timezone.now() + timedelta(days=1)
    return BY_NAME["import"].run(Claim("test", later, timedelta(seconds=60)))


def test_upload_writes_nothing_until_it_is_confirmed(editor):
    address = upload(editor, bundle(3))["Location"]

    page = editor.get(address).content.decode()

    assert "It holds 3 publications: 3 new here" in " ".join(page.split())
    assert "https://p2.example/rss" in page
    run()
    assert not Publication.objects.exists()

    editor.post(address, {"act": "all"})
    run()

    assert Publication.objects.filter(state="draft").count() == 3
    assert "Done" in editor.get(address).content.decode()


def test_large_import_goes_on_slice_by_slice_and_is_a_job(editor):
    address = upload(editor, bundle(150))["Location"]
    editor.post(address, {"act": "all", "starts": "on"})

    run()

    assert Publication.objects.filter(state="active").count() == 100
    assert "100 of 150 publications" in editor.get(address).content.decode()
    assert "Import of sources" in editor.get("/status/jobs/").content.decode()
    run()
    assert Publication.objects.count() == 150
    assert SourceImport.objects.get().bundle == ""


def test_only_what_is_new_leaves_known_sources_alone(editor):
    make_publication("p0", name="Mine", home_url="https://p0.example/")
    address = upload(editor, bundle(2))["Location"]

    editor.post(address, {"act": "new"})
    run()

    assert sorted(Publication.objects.values_list("name", flat=True)) == ["Mine", "Paper 1"]
    assert not Publication.objects.get(name="Mine").feeds.exists()


def test_list_of_a_feed_reader_leaves_names_alone_and_knows_papers_by_their_site(editor):
    paper = make_publication(name="The Courier", home_url="https://www.courier.example/news/")
    outlines = "".join(
        f'<outline text="{path}" xmlUrl="https://courier.example/{path}"/>'
        for path in ("feed", "sport")
    )
    body = f"<opml version='2.0'><body>{outlines}</body></opml>".encode()
    address = upload(editor, body, "papers.opml")["Location"]

    shown = " ".join(editor.get(address).content.decode().split())
    editor.post(address, {"act": "all"})
    run()

    paper.refresh_from_db()
    assert "name: The Courier →" not in shown
    assert (paper.name, Publication.objects.count()) == ("The Courier", 1)


@pytest.mark.parametrize("body", [b"title;text\nRain;It rains.\n", b"%PDF-1.4\n", b"WARC/1.0\r\n"])
def test_file_of_another_kind_is_told_where_such_files_go(editor, body):
    answer = upload(editor, body, "papers.csv")

    page = " ".join(answer.content.decode().split())
    assert answer.status_code == 400
    assert "This is neither a bundle (JSON) nor an OPML list." in page
    assert "WARC files go to “Web archives”" in page


def test_faults_of_a_file_are_shown_with_their_places(editor):
    answer = upload(editor, bundle(2, colour="red"))

    assert answer.status_code == 400
    assert "$.publications[1]" in answer.content.decode()
    assert not SourceImport.objects.exists()


def test_file_can_be_forgotten(editor):
    address = upload(editor, bundle())["Location"]

    editor.post(address, {"act": "forget"})

    assert not SourceImport.objects.exists()


@pytest.mark.parametrize("kind", ["json", "opml"])
def test_export_is_what_an_import_reads(editor, kind):
    make_feed()
    body = editor.get(f"{FILES}export/?format={kind}").content

    page = editor.get(upload(editor, body, f"s.{kind}")["Location"]).content.decode()

    assert "1 the same" in " ".join(page.split())


def test_linguists_take_no_sources_along(linguist):
    assert linguist.get(FILES).status_code == 403
    assert linguist.get(f"{FILES}export/").status_code == 403
    assert upload(linguist, bundle()).status_code == 403


def test_a_file_that_takes_too_much_to_read_is_given_up(editor, monkeypatch):
    monkeypatch.setattr(source_files, "FOR_A_REQUEST", Limits(cpu_seconds=1, wall_seconds=0))

    answer = upload(editor, bundle())

    assert TOO_MUCH_OF_FILE in answer.content.decode()
    assert not SourceImport.objects.exists()
