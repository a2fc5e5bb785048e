"""Rights of articles: from capture, page and files; what the policy makes of stored texts."""

from datetime import UTC, datetime, timedelta

import pytest
from factories import make_comment
from integration.feeds.newspapers import add_page, crawl, make_paper
from integration.feeds.origin import answer
from newspaper_pages import article_page

from corpus_site import pipeline
from extraction import extract
from extraction import rights as review
from extraction.models import Article, RightsReview
from feeds import rights
from feeds.models import Publication, RightsFile, RightsPolicy
from feeds.work.leases import Claim
from search.models import IndexedArticle, IndexedComment

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SITE = "http://karoo.example"
SLUG = "dredging-of-the-inner-basin-nears-its-end"
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def paper():
    return make_paper(NOW)


def terms(now=NOW):
    return Claim("tester", now, timedelta(seconds=60))


def serve(web, paper, path=f"/news/{SLUG}", head="", **headers):
    pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    kind = ("Content-Type", "text/html; charset=utf-8")
    web.routes[path] = answer(article_page(head=head), 200, (kind, *pairs))
    return add_page(paper, SITE + path, NOW)


def store(now=NOW):
    """Fetch, extract and let the host's files be planned, as the pipeline does."""
    pipeline.BY_NAME["fetch"].run(terms(now))
    pipeline.BY_NAME["extract"].run(terms(now))


def judge_all(now=NOW):
    """Sweep, then go through whatever is due; returns how many texts changed."""
    changed = 0
    review.pending(100, now)
    while (report := pipeline.BY_NAME["extract"].run(terms(now))).n_claimed:
        changed += report.done["changed"]
    return changed


def standing():
    row = Article.objects.get()
    return row.rights, row.in_corpus, row.reason


def test_header_and_meta_elements_are_the_articles_own(web, paper):
    serve(web, paper, head="<meta name='tdm-reservation' content='0'>", TDM_Reservation="1")

    store()

    row = Article.objects.get()
    assert row.rights_said == [
        ["tdm_meta", "tdm-reservation: 0"],
        ["tdm_header", "tdm-reservation: 1"],
    ]
    assert (row.rights, row.in_corpus) == ("granted", True)


def test_by_default_a_reservation_is_recorded_and_the_text_stays(web, paper):
    serve(web, paper, TDM_Reservation="1")

    store()

    assert standing() == ("reserved", True, "")
    assert judge_all() == 0
    assert not RightsReview.objects.exists()


@pytest.mark.parametrize("policy", [RightsPolicy.NO_INDEX, RightsPolicy.NO_ARCHIVE])
def test_stored_texts_leave_the_corpus_with_the_policy_and_come_back(web, paper, policy):
    serve(web, paper, TDM_Reservation="1")
    store()
    comment = make_comment(Article.objects.get())

    rights.set_general_policy(policy, None, NOW)
    assert judge_all() == 1
    assert standing() == ("reserved", False, review.RIGHTS_REASON)
    assert IndexedComment.objects.filter(comment=comment).exists()
    assert judge_all() == 0  # nothing is due again by itself

    rights.set_general_policy(RightsPolicy.RECORD, None, NOW)
    assert judge_all() == 1
    assert standing() == ("reserved", True, "")


def test_a_new_text_is_placed_by_the_policy_at_once(web, paper):
    Publication.objects.update(rights_policy=RightsPolicy.NO_INDEX)
    serve(web, paper, head="<meta name='robots' content='noai'>")

    store()

    assert standing() == ("reserved", False, review.RIGHTS_REASON)


def test_a_publications_own_policy_goes_before_that_for_all(web, paper):
    serve(web, paper, TDM_Reservation="1")
    store()
    rights.set_general_policy(RightsPolicy.NO_INDEX, None, NOW)
    Publication.objects.update(rights_policy=RightsPolicy.NO_EXPORT)

    judge_all()

    assert standing() == ("reserved", True, "")
    assert rights.unexported() == (paper.slug,)


def test_what_the_sites_file_says_reaches_the_texts_from_before_it_was_read(web, paper):
    rights.set_general_policy(RightsPolicy.NO_INDEX, None, NOW)
    serve(web, paper)
    body = b'[{"location": "/news/", "tdm-reservation": 1}]'
    web.routes["/.well-known/tdmrep.json"] = answer(body, 200)
    store()
    judge_all()
    assert standing() == ("", True, "")

    later = NOW + timedelta(hours=1)
    crawl(later)
    assert judge_all(later) == 1

    assert standing() == ("reserved", False, review.RIGHTS_REASON)
    web.routes["/.well-known/tdmrep.json"] = answer(b"", 404)
    crawl(NOW + timedelta(days=8))
    assert judge_all(NOW + timedelta(days=8)) == 1
    assert standing() == ("", True, "")


