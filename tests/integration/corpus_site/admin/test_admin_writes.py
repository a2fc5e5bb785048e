"""All tables: what is changed or taken out there does what the pages do, and corrupts nothing."""

import pytest
from django.forms import CheckboxInput, MultiWidget
from django.utils import timezone
from factories import (
    NOW,
    index_all,
    make_article,
    make_comment,
    make_feed,
    make_fetch,
    make_page,
    make_publication,
    make_rules,
    make_user,
)

from corpus_site.accounts.models import User
from corpus_site.pipeline import BY_NAME
from dedup.models import SentenceHash
from dedup.similarity.sentences import sentence_hashes
from extraction import placing
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import (
    Article,
    Comment,
    CorrectionChange,
    Extraction,
    SiteRule,
    Withdrawal,
)
from extraction.text.digest import text_digest
from extraction.text.sentences import split_sentences
from feeds.models import Feed, Page, Publication
from feeds.work import leases
from feeds.work.leases import Claim
from search.models import IndexedArticle, IndexedComment, LexiconEntry, Macro, Subcorpus, WordList
from search.opened_index import current_snapshot

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

FIRST, SECOND = "The harbour burnt all night, said the mayor.", "No one was hurt on the quay."


def address(row, page="change"):
    return f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/{page}/"


def shown(client, row):
    """What a browser would send back unchanged."""
    context = client.get(address(row)).context
    values = {}
    for inline in context["inline_admin_formsets"]:
        form = inline.formset.management_form
        values |= {field.html_name: field.value() for field in form}
    for field in context["adminform"].form:
        widget = field.field.widget
        value = widget.format_value(field.value())
        if isinstance(widget, CheckboxInput):
            values |= {field.html_name: "on"} if field.value() else {}
        elif isinstance(widget, MultiWidget):
            parts = widget.decompress(field.value())
            values |= {f"{field.html_name}_{n}": part or "" for n, part in enumerate(parts)}
        else:
            values[field.html_name] = "" if value is None else value
        if field.field.show_hidden_initial:
            values[field.html_initial_name] = values[field.html_name]
    return values


def send(client, row, page="change", **changes):
    values = shown(client, row) if page == "change" else {}
    return client.post(address(row, page), values | changes, follow=True)


def act(client, action, *rows, **more):
    model = rows[0]._meta
    chosen = {"action": action, "_selected_action": [row.pk for row in rows]}
    where = f"/admin/{model.app_label}/{model.model_name}/"
    return client.post(where, chosen | more, follow=True)


def said(answer):
    return [str(message) for message in answer.context["messages"]]


# Articles and comments


def test_an_article_saved_unchanged_is_not_written(admin_reader):
    article = make_article(f"{FIRST}\n{SECOND}", sources={"title": "page"})
    before = Article.objects.values().get()

    send(admin_reader, article)

    assert Article.objects.values().get() == before
    assert not CorrectionChange.objects.exists()


def test_an_articles_title_becomes_a_correction_by_hand(admin_reader):
    article = make_article(f"{FIRST}\n{SECOND}", sources={"title": "page"}, blocks=[["p", 0, 44]])
    index_all()

    send(admin_reader, article, title="Quay burnt", text="cut", n_words=1, in_corpus="")

    row = Article.objects.get()
    assert (row.title, row.sources["title"]) == ("Quay burnt", "editor")
    assert (row.text, row.blocks, row.text_digest) == (
        article.text,
        article.blocks,
        article.text_digest,
    )
    assert (row.n_words, row.in_corpus) == (article.n_words, True)
    assert CorrectionChange.objects.get().made_by.role == "admin"
    assert IndexedArticle.objects.get().due_at is not None


def test_articles_are_taken_anyway_by_an_action(admin_reader):
    article = make_article("Rain.", in_corpus=False, reason="short")

    act(admin_reader, "take", article)
    is_taken = Article.objects.get().in_corpus
    act(admin_reader, "leave_out", article)

    assert (is_taken, Article.objects.get().in_corpus) == (True, False)


