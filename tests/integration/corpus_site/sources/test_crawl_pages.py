"""Crawls on the screen: a new one, its report, its buttons, and who may press them."""

from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from factories import NOW, make_article, make_fetch, make_page, make_publication, make_user
from pages import markup, parsed

from corpus_site.counts.keeping import keep_counts
from corpus_site.pages.crawls import ReportRow
from extraction.models import Extraction
from feeds.crawls.pool import digest_of
from feeds.models import Crawl, CrawlAddress, Publication
from feeds.watching.crawl_status import crawl_progress

pytestmark = pytest.mark.django_db
RIGHT = {
    "publication": "karoo-courier",
    "kind": "site",
    "seeds": "https://karoo-courier.example/ 20",
    "limit": "100",
    "policy": "needed",
    "max_depth": "1",
}


@pytest.fixture
def paper():
    return make_publication(state="active")


def begin(editor, **changes):
    return editor.post("/crawls/new/", RIGHT | changes)


def test_an_editor_begins_a_crawl_and_comes_to_its_report(editor, paper):
    answer = begin(editor)

    crawl = Crawl.objects.get()
    assert answer["Location"] == f"/crawls/{crawl.pk}/"
    assert (crawl.publication, crawl.seeds, crawl.state) == (
        paper,
        [["https://karoo-courier.example/", 20, ""]],
        "running",
    )
    page = markup(editor.get(answer["Location"]))
    assert "● Running" in page
    assert "waits for its turn" in page


def test_a_crawl_may_make_a_publication_of_its_own(editor):
    begin(editor, publication="", name="All of the Karoo")

    publication = Publication.objects.get()
    assert (publication.name, publication.state, publication.feeds.count()) == (
        "All of the Karoo",
        "active",
        0,
    )


def test_a_new_name_on_a_known_host_asks_where_the_texts_go(editor, paper):
    lines = "https://other.example/\nhttps://karoo-courier.example/af/"
    asked = markup(begin(editor, publication="", name="Loose ends", seeds=lines))
    n_begun = Crawl.objects.count()
    begin(editor, publication="", name="Loose ends", seeds=lines, place="-")
    begin(editor, publication="", name="Loose ends", seeds=lines, place=paper.slug)

    assert "Known already: karoo-courier.example is “Karoo Courier”." in asked
    assert ("Into a new one, “Loose ends”" in asked, n_begun) == (True, 0)
    publications = Crawl.objects.order_by("pk").values_list("publication__name", flat=True)
    assert list(publications) == ["Loose ends", "Karoo Courier"]


def test_another_papers_address_asks_where_the_texts_go(editor, paper):
    home = "https://other.example/"
    other = make_publication("other", name="The Other", home_url=home, state="active")
    lines = "https://other.example/sport/ 20"
    asked = markup(begin(editor, seeds=lines))
    n_begun = Crawl.objects.count()
    begin(editor, seeds=lines, place="-")
    begin(editor, seeds=lines, place=other.slug)

    assert "Known already: other.example is “The Other”." in asked
    assert ("Into “Karoo Courier”" in asked, "Into “The Other”" in asked) == (True, True)
    publications = Crawl.objects.order_by("pk").values_list("publication__name", flat=True)
    assert (n_begun, list(publications)) == (0, ["Karoo Courier", "The Other"])


def test_addresses_of_a_paper_and_of_another_one_are_not_asked_about(editor, paper):
    make_publication("other", name="The Other", home_url="https://other.example/")

    begin(editor, seeds="https://other.example/\nhttps://karoo-courier.example/af/")

    assert Crawl.objects.get().publication == paper


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seeds": ""}, "Give at least one address."),
        ({"seeds": "karoo"}, "Line 1: “karoo” lacks its end, such as .co.za."),
        ({"publication": ""}, "Choose a publication, or name a new one."),
        ({"include_pattern": "("}, "is not a pattern"),
        ({"kind": "archive"}, "Give the first and the last day."),
        ({"limit": "0"}, "greater than or equal to 1"),
        (
            {"kind": "archive", "first_day": "2014-01-02", "last_day": "2014-01-01"},
            "The first day is after the last one.",
        ),
    ],
)
def test_wrong_wishes_are_explained_and_nothing_is_begun(editor, paper, changes, sentence):
    answer = begin(editor, **changes)

    assert (answer.status_code, Crawl.objects.count()) == (400, 0)
    assert sentence in markup(answer)
    assert markup(answer).count("https://karoo-courier.example/ 20") == ("seeds" not in changes)