@pytest.mark.parametrize(
    ("least", "reason"),
    [(100_000, "Its text is shorter than 100000 characters."), (500, "")],
)
def test_a_text_goes_back_to_where_it_stood(web, paper, least, reason):
    Publication.objects.update(min_characters=least)
    serve(web, paper, TDM_Reservation="1")
    store()

    rights.set_general_policy(RightsPolicy.NO_INDEX, None, NOW)
    judge_all()
    assert standing() == ("reserved", False, review.RIGHTS_REASON)
    rights.set_general_policy(RightsPolicy.RECORD, None, NOW)
    judge_all()

    assert standing() == ("reserved", not reason, reason)


def test_what_is_withdrawn_keeps_its_reason(web, paper):
    serve(web, paper, TDM_Reservation="1")
    store()
    Article.objects.update(withdrawn_at=NOW, in_corpus=False, reason="Withdrawn: a demand.")

    rights.set_general_policy(RightsPolicy.NO_INDEX, None, NOW)
    judge_all()

    assert standing() == ("reserved", False, "Withdrawn: a demand.")


def test_a_pass_goes_on_where_a_killed_one_stopped(web, paper, monkeypatch):
    for number in range(5):
        serve(web, paper, f"/news/{SLUG}-{number}", TDM_Reservation="1")
    for minute in range(9):
        store(NOW + timedelta(minutes=minute))
    assert Article.objects.count() == 5
    monkeypatch.setattr(review, "SLICE_ARTICLES", 2)
    rights.set_general_policy(RightsPolicy.NO_INDEX, None, NOW)
    review.pending(100, NOW)
    review.run(1, terms())
    assert Article.objects.filter(in_corpus=False).count() == 2

    # A worker dies with the next slice in its hands; its lease runs out.
    RightsReview.objects.update(lease_owner="dead", lease_until=NOW + timedelta(seconds=1))
    later = NOW + timedelta(seconds=2)
    while review.run(1, terms(later)).n_claimed:
        pass

    assert Article.objects.filter(in_corpus=False, reason=review.RIGHTS_REASON).count() == 5
    row = RightsReview.objects.get()
    assert (row.n_changed, row.done_policy, row.due_at) == (5, RightsPolicy.NO_INDEX, None)


def test_a_policy_that_changes_on_the_way_is_gone_through_again(web, paper, monkeypatch):
    for number in range(3):
        serve(web, paper, f"/news/{SLUG}-{number}", TDM_Reservation="1")
    for minute in range(6):
        store(NOW + timedelta(minutes=minute))
    monkeypatch.setattr(review, "SLICE_ARTICLES", 2)
    rights.set_general_policy(RightsPolicy.NO_INDEX, None, NOW)
    review.pending(100, NOW)
    review.run(1, terms())

    rights.set_general_policy(RightsPolicy.RECORD, None, NOW)
    judge_all()
    judge_all()

    assert Article.objects.filter(in_corpus=False).count() == 0
    assert Article.objects.count() == 3


def test_pages_of_which_no_copy_was_kept_are_fetched_when_one_may_be(web, paper):
    rights.set_general_policy(RightsPolicy.NO_ARCHIVE, None, NOW)
    judge_all()
    page = serve(web, paper, TDM_Reservation="1")
    store()
    page.refresh_from_db()
    assert (page.outcome, Article.objects.count()) == ("rights_reserved", 0)

    rights.set_general_policy(RightsPolicy.NO_EXPORT, None, NOW)
    judge_all()
    store(NOW + timedelta(minutes=1))

    assert standing() == ("reserved", True, "")


def test_texts_that_change_reach_the_index(web, paper):
    serve(web, paper, TDM_Reservation="1")
    store()
    for name in ("detect", "index"):
        pipeline.BY_NAME[name].run(terms())
    row = IndexedArticle.objects.get()
    assert row.outcome == "indexed"

    rights.set_general_policy(RightsPolicy.NO_INDEX, None, NOW)
    judge_all()
    for name in ("detect", "index"):
        pipeline.BY_NAME[name].run(terms())

    row.refresh_from_db()
    assert row.outcome == "left out"


def test_reading_again_keeps_what_was_said(web, paper):
    page = serve(web, paper, TDM_Reservation="1")
    store()
    extract.read_again(None, NOW)

    extract.run(20, terms())

    assert Article.objects.get(page=page).rights == "reserved"
    assert RightsFile.objects.count() == 3


def test_what_is_asked_while_a_slice_is_held_starts_the_pass_anew(web, paper, monkeypatch):
    for number in range(3):
        serve(web, paper, f"/news/{SLUG}-{number}")
    for minute in range(6):
        store(NOW + timedelta(minutes=minute))
    monkeypatch.setattr(review, "SLICE_ARTICLES", 2)
    review.register([paper.pk], NOW)
    review.run(1, terms())

    held = RightsReview.objects.get()
    RightsReview.objects.update(lease_owner="tester", lease_until=NOW + timedelta(minutes=1))
    RightsFile.objects.filter(source="tdm_file").update(rules=[["/", 1, ""]])
    review.register([paper.pk], NOW)
    review._slice(held, terms())
    while review.run(1, terms(NOW + timedelta(minutes=2))).n_claimed:
        pass

    assert Article.objects.filter(rights="reserved").count() == 3
