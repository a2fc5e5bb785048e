"""Texts of one's own: given once or again, through all stages, removed as a whole."""

import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.utils import timezone
from killed_work import is_killed_at
from pages import markup

from corpus_site import pipeline
from corpus_site.removal import deleting, withdrawals
from extraction.models import Article, ArticleVersion, CollectedText, Withdrawal
from extraction.status import newest_stored_at
from extraction.withdrawal.register import Order
from feeds.crawler.documents.limited_work import TOO_MUCH_OF_FILE, Limits
from feeds.models import Host, Page, Publication, PublicationKind
from feeds.sources.collections import collection_of
from feeds.work.leases import Claim
from search.collecting import importing
from search.collecting.importing import TextWish, offer
from search.models import IndexedArticle, TextImport

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def record(number: int, **said: object) -> str:
    """Give a line of JSONL with a text of its own."""
    words = " ".join(f"word{number}x{place}" for place in range(12))
    text = f"The minister opened dam number {number} in the north of the country: {words}.\nGlad."
    return json.dumps({"id": f"t{number}", "text": text, "title": f"Dam {number}", **said})


@pytest.fixture
def given(tmp_path: Path):
    """Write a file of texts."""

    def write(lines: list[str], name: str = "texts.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n")
        return path

    return write


def imported(path: Path, *arguments: str) -> dict[str, int]:
    out = io.StringIO()
    arguments = (str(path), "--collection", "My texts", *arguments, "--json")
    call_command("import_texts", *arguments, stdout=out, stderr=io.StringIO())
    return json.loads(out.getvalue())


def work() -> None:
    """Let the stages work until nothing is due."""
    now = timezone.now() + timedelta(seconds=1)
    stages = [pipeline.BY_NAME[name] for name in ("texts", "detect", "erase", "index")]
    while sum(stage.run(Claim.make("w", now)).n_claimed for stage in stages):
        pass


@pytest.mark.django_db
def test_texts_become_articles_without_a_page(given):
    said = {
        "authors": ["Ann", "Ben"], "date": "1921-05-06", "url": "https://old.example/1",
        "section": "Water", "keywords": "dams; rain", "language": "af",
    }  # fmt: skip
    told = imported(given([record(1, **said), record(2, date="soon"), "broken", record(1, **said)]))
    assert {name: told[name] for name in importing.COUNTED} == {
        "texts": 3, "new": 2, "changed": 0, "known": 1, "erased": 0, "undated": 1, "broken": 1,
    }  # fmt: skip
    work()
    first, second = Article.objects.order_by("pk")
    collection = Publication.collections.get()
    assert (first.page, first.fetch, first.publication) == (None, None, collection)
    assert (first.title, first.authors, first.tags) == ("Dam 1", ["Ann", "Ben"], ["dams", "rain"])
    assert (first.language, first.section, first.url) == ("af", "Water", "https://old.example/1")
    assert timezone.localdate(first.published_at).isoformat() == "1921-05-06"
    assert (second.language, second.published_at, second.url) == ("en", None, "")
    assert all(IndexedArticle.objects.values_list("n_tokens", flat=True))
    assert first.detection.detected_at is not None
    row = TextImport.objects.get()
    assert row.understood["id"] == "name"
    assert row.problems[1][1:] == [3, "not JSON: Expecting value at character 1"]
    # Nothing was made up, nobody is asked for anything, and the crawl does not look alive by it.
    assert newest_stored_at() is None
    assert not Page.objects.exists()
    assert not Host.objects.exists()


@pytest.mark.django_db
def test_the_same_file_changes_nothing_and_other_words_are_a_version(given):
    imported(given([record(1), record(2)]))
    work()
    before = list(Article.objects.order_by("pk").values())
    told = imported(given([record(1), record(2)]))
    assert (told["new"], told["changed"], told["known"]) == (0, 0, 2)
    assert list(Article.objects.order_by("pk").values()) == before
    assert not IndexedArticle.objects.exclude(due_at=None).exists()
    changed = record(1, text="The minister closed the dam.", title="Closed")
    told = imported(given([changed, record(2, section="Water")]))
    assert (told["new"], told["changed"], told["known"]) == (0, 2, 0)
    first, second = Article.objects.order_by("pk")
    assert (first.text, first.n_versions, second.n_versions) == (
        "The minister closed the dam.",
        2,
        1,
    )
    version = ArticleVersion.objects.get()
    assert (version.article, version.number, version.fields_changed) == (first, 1, "title")
    assert first.versions.get().n_words == before[0]["n_words"]
    assert second.section == "Water"


@pytest.mark.django_db
def test_two_texts_that_a_file_names_alike_are_both_kept(given):
    lines = [record(1), record(1, text="Another text by the same name."), record(1)]
    assert imported(given(lines))["new"] == 2
    again = imported(given(lines))
    assert (again["new"], again["changed"], again["known"]) == (0, 0, 3)
    texts = [json.dumps({"text": json.loads(line)["text"]}) for line in lines]
    assert imported(given(texts, "unnamed.jsonl"))["new"] == 2
    assert imported(given(texts, "unnamed.jsonl"))["known"] == 3