@pytest.mark.parametrize("way", ["one", "chosen"])
def test_deleting_texts_withdraws_them_and_takes_them_out_of_the_index(way, admin_reader):
    comment = make_comment(make_article("Rain at last."), "Eish, no braai today.")
    index_all()

    for row in (comment, comment.article):
        if way == "one":
            send(admin_reader, row, "delete", post="yes")
        else:
            act(admin_reader, "delete_selected", row, post="yes")
    index_all()

    assert (Article.objects.count(), Comment.objects.count()) == (1, 1)
    assert {entry.reason for entry in Withdrawal.objects.all()} == {"Taken out under All tables"}
    row = Article.objects.get()
    assert (row.in_corpus, row.reason) == (False, "Withdrawn: Taken out under All tables")
    assert Comment.objects.get().withdrawn_at is not None
    assert current_snapshot().size().n_documents == 0


def test_a_comments_text_takes_all_that_hangs_on_it_along(admin_reader):
    comment = make_comment(make_article(), "Eish, no braai today.", html="<p>Eish</p>")
    index_all()

    send(
        admin_reader, comment, text="Die skip het vandag gesink <b> in die hawe.\nJammer vir hulle."
    )

    row = Comment.objects.get()
    assert row.text == "Die skip het vandag gesink <b> in die hawe.\nJammer vir hulle."
    assert row.html == (
        "<p>Die skip het vandag gesink &lt;b&gt; in die hawe.</p><p>Jammer vir hulle.</p>"
    )
    assert (row.text_digest, row.n_words) == (text_digest(row.text), 12)
    assert row.language == "af"
    assert IndexedComment.objects.get().due_at is not None


def test_comments_are_found_by_their_text_and_publication(admin_reader):
    comment = make_comment(make_article(), "Eish, no braai today.")
    make_comment(make_article(publication=make_publication("daily-dune")), "Rain at last.")
    where = "/admin/extraction/comment/?article__publication__id__exact="

    by_text = admin_reader.get("/admin/extraction/comment/?q=braai").context["cl"]
    by_paper = admin_reader.get(f"{where}{comment.article.publication_id}").context["cl"]

    assert list(by_text.result_list) == list(by_paper.result_list) == [comment]


# Publications, feeds, pages


def test_a_publication_under_another_name_is_labelled_anew(admin_reader):
    article = make_article()
    placing.pending(100, NOW)
    BY_NAME["placing"].run(Claim("w", NOW, leases.RETRY_DELAY))
    index_all()

    answer = send(admin_reader, article.publication, slug="karoo-times")
    placing.pending(100, NOW)
    BY_NAME["placing"].run(Claim("w", NOW, leases.RETRY_DELAY))

    assert Publication.objects.get().slug == "karoo-times"
    assert "“karoo-courier” find nothing any more" in " ".join(said(answer))
    assert IndexedArticle.objects.get().due_at is not None


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"slug": "add"}, "/sources/add/ is a page of this site"),
        ({"slug": "daily-dune"}, "already exists"),
        ({"name": "Daily Dune"}, "has this name already"),
        ({"home_url": "https://daily-dune.example"}, "already has this home page"),
        ({"visit_share": "3"}, "less than or equal to 0.9"),
        ({"include_pattern": "(["}, "include_pattern"),
    ],
)
def test_what_settings_refuse_is_refused(changes, sentence, admin_reader):
    make_publication("daily-dune")
    publication = make_publication()

    answer = send(admin_reader, publication, **changes)

    assert sentence in answer.content.decode()
    assert Publication.objects.get(pk=publication.pk).slug == "karoo-courier"


def test_saving_a_publication_does_not_stop_or_start_it(admin_reader):
    publication = make_publication()
    values = shown(admin_reader, publication)
    Publication.objects.update(state="active")

    admin_reader.post(address(publication), values | {"note": "Ours", "state": "draft"})

    row = Publication.objects.get()
    assert (row.note, row.state) == ("Ours", "active")


