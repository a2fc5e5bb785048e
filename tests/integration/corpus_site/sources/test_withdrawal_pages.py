"""Withdrawn texts in the browser: on no page but their own, in no file, no answer; and the acts."""

import csv
import io
import json

import pytest
from factories import (
    NOW,
    index_all,
    make_article,
    make_comment,
    make_feed,
    make_fetch,
    make_listing,
    make_publication,
)

from corpus_site.removal import withdrawals
from dedup.models import Detection, Duplicate, StoryCluster
from extraction.models import Article, Comment, Erasure, Withdrawal
from extraction.withdrawal.register import COLUMNS, Order
from feeds.models import Page, Publication
from search.models import SavedQuery
from search.views.saved.saved_feed import feed_address

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
ORDER = Order("The newspaper asks for it.", None, NOW)
WORDS = "The zorilla drank maas beside the kraal."
OTHER = "The zebra drank maas beside the kraal."
# Every page that lists or shows texts; `{id}` is the withdrawn one, `{other}` one like it.
PLACES = [
    "/",
    "/articles/",
    "/articles/?pub=karoo-courier",
    "/articles/?copies=only",
    "/articles/{other}/",
    "/articles/{other}/duplicates/",
    "/articles/{other}/duplicates/?with={id}",
    "/articles/{other}/timeline/",
    "/articles/{id}/",
    "/articles/{id}/tagged/",
    "/articles/{id}/page/",
    "/articles/{id}/comments/",
    "/articles/{id}/duplicates/",
    "/articles/{id}/duplicates/?with={other}",
    "/articles/{id}/timeline/",
    "/part/frame/{fetch}/",
    "/feeds/{feed}/",
    "/status/url/?u={url}",
    "/stories/",
    "/stories/{story}/",
    "/duplicates/",
    "/duplicates/?as=second",
    "/duplicates/decisions/",
    "/duplicates/limit/",
    "/sources/",
    "/sources/karoo-courier/",
    "/sources/karoo-courier/rules/",
    "/evaluation/",
    "/search/?q=drank",
    "/search/?q=zorilla",
    "/search/?q=drank&asof=1",
    "/search/?q=drank&in=all",
    "/search/distribution/?q=drank",
    "/search/frequency/?q=drank",
    "/search/collocates/?q=drank",
    "/search/ngrams/?q=drank",
    "/search/trend/?q=drank",
    "/search/export/?q=drank&format=csv",
    "/words/",
    "/words/new/",
    "/words/drank/",
    "/words/zipf/",
    "/saved/",
    "/status/",
    "/status/report/",
    "/withdrawals/",
    "/help/api/",
    "/api/articles/",
    "/api/articles/{id}/",
    "/api/articles/{id}/sentences/",
    "/api/articles/{id}/comments/",
    "/api/articles/{id}/duplicates/",
    "/api/articles/{other}/duplicates/",
    "/api/stories/",
    "/api/stories/{story}/",
    "/api/search/?q=drank",
    "/api/search/?q=drank&asof=1",
    "/api/search/export/?q=drank&format=jsonl",
    "/api/words/",
]


@pytest.fixture
def texts(browse):
    """Two like articles in a story and a pair; the first one says a word of its own."""
    publication = make_publication(state="active", min_characters=0)
    first = make_article(WORDS, publication, title="Of the zorilla", standfirst="A zorilla came.")
    second = make_article(OTHER, make_publication("bay-herald"), title="Of the zebra")
    comment = make_comment(first, "A zorilla, really?")
    fetch = make_fetch(first.page, archive_file="x.warc.gz", archive_offset=1, archive_length=9)
    Article.objects.filter(pk=first.pk).update(fetch=fetch)
    Page.objects.filter(pk=first.page_id).update(feed_headline="A zorilla came")
    listing = make_listing(make_feed(publication), first.page)
    story = StoryCluster.objects.create(first=first, created_at=NOW)
    Detection.objects.update(story=story)
    Duplicate.objects.create(
        article=second, other=first, relation="near", similarity=0.8, closeness=0.5, n_shared=1,
        detected_at=NOW,
    )  # fmt: skip
    index_all()
    return {
        "id": first.pk, "other": second.pk, "story": story.pk, "fetch": fetch.pk,
        "comment": comment.pk, "feed": listing.feed_id, "url": first.page.url,
    }  # fmt: skip