@pytest.mark.django_db(transaction=True)
def test_killed_at_any_statement_nothing_is_lost_or_double(given, monkeypatch):
    monkeypatch.setattr(importing, "SLICE_TEXTS", 2)
    wish = TextWish(collection_of("My texts", NOW))
    offer(given([record(number) for number in range(5)]), wish, NOW)
    stage, now = pipeline.BY_NAME["texts"], NOW
    for statement in range(0, 66, 3):
        now += timedelta(hours=1)  # leases of the dead run out
        TextImport.objects.update(attempts=0)
        claim = Claim.make(f"killed-{statement}", now)
        is_killed_at(statement, lambda claim=claim: stage.run(claim))
    while stage.run(Claim.make("w", now + timedelta(hours=2))).n_claimed:
        pass
    row = TextImport.objects.get()
    assert row.finished_at is not None
    assert row.counts == {"texts": 5, "new": 5}
    assert sorted(Article.objects.values_list("title", flat=True)) == [
        f"Dam {number}" for number in range(5)
    ]
    assert CollectedText.objects.count() == 5
    # All of them were handed on, whoever died in between.
    assert set(Article.objects.exclude(detection=None)) == set(Article.objects.all())


@pytest.mark.django_db
def test_an_import_goes_on_in_another_process(given, monkeypatch):
    monkeypatch.setattr(importing, "SLICE_TEXTS", 2)
    wish = TextWish(collection_of("My texts", NOW))
    offer(given([record(1), "broken", record(2), record(3)]), wish, NOW)
    for _ in range(8):
        importing._open_readings.clear()  # as another process would not know them
        pipeline.BY_NAME["texts"].run(Claim.make("w", NOW))
    row = TextImport.objects.get()
    assert row.counts == {"texts": 3, "new": 3, "broken": 1}
    assert len(row.problems) == 1
    assert row.finished_at is not None


@pytest.mark.django_db
def test_a_collection_is_removed_and_put_back_as_a_whole(given):
    imported(given([record(1), record(2)]))
    work()
    collection = Publication.collections.get()
    assert deleting.delete_publication(collection, Order("no rights", None, timezone.now())) == 2
    work()
    assert not Article.shown.exists()
    assert not Publication.collections.exists()
    assert not any(IndexedArticle.objects.values_list("n_tokens", flat=True))
    # A collection of the same name is another one.
    assert imported(given([record(1), record(2)]))["new"] == 2
    assert Publication.objects.filter(kind=PublicationKind.COLLECTION).count() == 2
    assert deleting.restore_publication(collection, None, timezone.now())
    work()
    assert Article.shown.count() == 4


@pytest.mark.django_db
def test_what_was_erased_does_not_come_back(given):
    imported(given([record(1), record(2)]))
    work()
    first = Article.objects.order_by("pk")[0]
    withdrawals.erase_articles([first.pk], Order("asked for", None, timezone.now()))
    work()
    first.refresh_from_db()
    assert (first.text, first.title, first.url) == ("", "", "")
    assert first.erased_at is not None
    assert first.collected.name == ""
    assert set(Withdrawal.objects.values_list("address", flat=True)) == {""}
    told = imported(given([record(1), record(2)]))
    assert (told["erased"], told["known"], told["new"]) == (1, 1, 0)


@pytest.mark.django_db
def test_what_was_withdrawn_stays_withdrawn_when_it_is_given_again(given):
    imported(given([record(1)]))
    article = Article.objects.get()
    withdrawals.withdraw_articles([article.pk], Order("a reason", None, timezone.now()))
    imported(given([record(1, text="Other words of the same text.")]))
    article.refresh_from_db()
    assert (article.text, article.in_corpus) == ("Other words of the same text.", False)
    assert article.withdrawn_at is not None


@pytest.mark.django_db
def test_short_texts_and_addresses_of_galleries_are_in_the_corpus(given):
    imported(given([record(1, text="Rain.", url="https://old.example/gallery/1")]))
    article = Article.objects.get()
    assert (article.in_corpus, article.reason) == (True, "")
    for _ in range(3):
        pipeline.sweep(timezone.now())
        pipeline.BY_NAME["placing"].run(Claim.make("w", timezone.now()))
    article.refresh_from_db()
    assert article.in_corpus


@pytest.mark.django_db
def test_bad_wishes_are_sentences(given, tmp_path):
    path = given([record(1)])
    with pytest.raises(CommandError, match="is no file"):
        imported(tmp_path / "nowhere.txt")
    with pytest.raises(CommandError, match="names no column"):
        imported(path, "--columns", "words=Inhalt")
    with pytest.raises(CommandError, match="needs a name"):
        call_command("import_texts", str(path), collection=" ", stderr=io.StringIO())
    (tmp_path / "empty").mkdir()
    with pytest.raises(CommandError, match="holds no file with an ending"):
        imported(tmp_path / "empty")


