"""Erased texts are nowhere: not in the archive, the tables, the index; and do not come back."""

import gzip
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings as site
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from integration.feeds.newspapers import add_feed, add_page, crawl, make_paper, rss
from integration.feeds.origin import Origin, answer
from microblog_servers import Mastodon
from newspaper_pages import article_page

from corpus_site import pipeline
from corpus_site.removal import erasing, withdrawals
from extraction import extract
from extraction.models import Article, Comment, Erasure, Extraction, Withdrawal
from extraction.withdrawal import register
from extraction.withdrawal.erasing import HeldError
from extraction.withdrawal.register import Order
from feeds.archive.verifying import verify
from feeds.frontier import NewPage, add_pages
from feeds.models import Fetch, Page, PageKind, Tombstone
from feeds.work import leases
from feeds.work.leases import Claim
from search.engine.index.documents import DocumentKind
from search.engine.index.manifest import load_manifest
from search.opened_index import current_snapshot

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LATER = NOW + timedelta(minutes=5)
PATHS = ("/news/dredging-of-the-inner-basin-nears-its-end", "/news/the-quay-of-old-times-is-sold")
SECRETS = ("Quagga", "Xylophone")
ORDER = Order("A court says so.", None, NOW)
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def page_with(secret):
    """An article page that says a word of its own in text, title and address."""
    whole = article_page(title=f"The {secret} nears its end").decode()
    return whole.replace("the ", f"the {secret} ").encode()


@pytest.fixture
def web(settings):
    """A local server that answers for every site, without delays."""
    with Origin() as started:
        settings.CRAWL_PROXY_URL = started.url
        settings.CRAWL_MIN_DELAY_SECONDS = 0
        yield started


@pytest.fixture
def paper(web):
    """A publication with two articles that went the whole way."""
    paper = make_paper(NOW)
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    for path, secret in zip(PATHS, SECRETS, strict=True):
        web.routes[path] = answer(page_with(secret), 200, headers)
        add_page(paper, f"http://karoo.example{path}", NOW)
    for seconds in (0, 30, 60):
        ids = crawl(NOW + timedelta(seconds=seconds)).next_ids.get("pages", ())
        extract.register(ids, NOW)
    run_stages(NOW)
    return paper


def run_stages(now, names=("extract", "detect", "erase", "index")):
    """Run stages until none of them has anything to do."""
    for _ in range(50):
        reports = [pipeline.BY_NAME[name].run(Claim.make("tester", now)) for name in names]
        if not any(report.n_claimed for report in reports):
            return
    raise AssertionError("the stages do not come to an end")


def articles():
    first, second = Article.objects.order_by("url")
    return first, second


def places_of(word):
    """Tables whose rows hold a word."""
    found = []
    for table in connection.introspection.table_names():
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 (names from the database)
            if any(word.lower() in repr(row).lower() for row in cursor.fetchall()):
                found.append(table)
    return found


def archive_holds(word):
    whole = b"".join(gzip.decompress(p.read_bytes()) for p in site.ARCHIVE_DIR.glob("*.warc.gz"))
    return word.lower().encode() in whole.lower()


def erase(article, now=LATER):
    withdrawals.erase_articles([article.pk], ORDER)
    run_stages(now)


def test_an_erased_article_is_nowhere(paper):
    first, _ = articles()
    assert archive_holds("Quagga")
    assert "extraction_article" in places_of("quagga")

    erase(first)

    assert not archive_holds("Quagga")
    assert not archive_holds(PATHS[0])
    assert archive_holds("Xylophone")
    assert places_of("quagga") == []
    assert places_of(PATHS[0]) == []
    shell = Article.objects.get(pk=first.pk)
    assert (shell.text, shell.title, shell.url) == ("", "", "https://karoo.example/")
    assert (shell.in_corpus, shell.erased_at, shell.reason) == (False, LATER, "Withdrawn: erased.")