def told(client, address):
    answer = client.get(address)
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return answer.status_code, content.decode().lower()


@pytest.mark.parametrize("address", PLACES)
def test_a_withdrawn_text_is_told_nowhere(address, admin_reader, texts):
    withdrawals.withdraw_articles([texts["id"]], ORDER)
    index_all()

    status, content = told(admin_reader, address.format(**texts))

    own = "<title>of the zorilla" in content
    words = content.replace("of the zorilla", "") if own else content.replace("q=zorilla", "")
    words = words.replace('value="zorilla"', "").replace("“zorilla”", "")
    assert status < 500
    assert "a zorilla" not in words
    assert "the zorilla" not in words


def test_its_page_says_when_and_why_and_offers_to_put_it_back(editor, linguist, texts):
    withdrawals.withdraw_articles([texts["id"]], ORDER)

    _, content = told(editor, f"/articles/{texts['id']}/")
    _, read = told(linguist, f"/articles/{texts['id']}/")

    assert "of the zorilla" in content
    assert "because: the newspaper asks for it." in " ".join(content.split())
    assert "put back" in content
    assert "put back" not in read


def test_counts_are_without_it(linguist, texts):
    before = json.loads(told(linguist, "/api/corpus/")[1])
    withdrawals.withdraw_articles([texts["id"]], ORDER)
    index_all()

    after = json.loads(told(linguist, "/api/corpus/")[1])
    listed = json.loads(told(linguist, "/api/articles/")[1])
    publications = json.loads(told(linguist, "/api/publications/")[1])["publications"]

    assert (before["articles"], after["articles"], listed["total"]) == (2, 1, 1)
    assert (before["comments"], after["comments"]) == (1, 0)
    assert (before["commented_articles"], after["commented_articles"]) == (1, 0)
    assert {row["slug"]: row["articles"] for row in publications}["karoo-courier"] == 0
    assert after["tokens"]["comments"] == 0


def test_the_filter_of_its_publication_goes_on_working(linguist, texts):
    withdrawals.withdraw_articles([texts["id"]], ORDER)
    index_all()

    status, content = told(linguist, "/search/?q=drank&pub=karoo-courier")

    assert status == 200
    assert "karoo" in content


def test_an_older_generation_says_how_many_are_gone(linguist, texts):
    withdrawals.withdraw_articles([texts["id"]], ORDER)
    index_all()

    _, content = told(linguist, "/search/?q=drank&asof=1")

    assert "2 texts were withdrawn since" in " ".join(content.split())


def test_a_saved_feed_has_it_no_more(client, editor, texts, django_user_model):
    owner = django_user_model.objects.first()
    query = SavedQuery.objects.create(
        owner=owner, parameters="q=drank", generation=0, n_hits=0, short="abc"
    )
    before = told(client, feed_address(query))[1]
    withdrawals.withdraw_articles([texts["id"]], ORDER)
    index_all()

    after = told(client, feed_address(query))[1]

    assert "zorilla" in before
    assert "zorilla" not in after


def test_the_api_says_that_it_is_gone(linguist, texts):
    withdrawals.withdraw_articles([texts["id"]], ORDER)

    assert told(linguist, f"/api/articles/{texts['id']}/")[0] == 410


def test_an_editor_withdraws_and_puts_back_with_buttons(editor, texts):
    address = f"/articles/{texts['id']}/withdraw/"

    asked = editor.get(address)
    refused = editor.post(address, {"reason": ""})
    done = editor.post(address, {"reason": "They ask."}, follow=True)
    out = Article.objects.get(pk=texts["id"]).in_corpus
    editor.post(f"/articles/{texts['id']}/put-back/")

    assert (asked.status_code, refused.status_code, done.status_code) == (200, 400, 200)
    assert out is False
    assert Article.objects.get(pk=texts["id"]).in_corpus
    entry = Withdrawal.objects.get()
    assert (entry.reason, entry.by.role, entry.ended_by.role) == ("They ask.", "editor", "editor")


