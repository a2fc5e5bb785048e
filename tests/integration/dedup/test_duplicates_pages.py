"""The review of duplicates: queue, second reading, decisions, and the limit with its trials."""

import lxml.html
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from factories import NOW, make_article, make_user
from inline_code import inline_code
from like_texts import detect_all, sentences, store
from pages import is_whole

from corpus_site.accounts.models import User
from corpus_site.pipeline import BY_NAME
from dedup.judging import threshold_trials
from dedup.judging.judgements import Editor, judge, undo
from dedup.judging.review import Review, agreement_of_readers, pair_name
from dedup.models import Decision, Detection, Duplicate, ThresholdTrial, Verdict
from dedup.similarity.near import compare, signature
from dedup.stage import detect_methods
from extraction.models import Article
from feeds.work.leases import Claim

pytestmark = pytest.mark.django_db

PAGES = ["/duplicates/", "/duplicates/?as=second", "/duplicates/decisions/", "/duplicates/limit/"]


def make_pair(closeness=0.9, cluster_of=1, **changes):
    """Make two articles that are alike; the earlier one's cluster has so many texts."""
    earlier = make_article(title="Earlier", text_digest="of the earlier")
    later = make_article(title="Later", text_digest="of the later")
    for _ in range(cluster_of - 1):
        Detection.objects.filter(article=make_article()).update(original=earlier)
    values = {"relation": "near", "similarity": 0.4, "containment": 0.6, "closeness": closeness}
    values |= {"joins": closeness >= 1, "n_shared": 3, "detected_at": NOW}
    return Duplicate.objects.create(article=later, other=earlier, **values | changes)


def page_of(client, address):
    response = client.get(address)
    assert response.status_code == 200
    text = response.content.decode()
    assert is_whole(text)
    assert inline_code(text) == []
    return lxml.html.fromstring(text)


def words_of(element):
    return " ".join(" ".join(element.itertext()).split())


def heading_of(page):
    return words_of(page.xpath('//*[@id="h-pair"]')[0])


def notices_of(page):
    return [words_of(notice) for notice in page.xpath('//p[starts-with(@class, "notice")]')]


def queue():
    return [queued.pair.pk for queued in Review().queue()]


@pytest.mark.parametrize("address", PAGES)
def test_each_page_says_what_is_missing_where_there_is_nothing(browse, settings, address):
    settings.READING_WITHOUT_SIGN_IN = True
    for role in ("reader", "linguist", "editor"):
        page = page_of(browse(role), address)

        assert len(page.xpath('//div[contains(@class, "empty")]')) == 1
        assert page.xpath("count(//h1)") == 1


def test_the_largest_clusters_come_first_then_what_is_most_in_doubt():
    sure, doubtful = make_pair(1.2), make_pair(0.98)
    in_large_cluster = make_pair(0.8, cluster_of=3)

    assert queue() == [in_large_cluster.pk, doubtful.pk, sure.pk]


def test_only_open_pairs_near_the_limit_in_force_are_queued():
    near, above = make_pair(0.9), make_pair(1.3)
    make_pair(0.9, verdict="same")
    assert queue() == [near.pk]

    detect_methods.set_limit(1.2, None, NOW)

    assert queue() == [above.pk, near.pk]


def test_copies_of_which_the_method_is_certain_are_not_queued():
    text = " ".join(f"Ward {number} elected councillor N{number}a." for number in range(60))
    [match] = compare(signature(text), {1: signature(text.replace("Ward 7 ", "Ward 77 "))})
    make_pair(match.closeness)

    assert match.is_duplicate
    assert queue() == []


def test_verbatim_copies_are_not_in_doubt_under_any_limit():
    pair = make_pair(1.3)
    Article.objects.update(text_digest="same")

    detect_methods.set_limit(1.3, None, NOW)

    assert (queue(), Review().progress().n_pairs) == ([], 0)
    Article.objects.filter(pk=pair.article_id).update(text_digest="other")
    assert queue() == [pair.pk]


