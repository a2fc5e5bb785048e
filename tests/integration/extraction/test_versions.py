"""A page that is visited again: versions of its text, what is none, and what is refused."""

from datetime import UTC, datetime, timedelta

import pytest
from factories import make_rules
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import answer
from killed_work import is_killed_at
from newspaper_pages import PARAGRAPHS, TITLE, article_page, paragraphs_html

from extraction import correcting, extract
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import Article, ArticleVersion, Extraction
from extraction.rules.versions import publish
from extraction.versions import refused_of, versions_of
from feeds import revisits
from feeds.models import Fetch, Page, VisitFinding, VisitFound
from feeds.work.leases import Claim
from search.articles.reading import article_head

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SITE = "http://karoo.example"
PATH = "/news/dredging-of-the-inner-basin-nears-its-end"
HOUR = timedelta(hours=1)
pytestmark = pytest.mark.sql
UNREAD = "As nobody reads it."

CORRECTED = (PARAGRAPHS[0].replace("Tuesday", "Wednesday morning"), *PARAGRAPHS[1:])
LONGER = (*PARAGRAPHS, "Divers went down on Thursday, the harbour master said in the evening.")
IN_AFRIKAANS = """\
Die hawemeester van Saldanha het Dinsdag gesê die baggerwerk in die binneste kom, wat in Maart
begin het, sal voor die winterstorms klaar wees. Vissers wat al maande lank wag om hul bote na die
kaai terug te bring, was minder seker en het gewys na die twee bakke wat sedert Vrydag stil lê.
Die munisipaliteit het vier miljoen rand vir die werk opsy gesit, ’n bedrag wat die raad se eie
ingenieurs beskeie genoem het toe hulle die plan verlede jaar voorgelê het. Niemand by die
departement wou Woensdag sê of die kontrakteur vir die tweede fase betaal is, of wanneer duikers
weer die muur sal ondersoek nie."""
AFRIKAANS = IN_AFRIKAANS.split(". ")


def shown(paragraphs=PARAGRAPHS, *, before="", after="", title=TITLE, head=""):
    body = paragraphs_html(paragraphs)
    return article_page(f"{before}{body}{after}", title=title, head=head)


def serve(web, body, path=PATH):
    web.routes[path] = answer(body, 200, (("Content-Type", "text/html; charset=utf-8"),))


def visit(now):
    """Ask for the newest page, fetch it and read what came."""
    newest = Page.objects.filter(kind="article").order_by("-pk").values_list("pk", flat=True)[:1]
    revisits.fetch_again(list(newest), now, "asked for")
    extract.register(crawl(now).next_ids.get("pages", ()), now)
    return read(now)


def read(now):
    return extract.run(20, Claim("tester", now, timedelta(seconds=60)))


@pytest.fixture
def paper():
    return make_paper(NOW)


@pytest.fixture
def page(web, paper):
    """A page whose text is stored."""
    serve(web, shown())
    page = add_page(paper, SITE + PATH, NOW)
    visit(NOW)
    return page


def chain(article=None):
    """All texts of the article, oldest first, as they are read back."""
    return [one.as_article.text for one in versions_of(article or Article.objects.get())]


@pytest.mark.django_db
def test_article_that_never_changed_costs_no_row(page):
    article = Article.objects.get()

    (only,) = versions_of(article)

    assert not ArticleVersion.objects.exists()
    assert (article.n_versions, article.changed_at) == (1, None)
    assert (only.number, only.seen_at, only.is_newest, only.change) == (
        1,
        NOW,
        True,
        None,
    )
    assert only.digest == article.text_digest