def test_the_archive_is_sound_and_neighbours_read_as_before(paper):
    first, second = articles()
    text = second.text

    erase(first)

    assert all(report.is_sound and not report.problems for report in verify())
    Extraction.objects.filter(page=second.page).reschedule(LATER)
    run_stages(LATER)
    assert Article.objects.get(pk=second.pk).text == text
    fetch = Fetch.objects.get(page=first.page_id)
    assert (fetch.status, fetch.outcome) == (200, "ok")
    assert (fetch.archive_file, fetch.archive_offset, fetch.archive_length) == ("", None, None)


def test_the_index_holds_its_rows_no_more(paper):
    first, second = articles()

    erase(first)
    snapshot = current_snapshot()

    assert snapshot.locate(DocumentKind.ARTICLE, first.pk, 1) is None
    assert snapshot.locate(DocumentKind.ARTICLE, second.pk) is not None
    assert all(first.pk not in view.segment.documents.key for view in snapshot.segments)
    assert snapshot.n_withdrawn_since(1) == 1
    named = load_manifest(site.INDEX_DIR).file_names()
    assert {path.name for path in site.INDEX_DIR.glob("*.segment")} <= named


def test_the_register_says_so_and_finds_it_by_its_address_alone(paper):
    first, _ = articles()
    erase(first)

    entry = Withdrawal.objects.get(measure="erased")
    found = register.RegisterFilter(address=f"http://karoo.example{PATHS[0]}").entries()

    assert (entry.done_at, entry.address) == (LATER, "http://karoo.example/")
    assert Erasure.objects.get().finished_at == LATER
    assert set(found) == set(Withdrawal.objects.all())


def test_its_address_does_not_come_back_by_feed_or_crawl(paper, web):
    first, _ = articles()
    Page.objects.filter(pk=first.page_id).update(guid="story-1")
    erase(first)
    url = f"http://karoo.example{PATHS[0]}"
    web.routes["/feed"] = rss((url, "story-1"), ("http://karoo.example/moved/to-here", "story-1"))
    feed = add_feed(paper, "http://karoo.example/feed", LATER)

    crawl(LATER)
    key = url.removeprefix("http://")
    new = NewPage(
        url=url, key=key, host="karoo.example", kind=PageKind.ARTICLE, publication_id=paper.pk
    )
    report = add_pages([new], LATER)

    assert (report.ids, report.added) == ({}, frozenset())
    assert not Page.objects.filter(key__contains="news/dredging").exists()
    assert not Page.objects.filter(key__contains="moved/to-here").exists()
    assert feed.page.fetches.get().outcome == "ok"


def quoting_feed(*quoted):
    """A feed that says of each (path, secret) the title and the whole text."""
    items = "".join(
        f"<item><title>The {secret} nears its end</title><link>http://karoo.example{path}</link>"
        f"<content:encoded>All of the {secret} text.</content:encoded></item>"
        for path, secret in quoted
    )
    space = "xmlns:content='http://purl.org/rss/1.0/modules/content/'"
    body = f"<rss version='2.0' {space}><channel><title>Karoo</title>{items}</channel></rss>"
    return answer(body.encode(), 200, (("Content-Type", "application/rss+xml"),))


def polled(feed, now):
    Page.objects.filter(pk=feed.page_id).reschedule(now)
    crawl(now)


def test_feeds_that_quote_an_erased_article_are_erased_too(paper, web):
    first, second = articles()
    both = tuple(zip(PATHS, SECRETS, strict=True))
    feed = add_feed(paper, "http://karoo.example/feed", NOW)
    for number, quoted in enumerate([both[1:], both, both, both[:1], both[1:]]):
        web.routes["/feed"] = quoting_feed(*quoted, *[(f"/{number}", "okapi")] * (number != 2))
        polled(feed, LATER + timedelta(minutes=number))
    kept = [Fetch.objects.filter(page=feed.page).earliest("pk").pk]
    kept += [Fetch.objects.filter(page=feed.page).latest("pk").pk]
    Page.objects.exclude(pk__in=(first.page_id, second.page_id, feed.page_id)).reschedule(None)

    erase(first, NOW + timedelta(minutes=30))

    assert not archive_holds("Quagga")
    assert archive_holds("Xylophone")
    with_record = Fetch.objects.filter(page=feed.page, archive_offset__isnull=False)
    assert sorted(with_record.values_list("pk", flat=True)) == kept
    assert all(report.is_sound and not report.problems for report in verify())