def test_the_page_of_the_limit_says_what_no_limit_parts(editor):
    words = words_of(page_of(editor, "/duplicates/limit/"))

    assert "Closeness ends at 1.39" in words
    assert "Verbatim copies are one text under any limit." in words
    assert "from 0.25 to 1.35" in words


def test_duplicates_and_stories_lead_to_each_other(editor):
    assert page_of(editor, "/duplicates/").xpath('//main//a[@href="/stories/"]')
    assert page_of(editor, "/stories/").xpath('//main//a[@href="/duplicates/"]')


def test_a_verdict_leads_to_the_next_pair_and_counts(editor):
    make_pair(0.99)
    second = make_pair(0.9)
    page = page_of(editor, "/duplicates/")
    assert heading_of(page) == "Pair 1 of 2"
    form = page.xpath('//form[contains(@class, "verdicts")]')[0]
    fields = dict(form.form_values()) | {"verdict": "different"}

    answer = editor.post(form.get("action"), fields)

    page = page_of(editor, answer.url)
    assert answer.url == f"/duplicates/?pair={pair_name(second)}"
    assert (heading_of(page), queue()) == ("Pair 1 of 1", [second.pk])
    assert "1 of 2 doubtful pairs looked at" in words_of(page)
    assert notices_of(page) == [
        "“Earlier” (Karoo Courier) and “Later” (Karoo Courier): different texts."
    ]
    assert page.xpath('//button[@data-key="u"]/../input[@name="decision"]')


def test_the_last_pair_leads_to_the_end_of_the_queue(editor):
    make_pair()
    form = page_of(editor, "/duplicates/").xpath('//form[contains(@class, "verdicts")]')[0]

    answer = editor.post(form.get("action"), dict(form.form_values()) | {"verdict": "same"})

    assert "All doubtful pairs have been looked at." in words_of(page_of(editor, answer.url))


def test_skipping_goes_round_the_queue(editor):
    pairs = [make_pair(closeness) for closeness in (0.99, 0.95, 0.9)]
    addresses, address = [], "/duplicates/"
    for _ in pairs:
        [address] = page_of(editor, address).xpath('//a[@data-key="j"]/@href')
        addresses.append(address)

    assert addresses == [f"/duplicates/?pair={pair_name(pairs[at])}" for at in (1, 2, 0)]


@pytest.mark.parametrize("key", ["4711", "x", "²", "-1", "1-", "4711-4712", "9" * 400])
def test_a_pair_that_is_gone_is_named_and_the_next_one_shown(editor, key):
    make_pair()

    page = page_of(editor, f"/duplicates/?pair={key}")

    assert notices_of(page)[0].startswith("That pair is gone")
    assert heading_of(page) == "Pair 1 of 1"


def undo_address(page):
    [address] = page.xpath('//button[@data-key="u"]/../input[@name="next"]/@value')
    return address


def test_undo_leads_to_the_pair_also_when_it_has_been_detected_again(editor):
    text = sentences("a")
    first, second = store([" ".join(text), " ".join(text[:17])])
    former = Duplicate.objects.get()
    judge([former.pk], Verdict.EVENT, Editor(User.objects.get().pk, NOW))
    make_pair()
    address = undo_address(page_of(editor, "/duplicates/"))
    undo(Decision.objects.get().pk, Editor(None, NOW))
    detect_all()

    page = page_of(editor, address)

    assert not Duplicate.objects.filter(pk=former.pk).exists()
    assert notices_of(page) == []
    assert page.xpath('//form[contains(@class, "verdicts")]/input[@name="article"]/@value') == [
        str(first.pk)
    ]
    assert page.xpath('//form[contains(@class, "verdicts")]/input[@name="other"]/@value') == [
        str(second.pk)
    ]


def test_a_pair_whose_texts_are_compared_again_is_not_said_to_be_gone(editor):
    pair = make_pair()
    make_pair()
    Detection.objects.filter(article=pair.article).update(due_at=NOW)
    address = f"/duplicates/?pair={pair_name(pair)}"
    pair.delete()

    page = page_of(editor, address)

    [notice] = notices_of(page)
    assert notice == (
        "The texts of that pair are being compared again; look again in a moment."
        " Meanwhile, here is the next one."
    )
    assert page.xpath('//p[@class="notice"]/a/@href') == [address]


