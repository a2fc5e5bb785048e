"""`manage.py train_tagger`: a language from treebank to hits, and what is said of bad files."""

import os
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from factories import NOW, index_all, make_article, make_comment, make_user
from invented_treebank import sentence_lines, treebank

from search import indexing
from search.answers.searching import count
from search.apps import languages_folder
from search.asking.request import EVERYTHING, Texts, asked_in_cql
from search.asking.sketch_grammars import grammar_in_force, text_in_force
from search.engine.annotation.training.train import TRAINING_FILES
from search.engine.sketches.shipped import shipped_text
from search.models import IndexedArticle, IndexedComment
from search.wording.untagged import tagged_names, universal_names


@pytest.fixture
def folder(tmp_path):
    for name in TRAINING_FILES:
        (tmp_path / name).write_bytes(b"no treebank")
    return tmp_path


def test_missing_files_are_named(folder):
    (folder / "clusters.tsv.gz").unlink()
    (folder / "af-train.conllu.gz").unlink()

    with pytest.raises(CommandError, match=r"holds no af-train\.conllu\.gz, clusters\.tsv\.gz\."):
        call_command("train_tagger", str(folder))


def test_a_missing_folder_for_the_results_is_named(folder):
    with pytest.raises(CommandError, match="nowhere is no folder"):
        call_command("train_tagger", str(folder), out=folder / "nowhere")


def test_broken_data_stop_the_training(folder, capfd):
    with pytest.raises(CommandError, match="Training stopped"):
        call_command("train_tagger", str(folder), out=folder)

    assert "BadGzipFile" in capfd.readouterr().err


def test_help_needs_no_data(capsys):
    with pytest.raises(SystemExit):
        call_command("train_tagger", "--help")

    assert "usage: " in capsys.readouterr().out


@pytest.fixture
def invented(tmp_path):
    path = tmp_path / "invented.conllu"
    path.write_text(treebank(), encoding="utf-8")
    return path


def learn(*paths, code="zu"):
    out = StringIO()
    call_command("train_tagger", *map(str, paths), language=code, stdout=out)
    return out.getvalue().replace("\u202f", " ")


def hits(cql):
    return count(asked_in_cql(cql, Texts(EVERYTHING))).total


GALA = '[lemma="gala" & pos="VERB"] [lemma="umuntobo" & pos="NOUN"]'
LATER = NOW + timedelta(minutes=5)


@pytest.mark.django_db
def test_texts_of_a_language_that_was_learnt_are_found_by_lemma_and_tag(invented):
    """The whole way: command, texts old and new tagged in the index, CQL that finds them."""
    old = make_article("Umuhleki uyagala abantobo.", title="", language="zu")
    english = make_article("The fog came.", title="")
    comment = make_comment(english, "Umuzamo uyagala abantobo.", language="zu-ZA")
    index_all()
    assert hits(GALA) == 0
    assert indexing.pending(10, LATER) == 0

    said = learn(invented)

    assert "40 sentences, 180 tokens to learn from." in said
    assert "Held out: 4 sentences" in said
    assert "Texts in isiZulu are tagged from now on" in said
    assert tagged_names() == "English, Afrikaans and isiZulu"
    assert universal_names() == "Afrikaans and isiZulu"
    # The texts of that language are due, and no others.
    assert indexing.pending(10, LATER) == 2
    due = IndexedArticle.objects.exclude(due_at=None).values_list("article_id", flat=True)
    assert list(due) == [old.pk]
    assert IndexedComment.objects.exclude(due_at=None).get().comment_id == comment.pk
    make_article("Umufuli uyagala umuntobo.", title="", language="zu")
    index_all(LATER)
    assert hits(GALA) == 3
    assert hits('[pos="XX"]') == 0
    assert indexing.pending(10, LATER) == 0


@pytest.mark.django_db
def test_a_tagged_text_of_that_language_can_be_read_and_corrected(invented, client, settings):
    settings.READING_WITHOUT_SIGN_IN = True
    article = make_article("Umuhleki uyagala abantobo.", title="", language="zu")
    assert universal_names() == "Afrikaans"
    learn(invented)
    index_all()

    page = client.get(f"/articles/{article.pk}/tagged/?t=2").content.decode()

    assert "not tagged" not in page
    assert "VERB" in page
    assert "gala" in page