def test_no_copy_is_kept_of_a_feed_while_it_lists_what_was_erased(paper, web):
    first, _ = articles()
    both = tuple(zip(PATHS, SECRETS, strict=True))
    web.routes["/feed"] = quoting_feed(*both)
    feed = add_feed(paper, "http://karoo.example/feed", NOW)
    crawl(LATER)
    erase(first, NOW + timedelta(minutes=30))

    for minutes in (40, 50):  # read, then the same bytes once more
        polled(feed, NOW + timedelta(minutes=minutes))
    held = archive_holds("Quagga")
    web.routes["/feed"] = quoting_feed(both[1])
    polled(feed, NOW + timedelta(minutes=60))

    outcomes = Fetch.objects.filter(page=feed.page).order_by("pk")
    assert not held
    assert archive_holds("All of the Xylophone text")
    assert [row.archive_file != "" for row in outcomes] == [False, False, False, True]
    assert {row.outcome for row in outcomes} == {"ok"}
    assert places_of("quagga") == []


def test_an_erasure_waits_for_who_reads_a_feed_that_listed_it(paper, web):
    first, _ = articles()
    web.routes["/feed"] = quoting_feed((PATHS[0], SECRETS[0]))
    feed = add_feed(paper, "http://karoo.example/feed", NOW)
    crawl(LATER)
    withdrawals.erase_articles([first.pk], ORDER)
    Page.objects.filter(pk=feed.page_id).update(
        lease_owner="other", lease_until=LATER + timedelta(seconds=60)
    )

    run_stages(LATER)
    waits = archive_holds("All of the Quagga text")
    run_stages(LATER + timedelta(seconds=61))

    assert waits
    assert not archive_holds("Quagga")


@pytest.mark.parametrize(
    "place",
    [
        "extraction.withdrawal.erasing.bury_texts",
        "extraction.withdrawal.erasing.empty_articles",
        "dedup.forgetting.forget",
        "feeds.removal.erasing.archived_places",
        "feeds.removal.erasing.empty_pages",
        "corpus_site.removal.erasing.overwrite",
        "extraction.withdrawal.erasing.close",
    ],
)
def test_an_erasure_goes_on_after_a_kill(paper, monkeypatch, place):
    first, _ = articles()
    withdrawals.erase_articles([first.pk], ORDER)

    def die(*_args, **_kwargs):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(place, die)
        with pytest.raises(KeyboardInterrupt):
            run_stages(LATER)
    run_stages(LATER + timedelta(seconds=site.LEASE_SECONDS + 1))

    assert not archive_holds("Quagga")
    assert places_of("quagga") == []
    assert all(report.is_sound for report in verify())
    assert Erasure.objects.get().finished_at is not None


def test_a_job_that_goes_on_before_the_index_was_told_ends_after_it(paper):
    first, _ = articles()
    withdrawals.erase_articles([first.pk], ORDER)
    pipeline.BY_NAME["index"].run(Claim.make("tester", LATER))  # it is withdrawn first
    erasing.run(50, Claim.make("killed behind its commit", LATER))

    for _ in range(3):  # another worker takes the job up before the index has work
        pipeline.BY_NAME["erase"].run(Claim.make("tester", LATER))
    pipeline.sweep(LATER)
    run_stages(LATER)

    assert Erasure.objects.get().finished_at is not None
    held = b"".join(path.read_bytes() for path in site.INDEX_DIR.iterdir()).lower()
    assert b"quagga" not in held
    assert b"xylophone" in held