def test_a_judged_pair_shows_its_verdict_and_can_be_changed(editor):
    pair = make_pair(verdict="event")

    page = page_of(editor, f"/duplicates/?pair={pair.pk}")

    assert heading_of(page) == "A pair outside the queue"
    assert [words_of(button) for button in page.xpath('//button[@aria-pressed="true"]')] == [
        "Same event e"
    ]


def test_a_second_reader_does_not_see_the_first_answer(browse):
    pair, first, second = make_pair(), make_user("editor"), browse("editor")
    judge([pair.pk], Verdict.DIFFERENT, Editor(first.pk, NOW))

    page = page_of(second, "/duplicates/?as=second")

    assert heading_of(page) == "Pair 1 of 1"
    assert page.xpath('//button[@aria-pressed="true"]') == []
    assert "An editor said" not in words_of(page)
    assert page.xpath('//input[@name="seen"]/@value') == ["different"]


def test_readers_who_agree_are_counted(browse):
    readers = [make_user("editor"), make_user("editor")]
    for verdicts in (("same", "same"), ("different", "different"), ("same", "event")):
        pair = make_pair()
        for reader, verdict in zip(readers, verdicts, strict=True):
            judge([pair.pk], Verdict(verdict), Editor(reader.pk, NOW))

    found = agreement_of_readers()

    assert (found.n_items, found.n_equal) == (3, 2)
    assert "3 pairs have two readers: 67 % the same answer" in words_of(
        page_of(browse("editor"), "/duplicates/")
    )


def test_an_answer_that_was_taken_back_is_no_reading(browse):
    pair, reader = make_pair(), make_user("editor")
    judge([pair.pk], Verdict.SAME, Editor(reader.pk, NOW))
    judge([pair.pk], Verdict.OPEN, Editor(reader.pk, NOW))

    assert Review().second_readings(None) == []


@pytest.mark.parametrize("address", PAGES)
def test_linguists_read_only(linguist, address):
    pair = make_pair()
    judge([pair.pk], Verdict.SAME, Editor(None, NOW))
    make_pair()
    threshold_trials.start(0.9, None, NOW)

    assert page_of(linguist, address).xpath("//main//form") == []


@pytest.mark.parametrize(
    "path",
    [
        "/duplicates/limit/try/",
        "/duplicates/limit/method/",
        "/duplicates/limit/back/",
        "/duplicates/limit/{trial}/use/",
    ],
)
@pytest.mark.parametrize(("role", "status"), [("reader", 302), ("linguist", 403)])
def test_only_editors_change_the_limit(browse, settings, path, role, status):
    settings.READING_WITHOUT_SIGN_IN = True
    trial = threshold_trials.start(0.9, None, NOW)

    answer = browse(role).post(path.format(trial=trial.pk), {"limit": "0.8"})

    # Who is not signed in is asked who it is.
    assert (answer.status_code, answer.get("Location", "/sign-in/")[:9]) == (status, "/sign-in/")
    assert detect_methods.current().limit == 1.0


def test_pages_need_the_same_number_of_queries_for_one_pair_and_for_three(editor):
    for pair in [make_pair(), make_pair()]:
        judge([pair.pk], Verdict.DIFFERENT, Editor(None, NOW))
    make_pair()
    counts = []
    for n_more in (0, 2):
        for _ in range(n_more):
            pair = make_pair()
            judge([pair.pk], Verdict.SAME, Editor(None, NOW))
            make_pair()
        counts.append([])
        for address in PAGES:
            with CaptureQueriesContext(connection) as queries:
                page_of(editor, address)
            counts[-1].append(len(queries))

    assert counts[0] == counts[1]