@pytest.mark.django_db
def test_corrected_text_is_a_version_and_the_former_one_is_kept_whole(web, page):
    first = Article.objects.get()
    serve(web, shown(CORRECTED, title="Dredging ends"))

    report = visit(NOW + 3 * HOUR)

    article = Article.objects.get()
    newest = Fetch.objects.order_by("-started_at").first()
    assert report.next_ids["articles"] == (article.pk,)
    assert (article.text, article.title) == ("\n".join(CORRECTED), "Dredging ends")
    assert (article.n_versions, article.changed_at) == (2, newest.started_at)
    former, present = versions_of(article)
    was = former.as_article
    assert (was.title, was.text, was.blocks, was.authors) == (
        first.title,
        first.text,
        first.blocks,
        first.authors,
    )
    assert (former.digest, former.fetch_id) == (first.text_digest, first.fetch_id)
    assert (present.seen_at, present.fetch_id) == (newest.started_at, newest.pk)
    assert present.change.words == "headline, 2 words"
    assert present.change.after == newest.started_at - former.seen_at


def stored_row():
    """All that is stored of the article but its document, and its reading but that and its time."""
    (article,) = Article.objects.values()
    (reading,) = Extraction.objects.values()
    article.pop("fetch_id")
    for name in ("done_digest", "extracted_at", "elapsed_ms"):
        reading.pop(name)
    return article, reading


@pytest.mark.django_db
@pytest.mark.parametrize(
    "second",
    [
        shown() + b"<!-- cached at 16:03 -->",
        shown().replace(b"<body", b"<!-- 1 of 2 caches --><body", 1),
    ],
)
def test_document_of_the_same_tree_is_not_read_again(web, page, second):
    # A reading would put the page's own in its place.
    Article.objects.update(standfirst=UNREAD)
    before = stored_row()
    serve(web, second)

    report = visit(NOW + 3 * HOUR)

    article = Article.objects.get()
    found = Fetch.objects.order_by("-started_at").first()
    assert stored_row() == before
    assert (article.fetch_id, found.found) == (found.pk, VisitFound.SAME_TEXT)
    assert (report.done["articles"], report.next_ids["articles"]) == (0, ())
    assert not ArticleVersion.objects.exists()


@pytest.mark.django_db
def test_rules_published_meanwhile_read_a_document_of_the_same_tree(web, page):
    rule = Rule(RuleField.BODY, RuleKind.CSS, ".article-body p:first-child")
    publish(make_rules(page.publication, rule, published_at=None), None, NOW)
    serve(web, shown() + b"<!-- cached at 16:03 -->")

    visit(NOW + 3 * HOUR)

    assert Article.objects.get().text == PARAGRAPHS[0]


@pytest.mark.django_db
def test_reading_that_was_asked_for_reads_a_document_of_the_same_tree(web, page):
    serve(web, shown() + b"<!-- cached at 16:03 -->")
    revisits.fetch_again([page.pk], NOW + HOUR, "asked for")
    crawl(NOW + HOUR)
    Article.objects.update(standfirst=UNREAD)

    extract.read_again(None, NOW + HOUR)
    read(NOW + HOUR)

    assert Article.objects.get().standfirst != UNREAD


@pytest.mark.django_db
def test_text_that_changes_after_a_document_of_the_same_tree_is_a_version(web, page):
    serve(web, shown() + b"<!-- cached at 16:03 -->")
    visit(NOW + HOUR)
    serve(web, shown(CORRECTED))

    visit(NOW + 3 * HOUR)

    assert chain() == ["\n".join(PARAGRAPHS), "\n".join(CORRECTED)]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "second",
    [
        shown(head="<meta name='nonce' content='8f31'>"),
        shown(before="<p>Updated 16:30</p>"),
        shown(after="<p>1 204 views</p>"),
        shown(after="<p>ALSO READ: Rain closes two passes in the Boland</p>"),
        shown((*PARAGRAPHS[1:], PARAGRAPHS[0])),
        shown([text.replace("“", '"').replace("”", '"') for text in PARAGRAPHS]),
    ],
)
def test_noise_is_no_version_and_goes_no_further(web, page, second):
    first = Article.objects.get()
    serve(web, second)

    report = visit(NOW + HOUR)

    article = Article.objects.get()
    assert report.next_ids["articles"] == ()
    assert not ArticleVersion.objects.exists()
    assert (article.n_versions, article.text, article.updated_at) == (1, first.text, NOW)
    assert article.fetch_id == Page.objects.get(pk=page.pk).content_fetch_id != first.fetch_id