def test_a_draft_is_deleted_and_what_was_started_is_paused_and_withdrawn(admin_reader):
    draft = make_publication("daily-dune")
    started = make_publication(started_at=NOW, state="active")
    make_feed(draft)
    make_article(publication=started)

    send(admin_reader, draft, "delete", post="yes")
    send(admin_reader, started, "delete", post="yes")

    row = Publication.objects.get()
    assert (row.slug, row.state) == (started.slug, "paused")
    assert Article.objects.get().withdrawn_at is not None


def test_a_draft_and_a_started_one_chosen_together_each_go_their_way(admin_reader):
    draft, started = make_publication("daily-dune"), make_publication(started_at=NOW)

    act(admin_reader, "delete_selected", draft, started, post="yes")

    assert list(Publication.objects.all()) == [started]
    assert Withdrawal.objects.get().publication == started


def test_a_feed_is_added_by_its_address(admin_reader):
    publication = make_publication(state="active")
    values = {"publication": publication.pk, "address": "https://karoo.example/rss", "title": "All"}

    admin_reader.post("/admin/feeds/feed/add/", values)
    again = admin_reader.post("/admin/feeds/feed/add/", values)

    feed = Feed.objects.get()
    assert (feed.page.url, feed.title, feed.page.due_at is not None) == (
        "https://karoo.example/rss",
        "All",
        True,
    )
    assert "has this feed already" in again.content.decode()


def test_a_feed_is_switched_off_with_its_visits(admin_reader):
    feed = make_feed()
    Page.objects.reschedule(NOW)

    values = {
        name: value for name, value in shown(admin_reader, feed).items() if name != "is_active"
    }
    admin_reader.post(address(feed), values)

    assert not Feed.objects.get().is_active
    assert Page.objects.get().due_at is None


def test_when_a_held_page_is_due_is_said_so_that_it_reaches_it(admin_reader):
    page = make_page(due_at=NOW)
    values = shown(admin_reader, page)
    leases.claim(Page.objects.all(), 1, Claim("w", NOW, leases.RETRY_DELAY))

    admin_reader.post(
        address(page), values | {"due_at_0": "2026-12-24", "due_at_1": "10:00:00", "url": "x"}
    )
    leases.complete(Page.objects.get(), "w")

    row = Page.objects.get()
    assert (row.url, row.lease_owner) == (page.url, "")
    assert timezone.localtime(row.due_at).isoformat() == "2026-12-24T10:00:00+02:00"


def test_fetches_stay_as_they_were_written(admin_reader):
    fetch = make_fetch(make_page())

    assert send(admin_reader, fetch, "delete", post="yes").status_code == 403
    act(admin_reader, "delete_selected", fetch, post="yes")

    assert type(fetch).objects.count() == 1


# Rules, sentences, what users keep


def rule_of(version):
    return SiteRule.objects.get(version=version)


def test_a_broken_selector_is_refused(admin_reader):
    draft = make_rules(
        make_publication(), Rule(RuleField.TITLE, RuleKind.CSS, "h1"), published_at=None
    )

    answer = send(admin_reader, rule_of(draft), selector="p..[[broken")
    send(admin_reader, rule_of(draft), note="fine")

    assert answer.context["adminform"].form.errors
    assert (rule_of(draft).selector, rule_of(draft).note) == ("h1", "fine")


def test_a_published_rule_is_only_shown(admin_reader):
    published = make_rules(make_publication(), Rule(RuleField.TITLE, RuleKind.CSS, "h1"))

    answer = admin_reader.post(address(rule_of(published)), {"selector": "h2"})

    assert answer.status_code == 403
    assert rule_of(published).selector == "h1"


def test_a_sentence_hash_shows_its_sentence(admin_reader):
    article = make_article(f"{FIRST}\n{SECOND}")
    for key in sentence_hashes(article.text, split_sentences(article.text)):
        SentenceHash.objects.create(hash=key.hash, position=key.position, article=article)

    page = admin_reader.get("/admin/dedup/sentencehash/").content.decode()

    assert FIRST in page
    assert SECOND in page


