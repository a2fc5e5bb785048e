"""What editors change about duplicates: each button, who may press it, and the ways to err."""

import lxml.html
import pytest
from django.test import Client
from django.utils import timezone
from factories import NOW, make_article, make_user
from like_texts import cluster_of, detect_all, sentences, store

from dedup.judging.judgements import Editor, judge
from dedup.models import Decision, Detection, Duplicate, Verdict
from search import indexing
from search.models import IndexedArticle
from search.stage.texts_to_index import TaggerVersions, is_stale_article, read_articles

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

ADDRESS = "/duplicates/change/"
VERSIONS = TaggerVersions({"en": "v"})
BACKEND = "corpus_site.accounts.backends.RoleBackend"


@pytest.fixture
def copies():
    """Two texts that the method takes for one, the later first half its own."""
    text = sentences("a")
    first, second = store([" ".join(text), " ".join(text[:17])])
    assert cluster_of(first) == [first.pk, second.pk]
    return first, second


@pytest.fixture
def strangers():
    return store([" ".join(sentences("a")), " ".join(sentences("b"))])


def press(client, act, **fields):
    return client.post(ADDRESS, {"act": act, "next": "/duplicates/", **fields})


def said(client, answer):
    """Give the messages that the page shows after a button."""
    page = client.get(answer.url).content.decode()
    return [part.partition(">")[2].partition("<")[0] for part in page.split('<p class="notice')[1:]]


def verdict_on(client, pair, verdict, **fields):
    ends = {"article": pair[0].pk, "other": pair[1].pk}
    return press(client, "judge", verdict=verdict, **ends, **fields)


@pytest.mark.parametrize("verdict", ["different", "event"])
def test_a_verdict_parts_two_texts_for_good(editor, copies, verdict):
    first, second = copies

    answer = verdict_on(editor, copies, verdict, seen="open")
    detect_all()
    Detection.objects.update(due_at=NOW, done_digest="")
    detect_all()

    assert answer.url == "/duplicates/"
    assert Duplicate.objects.get().verdict == verdict
    assert (cluster_of(first), cluster_of(second)) == ([first.pk], [second.pk])


def test_texts_whose_cluster_changed_are_indexed_again(editor, copies):
    IndexedArticle.objects.all().delete()

    verdict_on(editor, copies, "different")

    due = IndexedArticle.objects.filter(due_at__isnull=False)
    assert copies[1].pk in due.values_list("article_id", flat=True)


def test_same_joins_texts_that_no_method_paired(editor, strangers):
    first, second = strangers

    verdict_on(editor, strangers, "same", seen="open")

    assert cluster_of(first) == [first.pk, second.pk]
    assert Decision.objects.get().by.role == "editor"


def test_a_verdict_is_taken_back(editor, copies):
    verdict_on(editor, copies, "different")

    verdict_on(editor, copies, "open", seen="different")
    detect_all()

    assert Duplicate.objects.get().verdict == Verdict.OPEN
    assert cluster_of(copies[0]) == [article.pk for article in copies]


def test_undo_takes_back_exactly_that_decision_once(editor, copies):
    verdict_on(editor, copies, "different")
    decision = Decision.objects.get()

    press(editor, "undo", decision=decision.pk)
    again = press(editor, "undo", decision=decision.pk)
    detect_all()

    assert said(editor, again)[-1] == "This decision has been taken back already."
    assert cluster_of(copies[0]) == [article.pk for article in copies]


def test_a_text_is_split_off_and_stays_so(editor, copies):
    first, second = copies

    press(editor, "split", article=second.pk)
    again = press(editor, "split", article=second.pk)
    detect_all()

    assert (cluster_of(first), cluster_of(second)) == ([first.pk], [second.pk])
    assert said(editor, again)[-1] == "“Report 1” (Cape Meridian) stands alone already."


def test_an_editor_chooses_the_original(editor, copies):
    press(editor, "original", article=copies[1].pk)
    again = press(editor, "original", article=copies[1].pk)

    assert set(Detection.objects.values_list("original_id", flat=True)) == {copies[1].pk}
    assert said(editor, again)[-1] == "“Report 1” (Cape Meridian) is the original already."


@pytest.mark.parametrize("form", ["{pk}", " {pk} ", "{url}", "http://here/articles/{pk}/tagged/"])
def test_an_article_is_joined_by_number_or_address(editor, strangers, form):
    first, second = strangers

    press(editor, "join", article=first.pk, **{"with": form.format(pk=second.pk, url=second.url)})

    assert cluster_of(first) == [first.pk, second.pk]


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (" ", "Name the other article by its number or its address."),
        ("999999", "There is no article with this number or address."),
        ("9" * 5000, "There is no article with this number or address."),
        ("²", "There is no article with this number or address."),
        ("https://nowhere.example/x", "There is no article with this number or address."),
        ("{own}", "This is the article itself."),
    ],
)
def test_joining_with_nothing_is_refused(editor, words, refusal):
    article = store([" ".join(sentences("a"))])[0]

    answer = press(editor, "join", article=article.pk, **{"with": words.format(own=article.pk)})

    assert said(editor, answer) == [refusal]
    assert Decision.objects.count() == 0