@pytest.mark.django_db
def test_word_sketches_take_the_grammar_of_the_language_of_the_texts(invented, client, settings):
    """Tags of all learnt languages are the same: the texts tell which grammar is meant."""
    settings.READING_WITHOUT_SIGN_IN = True
    make_article("Umuhleki uyagala umuntobo. Umufuli uyagala umuntobo.", title="", language="zu")
    make_article("Die man koop vars brood.", title="", language="af")
    learn(invented)
    index_all()

    own = client.get("/words/sketch/?lemma=gala&min=1")
    of_texts = client.get("/words/sketch/?lemma=gala&min=1&lang=zu")
    other = client.get("/words/sketch/?lemma=brood&min=1")

    assert [one.context["word"].grammar.language for one in (own, of_texts, other)] == [
        "zu", "zu", "af"
    ]  # fmt: skip
    captions = [table.caption for table in own.context["tables"]]
    assert "noun behind: 2 hits" in captions
    assert ("zu", "isiZulu") in list(own.context["page"].given[2].options)
    assert b"isiZulu sketch" in own.content


@pytest.mark.django_db
def test_an_editor_changes_the_grammar_of_a_language_that_was_learnt(invented, client):
    client.force_login(make_user("editor"))
    address = "/words/sketch/grammar/zu/"
    assert client.get(address).status_code == 404
    learn(invented)

    text = client.get(address).context["text"]
    renamed = text.replace("noun behind / verb before", "object / object of")
    client.post(address, {"text": renamed, "note": "ours", "after": 0})

    assert text.splitlines()[4:5] == ["language zu isiZulu"]
    assert "object" in [relation.head_name for relation in grammar_in_force("zu").relations]
    assert text_in_force("af") == shipped_text("af")


@pytest.mark.django_db
def test_texts_lose_their_tags_with_the_language(invented):
    make_article("Umuhleki uyagala abantobo.", title="", language="zu")
    learn(invented)
    index_all()
    assert hits(GALA) == 1

    (languages_folder() / "zu" / "language.json").unlink()
    assert indexing.pending(10, LATER) == 1
    index_all(LATER)

    assert (hits(GALA), hits('[pos="XX"]')) == (0, 4)


def test_sentences_that_are_left_out_are_reported(invented, tmp_path):
    bad = tmp_path / "bad.conllu"
    broken = sentence_lines(3)
    broken[2] = broken[2].replace("VERB", "_")
    bad.write_text("\n".join([*broken, "", "# a note", "no columns", ""]), encoding="utf-8")

    said = learn(bad, invented)

    assert "40 sentences, 180 tokens to learn from." in said
    assert (
        "Left out: 1 sentence with words without a universal tag (UPOS) "
        "(first: bad.conllu, line 2)." in said
    )
    assert (
        "Left out: 1 sentence with a line without ten columns between tabs "
        "(first: bad.conllu, line 8)." in said
    )


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "Only 0 sentences can be learnt from; 30 at least, please."),
        (os.urandom(5000), "Only 0 sentences can be learnt from"),
        (b"\x1f\x8b\x08 no gzip", "is a damaged gzip file"),
        (treebank(29).encode(), "Only 29 sentences can be learnt from"),
    ],
)
def test_a_file_that_nothing_can_be_learnt_from_is_refused(tmp_path, content, sentence):
    path = tmp_path / "some.conllu"
    path.write_bytes(content)

    with pytest.raises(CommandError, match=sentence):
        learn(path)

    assert not languages_folder().exists()


def test_a_missing_treebank_is_named(tmp_path):
    with pytest.raises(CommandError, match=r"nowhere.conllu cannot be read: No such file"):
        learn(tmp_path / "nowhere.conllu")


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("en", "English has the tagger that ships."),
        ("af", "Afrikaans has the tagger that ships."),
        ("und", "“und” is no code of ISO 639-1"),
        ("zul", "“zul” is no code of ISO 639-1"),
        ("../zu", "is no code of ISO 639-1"),
        ("", "is no code of ISO 639-1"),
    ],
)
def test_a_code_that_is_none_is_refused(invented, code, sentence):
    with pytest.raises(CommandError, match=sentence):
        learn(invented, code=code)


def test_a_folder_that_cannot_be_written_is_named(invented):
    languages_folder().write_text("a file where the folder should be")

    with pytest.raises(CommandError, match="languages/zu cannot be written: Not a directory"):
        learn(invented)


def test_several_folders_without_a_language_are_refused(folder):
    with pytest.raises(CommandError, match="for treebanks of a language add --language"):
        call_command("train_tagger", str(folder), str(folder))
    with pytest.raises(CommandError, match="--out is for the shipped taggers"):
        call_command("train_tagger", str(folder), out=folder, language="zu")