def test_a_comment_is_a_gap_that_an_editor_closes(editor, linguist, texts):
    tab = f"/articles/{texts['id']}/comments/"

    editor.post(f"/comments/{texts['comment']}/withdraw/", {"reason": "Slander."})
    _, content = told(linguist, tab)
    _, api = told(linguist, f"/api/articles/{texts['id']}/comments/")
    editor.post(f"/comments/{texts['comment']}/put-back/")

    assert "really?" not in content
    assert "comment withdrawn on" in content
    assert "really?" not in api
    assert Comment.objects.get().withdrawn_at is None
    assert "really?" in told(linguist, tab)[1]


def test_a_publication_is_withdrawn_and_put_back_on_its_page(editor, texts):
    editor.post("/sources/karoo-courier/withdraw/", {"reason": "The owner."})
    _, content = told(editor, "/sources/karoo-courier/")
    out = list(Article.objects.order_by("pk").values_list("in_corpus", flat=True))
    editor.post("/sources/karoo-courier/put-back/")

    assert "because: the owner." in " ".join(content.split())
    assert out == [False, True]
    assert Article.objects.filter(in_corpus=True).count() == 2


def test_ticked_articles_are_withdrawn_together(editor, texts):
    ticked = [texts["id"], texts["other"]]

    asked = editor.post("/articles/selected/", {"act": "withdraw", "article": ticked})
    editor.post(
        "/articles/selected/", {"act": "withdraw-now", "article": ticked, "reason": "All of them."}
    )

    assert "withdraw 2 articles" in asked.content.decode().lower()
    assert Article.objects.filter(in_corpus=True).count() == 0


def test_who_ticked_nothing_comes_back_to_the_filtered_list(editor, texts):
    answer = editor.post("/articles/selected/", {"act": "withdraw", "given": "pub=bay-herald"})

    assert answer.url == "/articles/?pub=bay-herald"


def test_withdrawn_selection_leads_back_to_the_filtered_list(editor, texts):
    wish = {"act": "withdraw-now", "article": [texts["id"]], "reason": "All.", "given": "lang=en"}

    assert editor.post("/articles/selected/", wish).url == "/articles/?lang=en"


def test_who_withdraws_what_is_out_is_told_before_giving_a_reason(editor, texts):
    withdrawals.withdraw_articles([texts["id"]], ORDER)

    answer = editor.get(f"/articles/{texts['id']}/withdraw/", follow=True)

    assert answer.redirect_chain == [(f"/articles/{texts['id']}/", 302)]
    assert "is withdrawn already." in answer.content.decode()


def test_register_offers_no_way_back_for_what_was_erased(editor, texts):
    withdrawals.withdraw_articles([texts["id"], texts["other"]], ORDER)
    Article.objects.filter(pk=texts["id"]).update(erased_at=NOW)

    _, content = told(editor, "/withdrawals/")

    assert f"/articles/{texts['id']}/put-back/" not in content
    assert f"/articles/{texts['other']}/put-back/" in content


def test_publication_that_is_out_says_where_its_articles_are(editor, texts):
    editor.post("/sources/karoo-courier/withdraw/", {"reason": "The owner."})

    _, content = told(editor, "/sources/karoo-courier/")

    assert "none stored yet" not in content
    assert "all of its articles are withdrawn." in " ".join(content.split())
    assert "the owner.." not in content
    assert 'class="state warn">withdrawn' in told(editor, "/sources/")[1].replace("\n", "")


def test_publication_that_was_erased_says_what_putting_it_back_brings(editor, texts):
    withdrawals.erase_publication(Publication.objects.get(slug="karoo-courier"), ORDER)

    _, content = told(editor, "/sources/karoo-courier/")

    assert "its texts were erased for good." in content
    assert "none of its texts is shown" not in content


def test_all_that_filters_let_through_are_withdrawn_together(editor, texts):
    given = {"given": "pub=bay-herald"}

    editor.post("/articles/selected/", {"act": "withdraw-all", **given})
    editor.post(
        "/articles/selected/", {"act": "withdraw-now", "all": "1", "reason": "Theirs.", **given}
    )

    assert [row.pk for row in Article.objects.filter(in_corpus=False)] == [texts["other"]]