def test_a_refused_join_keeps_what_was_typed(editor):
    article, other = store([" ".join(sentences("a")), " ".join(sentences("b"))])
    tab = f"/articles/{article.pk}/duplicates/"

    answer = press(editor, "join", article=article.pk, next=f"{tab}?with=7", **{"with": 'a"b &c'})
    page = lxml.html.fromstring(editor.get(answer.url).content.decode())
    [form] = page.xpath('//details[@id="join" and @open]/form')
    again = editor.post(ADDRESS, {**dict(form.form_values()), "act": "join", "with": other.pk})

    assert answer.url == f"{tab}?with=7&join=a%22b+%26c#join"
    assert dict(form.form_values())["with"] == 'a"b &c'
    assert again.url == f"{tab}?with=7"


def test_an_article_outside_the_corpus_is_not_joined(editor):
    first, second = store([" ".join(sentences("a")), " ".join(sentences("b"))])
    type(first).objects.filter(pk=second.pk).update(in_corpus=False, reason="a gallery")

    answer = press(editor, "join", article=first.pk, **{"with": second.pk})

    assert said(editor, answer) == ["“Report 1” (Cape Meridian) is not in the corpus: a gallery"]


def test_a_second_click_says_nothing_twice(editor, copies):
    verdict_on(editor, copies, "same", seen="open")
    answer = verdict_on(editor, copies, "same", seen="open")

    assert said(editor, answer)[-1] == "You have said that already: the same text."
    assert Decision.objects.count() == 1


def test_a_button_of_an_old_page_decides_nothing(editor, copies):
    """Two tabs: what the second one showed is not so any more."""
    verdict_on(editor, copies, "different", seen="open")
    answer = verdict_on(editor, copies, "event", seen="open", here="/duplicates/decisions/")

    assert answer.url == "/duplicates/decisions/"
    assert said(editor, answer)[-1].startswith("Meanwhile somebody has said of these two: differ")
    assert Duplicate.objects.get().verdict == "different"


def test_a_second_reader_may_say_the_same(editor, browse, copies):
    verdict_on(editor, copies, "same", seen="open")
    verdict_on(browse("editor"), copies, "same", seen="same")

    assert Decision.objects.count() == 2


def test_a_contradiction_is_refused_with_its_reason(editor):
    text = sentences("a")
    first, second, third = store([" ".join(text), " ".join(text[:17]), " ".join(sentences("c"))])
    verdict_on(editor, (first, second), "different")
    verdict_on(editor, (second, third), "same")

    answer = verdict_on(editor, (first, third), "same")

    assert "contradicts another verdict" in said(editor, answer)[-1]
    assert cluster_of(first) == [first.pk]


def test_a_verdict_on_an_article_that_is_gone_is_refused(editor, copies):
    ends = {"article": copies[0].pk, "other": copies[1].pk}
    copies[1].delete()

    answer = press(editor, "judge", verdict="same", **ends)

    assert said(editor, answer) == ["This article is not in the corpus any more."]


def test_a_verdict_on_a_pair_that_vanished_makes_it_again(editor, copies):
    Duplicate.objects.all().delete()

    verdict_on(editor, copies, "different", seen="open")
    detect_all()

    assert (cluster_of(copies[0]), cluster_of(copies[1])) == ([copies[0].pk], [copies[1].pk])


@pytest.mark.parametrize(
    ("act", "fields", "words"),
    [
        ("judge", {"verdict": "perhaps", "article": "{0}", "other": "{1}"}, "This is no verdict."),
        ("judge", {"verdict": "same", "article": "{0}", "other": "{0}"}, "An article cannot be"),
        ("judge", {"verdict": "same", "article": "x", "other": "{0}"}, "This article is not in"),
        ("judge", {"verdict": "same", "article": "9" * 40, "other": "{0}"}, "This article is not"),
        ("split", {}, "This article is not in the corpus"),
        ("original", {"article": "-1"}, "This article is not in the corpus"),
        ("undo", {}, "This decision is gone."),
        ("undo", {"decision": "4711"}, "This decision is gone."),
    ],
)
def test_nonsense_is_refused_in_words(editor, strangers, act, fields, words):
    keys = [article.pk for article in strangers]

    answer = press(editor, act, **{name: text.format(*keys) for name, text in fields.items()})

    assert said(editor, answer)[-1].startswith(words)
    assert Decision.objects.count() == 0