def test_a_limit_is_tried_reported_and_put_in_force(editor):
    joined = make_pair(0.95)
    make_pair(1.2)
    answer = editor.post("/duplicates/limit/try/", {"limit": "0.9"})
    trial = ThresholdTrial.objects.get()
    assert answer.url == f"/duplicates/limit/{trial.pk}/"
    before = page_of(editor, answer.url)
    assert "0 of 4 articles looked at." in words_of(before)
    assert before.xpath("//*[@data-live]/@hx-get") == [f"/part/threshold-trial/{trial.pk}/"]

    BY_NAME["limit-trial"].run(Claim.make("test", timezone.now()))

    page = page_of(editor, answer.url)
    assert page.xpath("//a[@data-open]/@href") == [f"/duplicates/?pair={pair_name(joined)}"]
    assert "1 more texts join a cluster" in words_of(page)
    assert page.xpath("//*[@data-live]") == []
    used = editor.post(f"/duplicates/limit/{trial.pk}/use/")
    again = editor.post(f"/duplicates/limit/{trial.pk}/use/")
    assert used.url == again.url == answer.url
    assert detect_methods.current().limit == 0.9
    assert notices_of(page_of(editor, answer.url))[1] == (
        "This limit has been put in force already."
    )


def test_a_limit_in_force_is_taken_back(editor):
    detect_methods.set_limit(1.0, None, NOW)
    detect_methods.set_limit(0.9, None, NOW)
    [form] = page_of(editor, "/duplicates/limit/").xpath(
        '//form[@action="/duplicates/limit/back/"]'
    )
    assert words_of(form).startswith("Go back to 1.00")
    seen = {"seen": form.xpath("input[@name='seen']/@value")[0]}

    editor.post("/duplicates/limit/back/", seen)
    editor.post("/duplicates/limit/back/", seen)

    assert detect_methods.current().limit == 1.0
    notices = notices_of(page_of(editor, "/duplicates/limit/"))
    assert notices[0].startswith("Limit 1.00 is in force again")
    assert notices[1] == "Another limit is in force by now: look again."


def test_the_other_method_is_put_in_force_once(editor):
    [form] = page_of(editor, "/duplicates/limit/").xpath(
        '//form[@action="/duplicates/limit/method/"]'
    )
    assert words_of(form).startswith("Use the method “sentences” instead")
    wanted = {"method": form.xpath("input[@name='method']/@value")[0]}

    answers = [editor.post("/duplicates/limit/method/", wanted) for _ in range(2)]

    assert [answer.url for answer in answers] == ["/duplicates/limit/"] * 2
    assert detect_methods.current() == detect_methods.Method("sentences", 1.0)
    assert notices_of(page_of(editor, "/duplicates/limit/")) == [
        "The method sentences is in force; all articles are compared again.",
        "The method sentences was in force already; nothing was done.",
    ]
    assert editor.post("/duplicates/limit/method/", {"method": "guessing"}).status_code == 400


@pytest.mark.parametrize("limit", ["", "x", "1", "0", "-3", "nan", "1e400", "9" * 400])
def test_a_limit_that_cannot_be_tried_is_refused_at_its_field(editor, limit):
    answer = editor.post("/duplicates/limit/try/", {"limit": limit})

    page = lxml.html.fromstring(answer.content.decode())
    assert answer.status_code == 400
    assert len(page.xpath('//ul[contains(@class, "errorlist")]/li')) == 1
    assert ThresholdTrial.objects.count() == 0


def test_a_finished_part_makes_its_page_load_again(editor):
    trial = threshold_trials.start(0.9, None, NOW)
    address = f"/part/threshold-trial/{trial.pk}/"
    running = editor.get(address, headers={"HX-Request": "true"})
    threshold_trials.run(1, Claim.make("test", NOW))

    finished = editor.get(address, headers={"HX-Request": "true"})

    assert (running.get("HX-Refresh"), finished.get("HX-Refresh")) == (None, "true")
    assert editor.get(address).status_code == 400


def test_titles_of_newspapers_are_never_markup(editor):
    pair = make_pair()
    type(pair.article).objects.update(title='<script>alert("x")</script>" onfocus="x()')
    judge([pair.pk], Verdict.SAME, Editor(None, NOW))
    make_pair()

    for address in (*PAGES, f"/duplicates/?pair={pair.pk}"):
        page_of(editor, address)