@pytest.mark.django_db
def test_who_may_not_give_texts_is_told_who_does(editor, linguist):
    words = "editors of this installation give them"

    assert words in " ".join(markup(linguist.get("/collections/")).split())
    assert words not in " ".join(markup(editor.get("/collections/")).split())


@pytest.mark.django_db
def test_an_upload_is_imported_and_told_of(editor, linguist, client, settings):
    table = "ID;Inhalt;Wörter\n1;Die Dämme sind voll.;4\n2;;0\n".encode("windows-1252")
    chosen = {
        "file": SimpleUploadedFile("meine texte.csv", table),
        "collection": "Meine Texte",
        "note": "From my desk",
        "encoding": "windows-1252",
        "columns": "text=Inhalt",
    }
    answer = editor.post("/collections/give/", chosen, follow=True)
    assert answer.redirect_chain[-1][0] == "/collections/meine-texte/"
    row = TextImport.objects.get()
    assert (row.file_name, row.asked_by is not None) == ("meine texte.csv", True)
    assert Path(row.path).exists()
    work()
    assert not Path(row.path).exists()
    shown = markup(editor.get("/collections/meine-texte/"))
    for words in ("▲ Done in part", "Inhalt", "Wörter", "its own", "the row has no text"):
        assert words in shown
    assert "meine texte.csv" in markup(linguist.get("/collections/meine-texte/"))
    settings.READING_WITHOUT_SIGN_IN = True
    reader = client
    # Readers without an account see the collection, not who gave which file.
    plain = markup(reader.get("/collections/meine-texte/"))
    assert "From my desk" in plain
    assert "meine texte.csv" not in plain
    article = Article.objects.get()
    text = markup(reader.get(f"/articles/{article.pk}/"))
    assert "Die Dämme sind voll." in text
    assert "Original page" not in text
    assert "Archived page" not in text
    for tab in ("tagged", "duplicates", "versions", "timeline", "page", "comments"):
        assert reader.get(f"/articles/{article.pk}/{tab}/").status_code == 200
    assert reader.get(f"/api/articles/{article.pk}").json()["next_visit"] is None
    assert reader.get("/sources/meine-texte/").url == "/collections/meine-texte/"
    assert "Meine Texte" not in markup(reader.get("/sources/"))
    named = {
        one["slug"]: one["kind"] for one in reader.get("/api/publications").json()["publications"]
    }
    assert named == {"meine-texte": "collection"}


@pytest.mark.django_db
def test_an_editor_removes_a_collection_and_puts_it_back(editor, given):
    imported(given([record(1), record(2)]))
    assert "2 texts leave the corpus" in markup(editor.get("/collections/my-texts/remove/"))
    assert editor.post("/collections/my-texts/remove/", {"reason": ""}).status_code == 400
    editor.post("/collections/my-texts/remove/", {"reason": "no rights"})
    assert not Article.shown.exists()
    assert "My texts" not in markup(editor.get("/collections/")).partition("<main")[2].replace(
        "My texts removed", ""
    )
    assert "because:" in markup(editor.get("/collections/my-texts/"))
    editor.post("/collections/my-texts/restore/")
    assert Article.shown.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"collection": "c"}, "This field is required"),
        ({"file": ("a.pdf", b"x")}, "Its name does not end in"),
        ({"file": ("a.csv", b"Nr,Inhalt\n1,Es regnet.\n")}, "there are: Nr, Inhalt"),
        ({"file": ("a.jsonl", b"x"), "columns": "words=x"}, "names no column"),
        ({"file": ("a.txt", b"\xff\xd8\xff")}, "Nothing can be read of it"),
        ({"file": ("a.zip", b"PK")}, "the zip cannot be read"),
        ({"file": ("a.txt", b"Rain."), "collection": " "}, "This field is required"),
    ],
)
def test_wrong_forms_say_why_and_leave_nothing(editor, settings, sent, said):
    sent = {"collection": "My texts", **sent}
    if "file" in sent:
        sent["file"] = SimpleUploadedFile(*sent["file"])
    answer = editor.post("/collections/give/", sent)
    assert answer.status_code == 400
    assert said in markup(answer)
    assert not TextImport.objects.exists()
    assert not Publication.objects.exists()
    assert not list((Path(settings.DATA_DIR) / "given").glob("*"))


@pytest.mark.django_db
def test_a_file_that_takes_too_much_to_look_into_is_given_up(editor, monkeypatch):
    monkeypatch.setattr(importing, "FOR_A_REQUEST", Limits(cpu_seconds=1, wall_seconds=0))
    sent = {"collection": "My texts", "file": SimpleUploadedFile("a.txt", b"Rain.")}

    answer = editor.post("/collections/give/", sent)

    assert answer.status_code == 400
    assert f"Nothing can be read of it. {TOO_MUCH_OF_FILE}" in markup(answer)