def test_without_filters_not_all_are_withdrawn(editor, texts):
    editor.post("/articles/selected/", {"act": "withdraw-now", "all": "1", "reason": "Oops."})

    assert not Article.objects.filter(in_corpus=False).exists()


def test_erasing_needs_an_admin_and_a_typed_word(editor, admin_reader, texts):
    address = f"/articles/{texts['id']}/erase/"
    given = {"reason": "A court."}

    forbidden = editor.post(address, {**given, "typed": f"erase {texts['id']}"})
    refused = admin_reader.post(address, {**given, "typed": "erase"})
    n_before = Erasure.objects.count()
    admin_reader.post(address, {**given, "typed": f"erase {texts['id']}"})

    assert (forbidden.status_code, refused.status_code, n_before) == (403, 400, 0)
    assert Erasure.objects.get().entry.article_id == texts["id"]


def test_article_says_that_it_is_on_legal_hold(admin_reader, linguist, texts):
    address = f"/articles/{texts['id']}/"

    admin_reader.post(f"{address}hold/", {"reason": "Case 12/2026."})

    held = "on legal hold since"
    assert held in told(admin_reader, address)[1]
    assert "case 12/2026." in told(admin_reader, address)[1]
    assert held not in told(linguist, address)[1]
    admin_reader.post(f"{address}lift/")
    assert held not in told(admin_reader, address)[1]


def test_a_hold_refuses_erasing_until_it_is_lifted(admin_reader, texts):
    erase = f"/articles/{texts['id']}/erase/"
    given = {"reason": "A court.", "typed": f"erase {texts['id']}"}
    admin_reader.post(f"/articles/{texts['id']}/hold/", {"reason": "Litigation."})

    held = admin_reader.post(erase, given)
    admin_reader.post(f"/articles/{texts['id']}/lift/")
    admin_reader.post(erase, given)

    assert held.status_code == 400
    assert "legal hold" in held.content.decode()
    assert Erasure.objects.count() == 1


@pytest.mark.parametrize(
    "path",
    [
        "/articles/{id}/withdraw/",
        "/articles/{id}/put-back/",
        "/articles/{id}/erase/",
        "/articles/{id}/hold/",
        "/articles/{id}/lift/",
        "/articles/selected/",
        "/comments/{comment}/withdraw/",
        "/comments/{comment}/put-back/",
        "/comments/{comment}/erase/",
        "/sources/karoo-courier/withdraw/",
        "/sources/karoo-courier/put-back/",
        "/sources/karoo-courier/erase/",
    ],
)
def test_a_linguist_takes_nothing_out(path, linguist, texts):
    answer = linguist.post(path.format(**texts), {"reason": "I say so."})

    assert answer.status_code == 403
    assert not Withdrawal.objects.exists()


def told_total(client, query):
    return json.loads(told(client, f"/api/withdrawals/?{query}")[1])["total"]


def test_the_register_is_filtered_and_exported(editor, linguist, texts):
    withdrawals.withdraw_articles([texts["id"]], ORDER)
    withdrawals.put_back_articles([texts["id"]], None, NOW)
    withdrawals.withdraw_articles([texts["other"]], ORDER)

    page = told(editor, "/withdrawals/?open=on")[1]
    rows = list(csv.DictReader(io.StringIO(told(editor, "/withdrawals/?format=csv")[1])))
    listed = json.loads(told(editor, "/withdrawals/?format=json&pub=bay-herald")[1])
    api = json.loads(told(editor, "/api/withdrawals/")[1])

    assert page.count("data-row") == 1
    assert tuple(rows[0]) == COLUMNS
    assert [row["article"] for row in rows] == [str(texts["id"]), str(texts["other"])]
    assert [row["article"] for row in listed] == [texts["other"]]
    assert api["total"] == 2
    assert told_total(editor, "open=1&measure=withdrawn") == 1
    assert told_total(editor, "measure=erased") == 0
    assert told_total(editor, "pub=bay-herald&what=article") == 1
    assert told(editor, "/api/withdrawals/?measure=x")[0] == 400
    assert told(linguist, "/withdrawals/")[0] == 403
    assert told(linguist, "/api/withdrawals/")[0] == 403