def test_a_publication_that_rests_is_no_choice(editor):
    make_publication(state="paused")

    assert "is paused: start or resume it first" in markup(begin(editor))


def test_days_of_an_archive_are_kept(editor, paper):
    begin(editor, kind="archive", first_day="2013-01-01", last_day="2013-12-31")

    crawl = Crawl.objects.get()
    assert (crawl.first_day, crawl.next_day) == (date(2013, 1, 1), date(2013, 12, 31))
    assert crawl.archive_url == "https://web.archive.org/web"


def test_limits_traps_and_the_next_crawl_are_told_and_repeating_ends(editor, paper):
    here = begin(editor, pages_per_host="30", max_hours="2", repeat_days="7")["Location"]
    now = timezone.now()
    sentence = "No more addresses such as http://karoo.example/events/1900/7/ are taken."
    seen = {"families": [], "stopped": {"karoo.example/events/#/": sentence}}
    Crawl.objects.update(
        state="done", ended_at=now, due_at=now, traps=seen, trap_sentences=[sentence]
    )

    shown, listed = markup(editor.get(here)), markup(editor.get("/crawls/"))
    editor.post(f"{here}repeat-no-more/")

    words = " ".join(shown.split())
    assert "; at most 30 pages of a host; for at most 2 hours; again every 7 days, next" in words
    assert (sentence in words, "1 trap noticed" in words, "1 trap noticed" in listed) == (True,) * 3
    row = Crawl.objects.get()
    assert (row.pages_per_host, row.max_hours, row.repeat_days, row.due_at) == (30, 2, None, None)


def test_buttons_pause_resume_and_stop(editor, paper):
    place = begin(editor)["Location"]

    states = []
    for action in ("pause", "resume", "stop", "resume"):
        page = markup(editor.post(f"{place}{action}/", follow=True))
        states.append(Crawl.objects.get().state)

    assert states == ["paused", "running", "stopped", "stopped"]
    assert "Only a paused crawl can be resumed." in page
    assert editor.post(f"{place}explode/").status_code == 404


def test_a_report_shows_what_each_address_became_and_is_a_file(editor, paper):
    place = begin(editor)["Location"]
    crawl = Crawl.objects.get()
    page = make_page(paper, outcome="ok", visited_at=timezone.now())
    article = make_article(page=page, n_words=412, extractor="line_model")
    make_address(crawl, page, url="https://karoo-courier.example/=cmd()")
    gone = make_page(paper, outcome="not_found", visited_at=timezone.now(), last_error="404.")
    make_address(crawl, gone)

    shown = markup(editor.get(place))
    missing = markup(editor.get(f"{place}?outcome=not_found"))
    lines = b"".join(editor.get(f"{place}?format=csv").streaming_content).decode().splitlines()

    assert f'href="/articles/{article.pk}/">article</a>' in shown
    assert ("412" in shown, "412" in missing, "404." in missing) == (True, False, True)
    assert len(lines) == 5
    assert lines[3].startswith("https://karoo-courier.example/=cmd(),Story,,1,")


def test_a_report_tells_words_before_and_after_cleaning_and_text_by_tags(editor, paper):
    place = begin(editor)["Location"]
    crawl = Crawl.objects.get()
    sizes = [(300, 1_000, 2_050, 100), (0, 50, 0, 20), (0, 150, 30, 0), (80, None, None, None)]
    for n_words, words, chars, tags in sizes:
        page = make_page(paper, outcome="ok", visited_at=timezone.now())
        Extraction.objects.create(page=page, page_words=words, page_chars=chars, page_tags=tags)
        make_address(crawl, page)
        if n_words:
            make_article(page=page, n_words=n_words)
    CrawlAddress.objects.filter(page=page).update(digest=digest_of("another"))
    make_address(crawl, page)  # the same page by two addresses

    answer = editor.get(place)
    lines = b"".join(editor.get(f"{place}?format=csv").streaming_content).decode().splitlines()

    texts = answer.context["texts"]
    assert (texts.n_articles, texts.n_pages) == (2, 3)
    assert (texts.n_page_words, texts.n_kept_words, texts.ratio) == (1_200, 300, 2_080 / 120)
    shown = " ".join(markup(answer).split())
    words = shown.partition("words after cleaning</span>")[2].partition("</span>")[0]
    assert words.strip().removeprefix('<span class="b"> ').strip() == (
        "25 % of 1 200 on 3 pages that were read; 17.3 characters a tag"
    )
    assert [line.split(",")[-2:] for line in lines[3:]] == [
        ["1000", "20.50"],
        ["50", "0.00"],
        ["150", "30.00"],
        ["", ""],
        ["", ""],
    ]