def test_a_kill_while_a_record_is_overwritten_leaves_no_damage(paper, monkeypatch):
    first, _ = articles()
    withdrawals.erase_articles([first.pk], ORDER)
    whole = erasing.overwrite

    def torn(archive, places, now):
        places = list(places)
        for place in places[:1]:
            with (archive.folder / place.filename).open("r+b") as file:
                file.seek(place.offset + 30)
                file.write(b"torn apart")
        if places:
            raise KeyboardInterrupt
        return whole(archive, places, now)

    with monkeypatch.context() as patch:
        patch.setattr(erasing, "overwrite", torn)
        with pytest.raises(KeyboardInterrupt):
            run_stages(LATER)
    run_stages(LATER + timedelta(seconds=site.LEASE_SECONDS + 1))

    assert all(report.is_sound and not report.problems for report in verify())
    assert archive_holds("Xylophone")
    assert not archive_holds("Quagga")


def test_what_is_on_hold_is_not_erased(paper):
    first, second = articles()
    register.hold(
        register.of_article(Article.objects.select_related("page").get(pk=first.pk)), ORDER
    )

    with pytest.raises(HeldError):
        withdrawals.erase_articles([first.pk, second.pk], ORDER)
    with pytest.raises(HeldError):
        withdrawals.erase_publication(paper, ORDER)

    assert Article.objects.filter(in_corpus=True).count() == 2


def test_a_hold_that_comes_after_the_asking_stops_the_job(paper):
    first, _ = articles()
    withdrawals.erase_articles([first.pk], ORDER)
    register.hold(register.of_publication(paper), ORDER)

    run_stages(LATER)

    assert archive_holds("Quagga")
    assert "legal hold" in Erasure.objects.get().last_error


@pytest.mark.parametrize("model", [Page, Extraction])
def test_an_erasure_waits_for_who_works_on_the_page(paper, model):
    first, _ = articles()
    withdrawals.erase_articles([first.pk], ORDER)
    row = model.objects.filter(**{"pk" if model is Page else "page": first.page_id})
    row.update(lease_owner="other", lease_until=LATER + timedelta(seconds=60))

    run_stages(LATER)
    waits = archive_holds("Quagga")
    run_stages(LATER + timedelta(seconds=61))

    assert waits
    assert not archive_holds("Quagga")


def test_a_publication_is_erased_slice_by_slice(paper, monkeypatch):
    monkeypatch.setattr(erasing, "ARTICLES_PER_SLICE", 1)

    withdrawals.erase_publication(paper, ORDER)
    run_stages(LATER)

    assert [archive_holds(secret) for secret in SECRETS] == [False, False]
    assert Erasure.objects.get().n_done == 2
    assert Tombstone.objects.count() >= 2


def test_a_comment_is_erased_with_the_records_that_hold_it(paper):
    first, _ = articles()
    comment = Comment.objects.create(
        article=first, system="page", remote_id="1", posted_at=NOW, text="Quagga said I.",
        html="<p>Quagga said I.</p>", author_name="Gogo", created_at=NOW, updated_at=NOW,
    )  # fmt: skip

    withdrawals.erase_comment(comment, ORDER)
    run_stages(LATER)

    comment.refresh_from_db()
    assert (comment.text, comment.html, comment.author_name) == ("", "", "")
    assert not archive_holds("Quagga")
    assert Article.objects.get(pk=first.pk).in_corpus
    assert all(report.is_sound for report in verify())