def test_an_unknown_act_is_a_bad_request(editor):
    assert press(editor, "delete").status_code == 400
    assert editor.get(ADDRESS).url == "/duplicates/"


@pytest.mark.parametrize(("role", "status"), [("reader", 302), ("linguist", 403)])
@pytest.mark.parametrize("act", ["judge", "split", "original", "join", "undo"])
def test_only_editors_may_change_duplicates(browse, settings, copies, role, status, act):
    settings.READING_WITHOUT_SIGN_IN = True
    fields = {"article": copies[0].pk, "other": copies[1].pk, "verdict": "different"}

    answer = press(browse(role), act, **fields)

    assert answer.status_code == status
    assert Decision.objects.count() == 0


def test_a_change_needs_the_form_of_our_page(copies):
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user("editor"), backend=BACKEND)

    answer = verdict_on(client, copies, "different")

    assert answer.status_code == 403
    assert Duplicate.objects.get().verdict == Verdict.OPEN


@pytest.mark.parametrize(
    "address", ["https://evil.example/", "//evil.example/", "javascript:x", ""]
)
def test_the_way_back_stays_on_the_site(editor, copies, address):
    ends = {"article": copies[0].pk, "other": copies[1].pk}

    answer = editor.post(ADDRESS, {"act": "judge", "verdict": "same", "next": address, **ends})

    assert answer.url == "/duplicates/"


def test_the_history_of_a_judged_text_that_changes_stays(editor, copies):
    """A new fetch with another text: the editor's word is about the articles."""
    verdict_on(editor, copies, "same")
    text = " ".join(sentences("z"))
    type(copies[1]).objects.filter(pk=copies[1].pk).update(text=text, text_digest="z")
    Detection.objects.filter(article=copies[1]).update(due_at=NOW)

    detect_all()

    assert cluster_of(copies[0]) == [article.pk for article in copies]


def test_judging_nothing_is_no_decision():
    make_article()

    assert judge([], Verdict.SAME, Editor(None, NOW)).decision_id is None


def read_for_index():
    """Articles as the index would read them now, and which rows it holds to be out of date."""
    items = read_articles(list(IndexedArticle.objects.values_list("pk", flat=True)), VERSIONS)
    stale = IndexedArticle.objects.filter(is_stale_article(VERSIONS)).values_list(
        "article_id", flat=True
    )
    return {item.document.key: item.is_hidden for item in items}, set(stale), items


def test_a_hidden_copy_leaves_the_index_until_it_is_shown_again(editor, copies):
    first, second = copies
    indexing.register([first.pk, second.pk], NOW)
    for item in read_for_index()[2]:
        IndexedArticle.objects.filter(pk=item.row.pk).update(
            done_digest=item.digest, indexed_at=timezone.now()
        )
    assert read_for_index()[:2] == ({first.pk: False, second.pk: False}, set())

    hidden = press(editor, "hide", article=second.pk)

    assert said(editor, hidden)[0].endswith("no search finds this copy any more.")
    assert read_for_index()[:2] == ({first.pk: False, second.pk: True}, {second.pk})
    page = editor.get(f"/articles/{second.pk}/duplicates/").content.decode()
    assert page.count("Show again") == page.count("Hidden by an editor") == 1
    Detection.objects.update(due_at=NOW, done_digest="")
    detect_all()
    assert read_for_index()[0] == {first.pk: False, second.pk: True}
    press(editor, "show", article=second.pk)
    assert read_for_index()[:2] == ({first.pk: False, second.pk: False}, set())


def test_a_hidden_text_that_is_no_copy_any_more_is_found_again(editor, copies):
    first, second = copies
    indexing.register([first.pk, second.pk], NOW)
    press(editor, "hide", article=second.pk)

    verdict_on(editor, copies, "different")

    assert read_for_index()[0] == {first.pk: False, second.pk: False}


def test_only_a_copy_is_hidden_and_only_once(editor, copies):
    first, second = copies
    acts = [("hide", first), ("hide", second), ("hide", second), ("show", second), ("show", second)]

    answers = [press(editor, act, article=article.pk) for act, article in acts]

    assert [words.partition(") ")[2] for words in said(editor, answers[-1])] == [
        "is hidden already, or no copy: nothing to hide.",
        "is hidden: no search finds this copy any more.",
        "is hidden already, or no copy: nothing to hide.",
        "is shown again.",
        "is not hidden.",
    ]


def test_hiding_is_taken_back_in_the_list_of_decisions(editor, copies):
    press(editor, "hide", article=copies[1].pk)

    answer = press(editor, "undo", decision=Decision.objects.get().pk)

    assert said(editor, answer)[-1] == "Taken back: the hiding of a copy."
    assert not Detection.objects.filter(is_hidden=True).exists()