@pytest.mark.parametrize(
    ("model", "values", "sentence"),
    [
        ("wordlist", {"name": "2 fires", "words": "fire"}, "is no name of a list"),
        ("macro", {"name": "np", "text": "[pos="}, "No query can hold this piece"),
        ("lexiconentry", {"word": "two words", "tag": "NN NN NN"}, "2 tokens here"),
        ("lexiconentry", {"word": "maas", "tag": "NOUNISH"}, "tag"),
    ],
)
def test_what_the_pages_refuse_is_refused_here(model, values, sentence, admin_reader):
    answer = admin_reader.post(f"/admin/search/{model}/add/", values)

    assert answer.status_code == 200
    assert sentence in str(answer.context["adminform"].form.errors)
    assert [row.objects.count() for row in (WordList, Macro, LexiconEntry)] == [0, 0, 0]


def test_a_list_that_queries_use_stays(admin_reader):
    words = WordList.objects.create(name="fires", words="fire")
    Macro.objects.create(name="np", text="[word=$fires]")

    answer = send(admin_reader, words, "delete", post="yes")

    assert WordList.objects.exists()
    assert "stays" in " ".join(said(answer))


def test_a_subcorpus_keeps_its_filters(admin_reader):
    row = Subcorpus.objects.create(
        owner=make_user(), name="Karoo", slug="karoo", filters="pub=karoo-courier"
    )

    send(admin_reader, row, is_shared="on", filters="{broken", slug="x")

    row.refresh_from_db()
    assert (row.is_shared, row.filters, row.slug) == (True, "pub=karoo-courier", "karoo")


def test_an_entry_is_found_in_whatever_spelling_and_changed(admin_reader):
    entry = LexiconEntry.objects.create(word="maas", tag="NN")

    send(admin_reader, entry, tag="NN|VB", word="other")

    assert list(LexiconEntry.objects.values_list("word", "tag")) == [("maas", "NN|VB")]


# Users


def user_page(client, user, **changes):
    values = shown(client, user) | changes
    return client.post(address(user), {name: v for name, v in values.items() if v is not None})


@pytest.fixture
def first():
    """The admin whom `up` makes."""
    return User.objects.create_superuser("admin", password=None, role="admin")


def test_a_demoted_first_admin_has_the_rights_of_the_role(admin_reader, first):
    user_page(admin_reader, first, role="linguist")

    first.refresh_from_db()
    assert (first.role, first.is_admin, first.is_editor) == ("linguist", False, False)
    assert not first.has_perm("feeds.change_publication")


@pytest.mark.parametrize("changes", [{"role": "editor"}, {"is_active": None}])
def test_the_last_admin_stays_an_admin(changes, browse):
    client = browse("admin")
    only = User.objects.get()
    make_user("admin", is_active=False)

    answer = user_page(client, only, **changes)

    only.refresh_from_db()
    assert (only.role, only.is_active) == ("admin", True)
    assert "nobody who is an admin and active" in answer.content.decode()


def test_the_last_admin_is_not_deleted_alone_or_with_others(browse):
    client = browse("admin")
    only, editor = User.objects.get(), make_user("editor")

    alone = send(client, only, "delete", post="yes")
    together = act(client, "delete_selected", editor, only, post="yes")

    assert User.objects.count() == 2
    for answer in (alone, together):
        assert "nobody who is an admin and active" in " ".join(said(answer))


def test_one_of_two_admins_may_go(admin_reader, first):
    send(admin_reader, first, "delete", post="yes")

    assert User.objects.count() == 1


def test_all_admins_chosen_together_stay(admin_reader, first):
    act(admin_reader, "delete_selected", *User.objects.all(), post="yes")

    assert User.objects.count() == 2


def test_an_extraction_that_is_shown_is_not_written_back(admin_reader):
    row = Extraction.objects.create(page=make_page(), outcome="stored", due_at=NOW)
    values = shown(admin_reader, row)
    Extraction.objects.update(outcome="empty")

    admin_reader.post(address(row), values)

    assert Extraction.objects.get().outcome == "empty"
