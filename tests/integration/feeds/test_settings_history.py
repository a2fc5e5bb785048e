"""Who changed which setting of a publication, from what to what."""

import pytest
from django.utils import timezone
from factories import make_publication, make_user
from pages import markup, parsed

from feeds.models import Publication, PublicationChange
from feeds.sources.settings_history import kept_changes

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def kept():
    rows = PublicationChange.objects.order_by("field")
    return [(row.field, row.before, row.after) for row in rows]


def form_of(client):
    page = parsed(client.get("/sources/karoo-courier/settings/"))
    form = page.xpath("//main//form")[0]
    return dict(form.form_values())


def test_saved_settings_are_kept_with_both_values(editor):
    make_publication(min_characters=500)
    given = form_of(editor)

    editor.post(
        "/sources/karoo-courier/settings/",
        given | {"min_characters": "300", "taken_kinds": ["video"], "allow_proxy": "on"},
    )

    assert kept() == [
        ("allow_proxy", "no", "yes"),
        ("min_characters", "500", "300"),
        ("taken_kinds", "", "video"),
    ]
    page = markup(editor.get("/sources/karoo-courier/settings/"))
    assert "What was changed here" in page
    assert PublicationChange.objects.first().made_by.username in page


def test_saving_what_stands_there_keeps_nothing(editor):
    make_publication()

    editor.post("/sources/karoo-courier/settings/", form_of(editor))

    assert kept() == []
    assert "What was changed here" not in markup(editor.get("/sources/karoo-courier/settings/"))


def test_pausing_is_kept(editor):
    make_publication(state="active")

    editor.post("/sources/karoo-courier/do/pause/")

    assert kept() == [("state", "Active", "Paused")]


def test_saving_writes_no_column_that_workers_write(editor, monkeypatch):
    publication = make_publication()
    given = form_of(editor) | {"note": "a weekly"}
    save = Publication.save

    def measured_meanwhile(row, *args, **kwargs):
        Publication.objects.filter(pk=publication.pk).update(comments_open_days=3.5)
        save(row, *args, **kwargs)

    monkeypatch.setattr(Publication, "save", measured_meanwhile)
    editor.post("/sources/karoo-courier/settings/", given)

    publication.refresh_from_db()
    assert (publication.comments_open_days, publication.note) == (3.5, "a weekly")


def test_nothing_is_kept_of_what_fails():
    publication = make_publication()

    def fails():
        with kept_changes([publication.pk], make_user("editor"), timezone.now()):
            Publication.objects.update(note="x")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()

    publication.refresh_from_db()
    assert (kept(), publication.note) == ([], "")