def make_address(crawl, page, url=""):
    return CrawlAddress.objects.create(
        crawl=crawl,
        page=page,
        url=url or page.url,
        digest=digest_of(page.key),
        role="story",
        depth=1,
        found_at=timezone.now(),
        released_at=timezone.now(),
    )


def test_figures_count_the_same_visits_and_a_failed_crawl_is_not_green(editor, paper):
    place = begin(editor)["Location"]
    crawl = Crawl.objects.get()
    gone = make_page(paper, kind="article", outcome="not_found", visited_at=timezone.now())
    make_fetch(gone, outcome="not_found", status=404)
    make_address(crawl, gone)
    CrawlAddress.objects.filter(page=gone).update(role="page")
    Crawl.objects.update(state="done", due_at=None, end_reason="nothing could be fetched: 404.")

    answer = editor.get(place)

    progress = answer.context["progress"]
    assert (progress.n_visited, progress.outcomes) == (1, (("not_found", 1),))
    assert (progress.n_stories, answer.context["state"]) == (1, ("bad", "✕ Ended"))
    assert [row.fetch and row.fetch.status for row in answer.context["rows"]] == [None, 404]
    assert "✕ Ended" in markup(editor.get("/crawls/"))


def test_outcomes_are_drawn_with_their_shares_and_lead_to_their_addresses(editor, paper):
    place = begin(editor)["Location"]
    for n, outcome in enumerate(("ok", "ok", "not_found")):
        page = make_page(
            paper, url=f"http://karoo.example/{n}", outcome=outcome, visited_at=timezone.now()
        )
        make_address(Crawl.objects.get(), page)

    shown = markup(editor.get(place))

    drawn = shown.partition("By outcome")[2].partition("</table>")[0]
    assert drawn.index("?outcome=ok") < drawn.index("?outcome=not_found")
    assert [share in drawn for share in ("67 %", "33 %")] == [True, True]
    assert "By outcome" not in markup(editor.get(begin(editor)["Location"]))


def test_markup_in_an_address_is_text(editor, paper):
    place = begin(editor)["Location"]
    make_address(Crawl.objects.get(), make_page(paper), url='https://x.example/"><script>a()')

    assert "<script>a()" not in editor.get(place).content.decode()


def test_the_list_names_publication_and_kind(editor, paper):
    assert "No crawls yet" in markup(editor.get("/crawls/"))
    begin(editor)

    assert "Karoo Courier</b>: A section, a site or a domain" in markup(editor.get("/crawls/"))


@pytest.mark.parametrize(("role", "status"), [("linguist", 403), ("reader", 302)])
def test_only_editors_begin_and_change_crawls(browse, editor, paper, role, status):
    place = begin(editor)["Location"]
    other = browse(role)

    answers = [
        other.get("/crawls/new/"),
        other.post("/crawls/new/", RIGHT),
        other.post(f"{place}stop/"),
    ]

    assert [answer.status_code for answer in answers] == [status] * 3
    assert Crawl.objects.get().state == "running"


def test_what_ends_a_crawl_for_good_asks_first(editor, paper):
    place = begin(editor)["Location"]

    [form] = parsed(editor.get(place)).cssselect(f'form[action="{place}stop/"]')

    assert (form.getparent().tag, form.getparent().get("open")) == ("details", None)
    assert "does not go on again" in form.text_content()


def test_a_crawl_is_changed_with_a_token_alone(editor, paper):
    place = begin(editor)["Location"]
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user("editor"), backend="corpus_site.accounts.backends.RoleBackend")

    assert client.post(f"{place}stop/").status_code == 403
    assert editor.get(f"{place}stop/").url == place
    assert Crawl.objects.get().state == "running"


def test_address_that_was_erased_before_is_not_said_to_wait():
    released = ReportRow(CrawlAddress(released_at=NOW), None, None, None)
    waiting = ReportRow(CrawlAddress(), None, None, None)

    assert (released.became, waiting.became) == ("erased", "waits for its turn")


DAYS = {"kind": "archive", "first_day": "2013-12-01", "last_day": "2013-12-31"}


def listed(editor, **changes):
    """Begin a crawl through an archive that has said what it has."""
    place = begin(editor, **DAYS, seeds="https://karoo-courier.example/")["Location"]
    Crawl.objects.update(state="listed", due_at=None, listed_at=NOW, **changes)
    return place