@pytest.mark.django_db
def test_metadata_alone_are_taken_without_a_version(web, page):
    serve(web, shown(head="<meta name='author' content='Thandi Nkosi'>"))

    report = visit(NOW + HOUR)

    article = Article.objects.get()
    assert report.next_ids["articles"] == (article.pk,)
    assert (article.authors, article.n_versions) == (["Thandi Nkosi"], 1)
    assert article.updated_at == NOW + HOUR


@pytest.mark.django_db
def test_text_that_returns_is_a_version_again(web, page):
    serve(web, shown(CORRECTED))
    visit(NOW + HOUR)
    serve(web, shown())

    visit(NOW + 2 * HOUR)

    texts = ["\n".join(lines) for lines in (PARAGRAPHS, CORRECTED, PARAGRAPHS)]
    assert chain() == texts
    assert [one.number for one in versions_of(Article.objects.get())] == [1, 2, 3]


@pytest.mark.django_db
def test_other_rules_replace_the_text_without_a_version(web, paper, page):
    rule = Rule(RuleField.BODY, RuleKind.CSS, ".article-body p:first-child")
    publish(make_rules(paper, rule, published_at=None), None, NOW)

    read(NOW + HOUR)

    article = Article.objects.get()
    assert (article.text, article.n_versions) == (PARAGRAPHS[0], 1)
    assert not ArticleVersion.objects.exists()


@pytest.mark.django_db
def test_new_bytes_read_with_other_rules_make_no_version(web, paper, page):
    rule = Rule(RuleField.BODY, RuleKind.CSS, ".article-body p:not(:last-child)")
    draft = make_rules(paper, rule, published_at=None)
    serve(web, shown(head="<meta name='nonce' content='8f31'>"))
    Page.objects.filter(pk=page.pk).reschedule(NOW + HOUR)
    extract.register(crawl(NOW + HOUR).next_ids["pages"], NOW + HOUR)
    publish(draft, None, NOW + HOUR)

    read(NOW + HOUR)

    article = Article.objects.get()
    assert (article.text, article.n_versions) == ("\n".join(PARAGRAPHS[:-1]), 1)
    assert not ArticleVersion.objects.exists()


