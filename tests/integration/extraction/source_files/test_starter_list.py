"""The list of newspapers that ships: a bundle without faults; nothing of it starts by itself."""

import pytest
from factories import NOW, make_publication
from pages import markup

from corpus_site.pipeline import BY_NAME
from extraction.source_files.reading_files import read_source_file
from extraction.source_files.starter_list import _PATH, offered, starter_sources
from feeds.models import Page, Publication
from feeds.work.leases import Claim

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def test_list_is_a_bundle_without_faults_of_papers_that_do_not_start():
    found = read_source_file(_PATH.read_bytes())

    assert found.problems == ()
    assert {source.state for source in found.sources} == {""}
    assert found.sources == starter_sources()


def test_papers_that_are_here_are_not_offered():
    make_publication("mg", home_url="http://www.mg.co.za/")

    assert "Mail & Guardian" not in [source.name for source in offered()]
    assert len(offered()) == len(starter_sources()) - 1


def test_ticked_papers_become_drafts_once_they_are_confirmed(editor):
    page = markup(editor.get("/sources/add/"))
    ticked = {"paper": ["https://mg.co.za/", "https://www.iol.co.za/", "https://evil.example/"]}

    address = editor.post("/source-files/starter/", ticked)["Location"]
    before = Publication.objects.count()
    editor.post(address, {"act": "all"})
    BY_NAME["import"].run(Claim.make("test", NOW.replace(year=2030)))

    assert 'value="https://mg.co.za/"' in page
    assert before == 0
    assert list(Publication.objects.values_list("name", "state")) == [
        ("IOL", "draft"), ("Mail & Guardian", "draft"),
    ]  # fmt: skip
    assert not Page.objects.exists()
    assert "Find its feeds" in markup(editor.get("/sources/iol/"))


def test_nothing_ticked_leads_back(editor):
    assert editor.post("/source-files/starter/", {})["Location"] == "/sources/add/"