def test_a_web_archive_is_asked_first_what_it_has(editor, paper):
    place = begin(editor, **DAYS, requests_per_minute="6")["Location"]

    crawl = Crawl.objects.get()
    assert (crawl.state, crawl.last_day, crawl.requests_per_minute) == (
        "listing",
        date(2013, 12, 31),
        6,
    )
    page = markup(editor.get(place))
    assert "● Asking the archive" in page
    assert "the archive is asked for its list" in page


def test_what_the_archive_has_is_shown_before_the_crawl_begins(editor, paper):
    for _ in range(56):
        make_page(paper, found_at=timezone.now())
    place = listed(editor, n_listed=29)

    page = markup(editor.get(place))
    begun = markup(
        editor.post(f"{place}begin/", {"limit": "2000", "requests_per_minute": "30"}, follow=True)
    )

    assert "<b>29 front pages</b> that differ, one a day at most, of 31 days." in page
    # 29 and twice 62, two a day of December, at one each 5 s; and twice the limit of 100.
    assert "With 62 stories, as many a day as lately, these are about <b>153 requests</b>" in page
    assert "that takes <b>about 12 min</b>" in page
    assert "it would be 229 requests and 19 min." in page
    crawl = Crawl.objects.get()
    assert (crawl.state, crawl.requests_per_minute, crawl.seeds) == (
        "running",
        30,
        [["https://karoo-courier.example/", 2000, ""]],
    )
    assert "The crawl has begun" in begun


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"limit": "0", "requests_per_minute": "12"}, ["limit"]),
        ({"limit": "5", "requests_per_minute": "61"}, ["requests_per_minute"]),
        ({"limit": "many", "requests_per_minute": "61"}, ["limit", "requests_per_minute"]),
        ({}, ["limit", "requests_per_minute"]),
    ],
)
def test_a_wrong_limit_begins_nothing_and_what_was_typed_stays(editor, paper, given, wrong):
    place = listed(editor, n_listed=29)

    answer = editor.post(f"{place}begin/", given)

    form = answer.context["begin"]
    assert (answer.status_code, Crawl.objects.get().state) == (400, "listed")
    assert {name: form[name].value() or "" for name in form.fields} == {
        "limit": "",
        "requests_per_minute": "",
    } | given
    page = markup(answer)
    assert [name for name in form.fields if f'id="id_{name}_error"' in page] == wrong
    assert f'href="{place}?format=csv"' in page


def test_a_crawl_that_has_begun_is_not_begun_again(editor, paper):
    place = begin(editor)["Location"]

    assert "Only a crawl that waits for it" in markup(
        editor.post(f"{place}begin/", {"limit": "0"}, follow=True)
    )


def test_stories_that_crawls_brought_lately_do_not_count_as_those_of_a_day(editor, paper):
    now = timezone.now()
    for _ in range(56):
        make_page(paper, found_at=now)
    place = listed(editor, n_listed=29)
    earlier = Crawl.objects.create(publication=paper, kind="site", state="done", created_at=now)
    for number in range(30):
        page = make_page(paper, found_at=now)
        make_address(earlier, page)
        # A feed had listed every other one before.
        CrawlAddress.objects.filter(page=page).update(found_at=now + timedelta(hours=number % 2))

    # 56 and 15 in 28 days, of 31.
    assert "With 79 stories, as many a day as lately" in markup(editor.get(place))


def test_an_archive_without_a_list_is_estimated_by_its_days(editor, paper):
    page = markup(editor.get(listed(editor)))

    assert "It gives no list: each of 31 days is asked for" in page
    assert "<b>262 requests</b>" in page


def test_a_page_that_waits_for_the_archive_is_shown_anew_with_its_estimate(editor, paper):
    place = listed(editor, n_listed=29)

    answer = editor.get(f"/part{place.replace('crawls', 'crawl')}", headers={"HX-Request": "true"})

    assert (answer.status_code, answer["HX-Refresh"]) == (204, "true")


def test_an_address_fills_the_form_for_an_archive(editor, paper):
    page = markup(
        editor.get(
            "/crawls/new/?pub=karoo-courier&kind=archive&first_day=2013-12-01"
            "&last_day=2013-12-31&limit=2000"
        )
    )

    assert 'value="2013-12-01"' in page
    assert 'value="2000"' in page
    assert page.index("Past front pages") < page.index("Which links")


def test_a_wrong_pattern_of_links_is_not_hidden_in_what_is_folded_in(editor, paper):
    folded = markup(editor.get("/crawls/new/?kind=archive"))
    shown = markup(begin(editor, **DAYS, include_pattern="("))

    assert "<details open>" not in folded
    assert shown.index("<details open>") < shown.index("is not a pattern")