REFUSED = {
    "empty": b"<html><body></body></html>",
    "removed": article_page("<p>This article has been removed.</p>", title="Not here"),
    "blocked": article_page("<p>Please verify you are human to go on.</p>", title="Just a moment"),
    "paywall": article_page(
        paragraphs_html((PARAGRAPHS[0], PARAGRAPHS[1], "Subscribe to continue reading."))
    ),
    "shrunk": article_page(paragraphs_html(PARAGRAPHS[:1])),
    "language": article_page(paragraphs_html(AFRIKAANS), title="Baggerwerk in hawe byna klaar"),
    "front_page": article_page(
        paragraphs_html([text[::-1] for text in PARAGRAPHS]),
        head=f"<link rel='canonical' href='{SITE}/news/'>",
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize("outcome", REFUSED)
def test_document_that_is_no_text_of_the_article_is_refused(web, page, outcome):
    first = Article.objects.get()
    serve(web, REFUSED[outcome])

    report = visit(NOW + HOUR)

    article = Article.objects.get()
    (refused,) = refused_of(article)
    assert report.next_ids["articles"] == ()
    assert (article.text, article.title, article.n_versions) == (first.text, first.title, 1)
    assert (article.in_corpus, article.fetch_id) == (True, first.fetch_id)
    assert (refused.outcome, refused.fetch_id) == (
        outcome,
        Page.objects.get(pk=page.pk).content_fetch_id,
    )
    row = Extraction.objects.get(page=page)
    assert row.outcome == ("empty" if outcome == "empty" else "refused")
    assert row.outcome_detail.endswith("the text before is kept.")


@pytest.mark.django_db
def test_visit_that_shows_no_text_is_told_for_what_it_was(web, page):
    article = Article.objects.get()
    assert article_head(article.pk).last_visit is None
    serve(web, REFUSED["paywall"])
    visit(NOW + HOUR)
    serve(web, REFUSED["paywall"] + b"<!-- once more -->")
    visit(NOW + 2 * HOUR)

    newest = Fetch.objects.order_by("-started_at").first()
    assert newest.found == VisitFound.REFUSED
    told = article_head(article.pk).last_visit
    assert (told.at, told.words) == (newest.started_at, "Cut off at a paywall")

    web.routes[PATH] = answer(b"", 410, ())
    visit(NOW + 3 * HOUR)
    told = article_head(article.pk).last_visit
    assert (told.at, told.words) == (Page.objects.get(pk=page.pk).visited_at, "Gone")


@pytest.mark.django_db
def test_redirect_to_the_front_page_leaves_the_text(web, page):
    web.routes["/"] = answer(article_page(title="Karoo Courier"), 200, ())
    web.routes[PATH] = answer(b"", 301, (("Location", f"{SITE}/"),))

    visit(NOW + HOUR)

    assert Article.objects.get().text == "\n".join(PARAGRAPHS)


@pytest.mark.django_db
def test_reason_is_noted_once_between_two_versions(web, page):
    for hour in range(1, 4):
        serve(web, REFUSED["shrunk"] + b"<!-- %d -->" % hour)
        visit(NOW + hour * HOUR)
    serve(web, shown(CORRECTED))
    visit(NOW + 4 * HOUR)
    serve(web, REFUSED["shrunk"])
    visit(NOW + 5 * HOUR)

    assert [one.outcome for one in refused_of(Article.objects.get())] == ["shrunk", "shrunk"]
    assert chain() == ["\n".join(PARAGRAPHS), "\n".join(CORRECTED)]


@pytest.mark.django_db
def test_rules_reach_the_text_although_the_newest_document_was_refused(web, paper, page):
    serve(web, REFUSED["removed"])
    visit(NOW + HOUR)
    rule = Rule(RuleField.BODY, RuleKind.CSS, ".article-body p:not(:last-child)")
    publish(make_rules(paper, rule, published_at=None), None, NOW + 2 * HOUR)

    read(NOW + 2 * HOUR)

    article = Article.objects.get()
    assert (article.text, article.n_versions) == ("\n".join(PARAGRAPHS[:-1]), 1)
    assert [one.outcome for one in refused_of(article)] == ["removed"]


@pytest.mark.django_db
def test_refused_document_that_other_rules_read_whole_is_a_version(web, paper, page):
    body = Rule(RuleField.BODY, RuleKind.CSS, ".article-body p")
    publish(make_rules(paper, body, published_at=None), None, NOW)
    rest = f"<div class='story'>{paragraphs_html(LONGER[1:])}</div>"
    serve(web, article_page(f"<p>{LONGER[0]}</p>", after=rest))
    visit(NOW + HOUR)
    assert [one.outcome for one in refused_of(Article.objects.get())] == ["shrunk"]
    wider = Rule(RuleField.BODY, RuleKind.CSS, ".article-body p, .story p")
    publish(make_rules(paper, wider, number=2, published_at=None), None, NOW + 2 * HOUR)

    read(NOW + 2 * HOUR)

    article = Article.objects.get()
    assert (article.text, article.n_versions) == ("\n".join(LONGER), 2)
    assert refused_of(article) == []


@pytest.mark.django_db
def test_new_documents_are_told_to_the_planning_of_visits_once(web, page):
    for hour, body in enumerate((shown(CORRECTED), shown((*CORRECTED, "14:05")), b"<html></html>")):
        serve(web, body)
        visit(NOW + (hour + 1) * HOUR)
    extract.read_again(None, NOW + 4 * HOUR)
    read(NOW + 4 * HOUR)

    found = Fetch.objects.filter(page=page).order_by("started_at").values_list("found", flat=True)
    assert list(found) == ["", "changed", "same_text", "refused"]
    assert sum(VisitFinding.objects.values_list("n_visits", flat=True)) == 3
    assert sum(VisitFinding.objects.values_list("n_changed", flat=True)) == 1


@pytest.mark.django_db(transaction=True)
def test_reading_killed_between_any_two_statements_keeps_each_version_once(web, page):
    serve(web, shown(CORRECTED))
    Page.objects.filter(pk=page.pk).reschedule(NOW + HOUR)
    extract.register(crawl(NOW + HOUR).next_ids["pages"], NOW + HOUR)
    now, n_statements = NOW + HOUR, 0
    while is_killed_at(n_statements, lambda now=now: read(now)):
        assert chain() == ["\n".join(PARAGRAPHS)]
        now += timedelta(minutes=10)  # the lease of the dead is over
        n_statements += 1
        Extraction.objects.update(attempts=0)  # else the third death ends it

    assert n_statements > 8
    assert chain() == ["\n".join(PARAGRAPHS), "\n".join(CORRECTED)]


TEXTS = (PARAGRAPHS, CORRECTED, LONGER, LONGER[1:])
DOCUMENTS = st.lists(
    st.tuples(
        st.sampled_from([*range(len(TEXTS)), *REFUSED]),
        st.booleans(),  # with a clock in the page
        st.booleans(),  # read once more
    ),
    max_size=7,
)


@pytest.mark.django_db
@settings(
    max_examples=15,
    phases=(Phase.explicit, Phase.generate),  # each example is a crawl: shrinking takes minutes
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(DOCUMENTS)
def test_text_is_the_last_accepted_one_and_the_chain_is_in_order(web, documents):
    number = Page.objects.count()
    first = NOW + timedelta(days=number)
    paper = make_paper(first, slug=f"paper-{number}")
    path = f"{PATH}-{10_000 + number}"
    serve(web, shown(), path)
    page = add_page(paper, SITE + path, first)
    visit(first)
    expected = ["\n".join(PARAGRAPHS)]
    for hour, (document, has_clock, is_reread) in enumerate(documents, 1):
        now = first + hour * HOUR
        if isinstance(document, str):
            serve(web, REFUSED[document], path)
        else:
            clock = f"<p>Updated 14:{hour:02}</p>" if has_clock else ""
            serve(web, shown(TEXTS[document], before=clock), path)
            text = "\n".join(TEXTS[document])
            expected += [text] if text != expected[-1] else []
        visit(now)
        if is_reread:
            extract.read_again(None, now)
            read(now)

    article = Article.objects.get(page=page)
    versions = versions_of(article)
    assert [one.as_article.text.removeprefix("Updated 14:")[-80:] for one in versions] == [
        text[-80:] for text in expected
    ]
    assert [one.number for one in versions] == list(range(1, len(expected) + 1))
    moments = [one.seen_at for one in versions]
    assert moments == sorted(moments)
    refused = refused_of(article)
    assert len({one.fetch_id for one in refused}) == len(refused)


@pytest.mark.django_db
def test_former_texts_stay_readable_when_the_newest_is_read_otherwise(web, paper, page):
    serve(web, shown(CORRECTED))
    visit(NOW + 3 * HOUR)
    serve(web, shown(LONGER))
    visit(NOW + 6 * HOUR)
    before = chain()
    make_rules(paper, Rule(RuleField.REMOVE, RuleKind.CSS, "p:nth-of-type(2)"))
    extract.read_again([paper.pk], NOW + 7 * HOUR)

    read(NOW + 7 * HOUR)

    article = Article.objects.get()
    assert article.text != before[-1]
    assert chain() == [*before[:-1], article.text]


@pytest.mark.django_db
def test_long_chain_of_versions_stays_readable_and_withdrawal_hides_one_only(web, page):
    texts = [(*PARAGRAPHS, f"{n} more vessels came into the inner basin.") for n in range(20)]
    for n, paragraphs in enumerate(texts):
        serve(web, shown(paragraphs))
        visit(NOW + (n + 1) * HOUR)
    expected = ["\n".join(paragraphs) for paragraphs in (PARAGRAPHS, *texts)]
    assert chain() == expected

    ArticleVersion.objects.filter(number=10).update(withdrawn_at=NOW)

    assert chain() == [*expected[:9], "", *expected[10:]]


# A page without metadata: its headline stands in its own markup, and the feed gives the first one.
PLAIN = (
    "<html><head><title>Isibani</title></head><body><div class='here'>Home / News</div>"
    "<div class='ttl'>{title}</div><div class='who'>By Thandi Mokoena</div>"
    "<div class='txt'>{text}</div></body></html>"
)


def plain_page(title, paragraphs=PARAGRAPHS):
    return PLAIN.format(title=title, text=paragraphs_html(paragraphs)).encode()


@pytest.fixture
def plain(web, paper):
    """A page whose headline is known from its feed alone."""
    serve(web, plain_page(TITLE))
    page = add_page(paper, SITE + PATH, NOW)
    Page.objects.filter(pk=page.pk).update(feed_headline=TITLE)
    visit(NOW)
    return page


def headlines():
    return [one.as_article.title for one in versions_of(Article.objects.get())]


@pytest.mark.django_db
def test_headline_that_changes_without_metadata_is_a_version(web, plain):
    serve(web, plain_page("Water is back in the inner basin"))

    report = visit(NOW + HOUR)

    article = Article.objects.get()
    _, present = versions_of(article)
    assert headlines() == [TITLE, "Water is back in the inner basin"]
    assert present.change.words == "headline"
    assert article.sources["title"] == "page"
    assert report.next_ids["articles"] == (article.pk,)


@pytest.mark.django_db
def test_changed_headline_outlives_later_readings_of_its_page(web, plain):
    serve(web, plain_page("Water is back in the inner basin"))
    visit(NOW + HOUR)
    serve(web, plain_page("Water is back in the inner basin") + b"<!-- 2 -->")
    visit(NOW + 2 * HOUR)
    extract.read_again(None, NOW + 3 * HOUR)
    read(NOW + 3 * HOUR)
    assert headlines() == [TITLE, "Water is back in the inner basin"]

    serve(web, plain_page("Basin: council says sorry"))
    visit(NOW + 4 * HOUR)
    serve(web, plain_page(TITLE))
    visit(NOW + 5 * HOUR)

    assert headlines() == [
        TITLE,
        "Water is back in the inner basin",
        "Basin: council says sorry",
        TITLE,
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "second",
    [
        "<html><head><title>New words on the basin - Karoo</title></head>{text}</html>",
        "<html><body><h1>Karoo</h1><h1>New words on the basin</h1>{text}</body></html>",
    ],
)
def test_headline_is_believed_where_the_feed_alone_goes_on(web, paper, second):
    first = second.replace("New words on the basin", TITLE)
    text = paragraphs_html(PARAGRAPHS)
    serve(web, first.format(text=text).encode())
    page = add_page(paper, SITE + PATH, NOW)
    Page.objects.filter(pk=page.pk).update(feed_headline=TITLE)
    visit(NOW)
    serve(web, second.format(text=text).encode())

    visit(NOW + HOUR)

    assert headlines() == [TITLE, "New words on the basin"]


@pytest.mark.django_db
def test_headline_of_a_feed_that_no_page_shows_makes_no_version(web, plain):
    Page.objects.filter(pk=plain.pk).update(feed_headline="Basin news, short")
    extract.read_again(None, NOW)
    read(NOW)
    serve(web, plain_page(TITLE) + b"<!-- 2 -->")

    visit(NOW + HOUR)

    assert not ArticleVersion.objects.exists()


@pytest.mark.django_db
def test_corrected_headline_is_not_what_a_visit_compares(web, page):
    article = Article.objects.get()
    correcting.correct(article.pk, {"title": "Ours"}, correcting.Editor(None, NOW))
    serve(web, shown(before="<p>Updated 16:30</p>"))

    visit(NOW + HOUR)

    found = VisitFinding.objects.get()
    assert (found.n_visits, found.n_changed) == (1, 0)
    assert Fetch.objects.order_by("-started_at").first().found == VisitFound.SAME_TEXT
    assert Article.objects.get().title == "Ours"