def test_records_that_hold_an_erased_comment_once_more_are_erased_again(paper, web):
    first, _ = articles()
    shown = (
        "<section id='comments'><h2>1 comment</h2><ol class='comment-list'>"
        "<li class='comment' id='comment-7'><article class='comment-body'>"
        "<b class='fn'>Gogo</b> <time datetime='2026-11-20T09:00:00Z'>20 November</time>"
        "<div class='comment-content'><p>I have seen an okapi here.</p></div></article></li></ol>"
        "</section>"
    )

    def visited(now, more):
        body = article_page(after=shown + more)
        web.routes[PATHS[0]] = answer(body, 200, (("Content-Type", "text/html; charset=utf-8"),))
        Page.objects.filter(pk=first.page_id).reschedule(now)
        extract.register(crawl(now).next_ids.get("pages", ()), now)
        erasing.pending(10, now)
        run_stages(now)

    visited(LATER, "")
    comment = Comment.objects.get()
    withdrawals.erase_comment(comment, ORDER)
    run_stages(LATER)
    once = archive_holds("okapi")

    visited(LATER + timedelta(minutes=10), "<p>1 reader</p>")
    again = archive_holds("okapi")
    visited(LATER + timedelta(minutes=20), "<p>2 readers</p>")
    erasing.pending(10, LATER + timedelta(minutes=21))
    run_stages(LATER + timedelta(minutes=21))

    assert (once, again) == (False, True)
    assert not archive_holds("okapi")
    assert Comment.objects.get().text == ""
    assert Erasure.objects.get().finished_at is not None
    assert erasing.pending(10, LATER + timedelta(minutes=22)) == 0
    assert Article.objects.get(pk=first.pk).in_corpus


def test_erasing_twice_is_erasing_once(paper):
    first, _ = articles()
    erase(first)

    assert withdrawals.erase_articles([first.pk], ORDER) == 0
    assert Erasure.objects.count() == 1


def test_commands_say_a_line_an_address(paper, capsys):
    url, other = (f"http://karoo.example{path}" for path in PATHS)

    call_command("withdraw", url, "--reason", "They ask for it.")
    call_command("put_back", url)
    call_command("erase", url, "--reason", "A court.")
    run_stages(timezone.now())
    with pytest.raises(CommandError, match="1 of 2 addresses"):
        call_command("withdraw", url, other, "--reason", "They ask for it.")

    assert capsys.readouterr().out.splitlines() == [
        f"{url}: withdrawn",
        f"{url}: put back",
        f"{url}: withdrawn, being erased",
        f"{url}: erased before",
        f"{other}: withdrawn",
    ]


def test_a_job_is_listed_and_cannot_be_stopped(paper):
    first, _ = articles()
    withdrawals.erase_articles([first.pk], ORDER)

    job = next(iter(erasing.jobs(NOW)))

    assert (job.n_done, job.n_all, job.is_stoppable) == (0, 1, False)
    assert leases.claim(Erasure.objects.all(), 1, Claim.make("tester", NOW))


def test_why_not_says_that_it_was_erased(paper, linguist):
    first, _ = articles()
    erase(first)

    answer = linguist.get(f"/status/url/?u=karoo.example{PATHS[0]}")

    assert "it was erased and does not come back" in answer.content.decode()


TIMELINE = "http://veld.example/api/v1/timelines/public?limit=40"


def test_an_erased_post_is_nowhere_and_those_beside_it_stay(web):
    server = Mastodon(web.routes, host="veld.example")
    server.write(11, "<p>A quagga was seen at the dam.</p>")
    server.write(12, "<p>The dam is full.</p>", in_reply_to_id="11")
    feed = add_feed(make_paper(NOW), TIMELINE, NOW)
    run_stages(NOW, ("fetch", "extract", "detect", "index"))
    erased, beside = Article.objects.order_by("url")
    assert archive_holds("quagga")

    erase(erased)

    assert not archive_holds("quagga")
    assert places_of("quagga") == []
    snapshot = current_snapshot()
    assert all(erased.pk not in view.segment.documents.key for view in snapshot.segments)
    # The answer in which both stood is gone; the other text stays.
    beside.refresh_from_db()
    assert (beside.text, beside.in_corpus) == ("The dam is full.", True)

    # While the timeline lists it, no copy is kept of that: what is new is asked for by itself.
    server.write(13, "<p>It rained again.</p>")
    feed.refresh_from_db()
    feed.place = {}
    feed.save()
    later = LATER + timedelta(minutes=1)
    Page.objects.filter(pk=feed.page_id).reschedule(later)
    run_stages(later, ("fetch", "extract", "detect", "index"))

    assert not archive_holds("quagga")
    assert places_of("quagga") == []
    assert Article.objects.filter(text="It rained again.", in_corpus=True).count() == 1