def test_days_that_lie_ahead_are_not_asked_of_an_archive(editor, paper):
    ahead = timezone.localdate() + timedelta(days=1)
    days = {"first_day": ahead.isoformat(), "last_day": ahead.isoformat()}
    refused = markup(begin(editor, **DAYS | days))
    begin(editor, **DAYS | {"last_day": ahead.isoformat()})

    assert "The first day lies ahead: no archive has it yet." in refused
    assert Crawl.objects.get().last_day == ahead


def add_list(crawl, paper, depth, **changes):
    """Add a list that the archive was asked for, as its visit left it."""
    url = f"https://web.archive.org/{depth}/cdx"
    page = make_page(paper, url=url, kind="index", **{"visited_at": NOW} | changes)
    CrawlAddress.objects.create(
        crawl=crawl,
        page=page,
        url=url,
        digest=digest_of(page.key),
        role="list",
        depth=depth,
        found_at=NOW,
    )


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (
            {"outcome": "private_address", "last_error": "The address 10.0.0.1 is private."},
            "The address 10.0.0.1 is private.",
        ),
        ({"outcome": "ok", "last_error": ""}, "What it sent is no list."),
    ],
)
def test_what_an_archive_without_a_list_has_answered_is_said(editor, paper, last, said):
    place = listed(editor)
    add_list(Crawl.objects.get(), paper, 0, outcome="not_found", last_error="404.")
    add_list(Crawl.objects.get(), paper, 1, **last)

    page = markup(editor.get(place))

    assert (
        f"▲ {said} Is <code>https://web.archive.org/web</code> the address of a web archive?"
        in page
    )
    assert "Is <code>" not in markup(editor.get(listed_with(editor, n_listed=3)))


def listed_with(editor, **changes):
    Crawl.objects.all().delete()
    return listed(editor, **changes)


def test_an_archive_that_does_not_answer_is_not_green(editor, paper):
    place = begin(editor, **DAYS)["Location"]
    due = timezone.now() + timedelta(minutes=2)
    late = {"outcome": "timeout", "last_error": "No whole answer within 8 s.", "due_at": due}
    add_list(Crawl.objects.get(), paper, 0, **late)

    page = markup(editor.get(place))

    assert "▲ No answer yet" in page
    assert "No whole answer within 8 s. The archive is asked again from" in page
    assert "▲ No answer yet" in markup(editor.get("/crawls/"))


def test_the_list_tells_crawls_through_an_archive_by_their_days(editor, paper):
    begin(editor, **DAYS)

    page = markup(editor.get("/crawls/"))

    assert "1 Dec 2013 to 31 Dec 2013 in https://web.archive.org/web" in page


def test_figures_of_a_large_pool_are_kept_and_counted_again(editor, paper, settings):
    begin(editor)
    crawl = Crawl.objects.get()
    settings.TALLY_DEAR_MS = 0
    now = timezone.now()
    first = crawl_progress(crawl, now)
    page = make_page(paper, outcome="not_found")
    given = {"url": page.url, "digest": digest_of(page.key), "role": "page", "found_at": now}
    CrawlAddress.objects.create(crawl=crawl, page=page, **given)

    kept = crawl_progress(crawl, now)
    shown = markup(editor.get(f"/crawls/{crawl.pk}/"))
    keep_counts(now + timedelta(minutes=30))
    again = crawl_progress(crawl, now + timedelta(minutes=30))

    counts = [(one.n_known, one.outcomes) for one in (first, kept, again)]
    assert counts == [(1, ()), (1, ()), (2, (("not_found", 1),))]
    assert kept.counted_at == now
    assert " known, limit 20; counted " in shown


def test_a_crawl_that_waits_for_a_page_that_refused_says_so(editor, paper):
    begin(editor)
    crawl = Crawl.objects.get()
    CrawlAddress.objects.update(
        released_at=NOW, followed_at=NOW, page=make_page(paper, outcome="ok")
    )
    refused = {"outcome": "forbidden", "last_error": "The server answered 403 Forbidden."}
    soon, late = (
        make_page(paper, visited_at=NOW, due_at=NOW + timedelta(hours=hours), **refused)
        for hours in (1, 9)
    )
    for page in (late, soon):
        CrawlAddress.objects.filter(pk=make_address(crawl, page).pk).update(released_at=NOW)

    assert crawl_progress(crawl, NOW).asked_again == soon
    shown = markup(editor.get(f"/crawls/{crawl.pk}/"))
    assert f"{soon.url}</span> is tried again from" in shown
    assert " on. Last time: The server answered 403 Forbidden." in shown
    assert "The server answered 403 Forbidden." in shown
