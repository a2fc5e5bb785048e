"""Rights on the pages: of all publications, of one, of an article; the policy is changed there."""

import pytest
from factories import NOW, make_article, make_feed, make_page, make_publication

from corpus_site import pipeline
from extraction.models import Article, RightsReview
from feeds import rights
from feeds.models import Host, Publication, RightsFile, RightsPolicy, RightsSetting
from feeds.work.leases import Claim

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

HOSTILE = "<script>alert(1)</script>"
SAID = [["tdm_header", "tdm-reservation: 1"], ["robots_names", "GPTBot, CCBot"]]


@pytest.fixture
def paper():
    return make_publication("karoo")


def text_of(response):
    return " ".join(response.content.decode().split())


def test_an_article_says_who_said_what(linguist, paper):
    article = make_article(publication=paper, rights="reserved", rights_said=SAID)

    page = text_of(linguist.get(f"/articles/{article.pk}/"))

    assert (
        "<dt>Rights</dt><dd>Reserved: TDM-Reservation header (tdm-reservation: 1); "
        "robots.txt names GPTBot, CCBot</dd>"
    ) in page


def test_an_article_of_which_nothing_is_said_has_no_such_line(linguist, paper):
    article = make_article(publication=paper)

    assert "<dt>Rights</dt>" not in text_of(linguist.get(f"/articles/{article.pk}/"))


def test_what_a_site_writes_is_shown_as_text(linguist, paper):
    host = Host.objects.create(name="karoo.example", next_at=NOW)
    page = make_page(paper, kind="rights")
    RightsFile.objects.create(
        host=host, source="tdm_file", page=page, read_at=NOW, problem="", changed_at=NOW,
        rules=[[f"/{HOSTILE}", 1, HOSTILE]],
    )  # fmt: skip
    article = make_article(publication=paper, rights="reserved", rights_said=[["ai_txt", HOSTILE]])

    for address in ("/sources/karoo/", f"/articles/{article.pk}/"):
        page = linguist.get(address).content.decode()
        assert HOSTILE not in page
        assert "&lt;script&gt;" in page


def test_a_publication_shows_what_was_read_where_and_the_policy(linguist, paper):
    feed = make_feed(paper)
    host = feed.page.host
    Host.objects.filter(pk=host.pk).update(
        robots_body="User-agent: GPTBot\nDisallow: /", robots_fetched_at=NOW
    )
    make_article(publication=paper, rights="reserved")
    RightsFile.objects.create(host=host, source="robots_names")
    RightsFile.objects.create(
        host=host, source="tdm_file", read_at=NOW, rules=[["/news/", 1, ""], ["/free/", 0, ""]]
    )
    RightsFile.objects.create(host=host, source="ai_txt")

    page = text_of(linguist.get("/sources/karoo/"))

    section = page[page.index('id="rights"') : page.index('id="rules"')]
    assert "1 text with reserved rights, 0 with granted rights." in section
    assert "Record and show it" in section
    assert "2 rules: <code>/news/ reserved</code>, <code>/free/ not reserved</code>" in section
    assert "turned away from its front page: <code>GPTBot</code>" in section
    assert "not read yet" in section


def test_counts_and_policies_of_all_publications(linguist, paper):
    make_article(publication=paper, rights="reserved")
    make_article(publication=paper, text="Other", rights="granted")
    make_article(publication=paper, text="Third")
    make_publication("cape", rights_policy=RightsPolicy.NO_EXPORT)

    rows = {row.publication.slug: row for row in linguist.get("/rights/").context["rows"]}

    karoo, cape = rows["karoo"], rows["cape"]
    assert (karoo.n_reserved, karoo.n_granted, karoo.policy) == (1, 1, RightsPolicy.RECORD)
    assert (cape.n_reserved, cape.policy, cape.has_own_policy) == (0, RightsPolicy.NO_EXPORT, True)


def test_lists_ask_the_same_number_of_queries(linguist, paper, django_assert_num_queries):
    with django_assert_num_queries(7):  # three of them know the reader
        linguist.get("/rights/")
    for number in range(4):
        make_article(publication=make_publication(f"p{number}"), rights="reserved")

    with django_assert_num_queries(7):
        linguist.get("/rights/")


def test_an_editor_changes_the_policy_and_stored_texts_follow(editor, paper):
    make_article(publication=paper, rights="reserved", rights_said=SAID[:1])

    response = editor.post("/rights/policy/", {"policy": "no_index"}, follow=True)

    assert "The policy is saved" in text_of(response)
    setting = RightsSetting.objects.get()
    assert (setting.policy, setting.changed_by is None) == ("no_index", False)
    pipeline.sweep(NOW)
    assert "The stored texts of 1 publication are being gone through." in text_of(
        editor.get("/rights/")
    )
    pipeline.BY_NAME["extract"].run(Claim.make("tester", NOW))
    assert Article.objects.get().in_corpus is False
    assert RightsReview.objects.get().finished_at == NOW


def test_a_linguist_sees_the_policy_and_cannot_change_it(linguist, paper):
    page = text_of(linguist.get("/rights/"))

    assert "Record and show it" in page
    assert 'name="policy"' not in page
    assert linguist.post("/rights/policy/", {"policy": "no_index"}).status_code == 403
    assert not RightsSetting.objects.exists()


@pytest.mark.parametrize("value", ["", "x", "no_index\0"])
def test_another_policy_is_refused(editor, paper, value):
    assert editor.post("/rights/policy/", {"policy": value}).status_code == 400
    assert rights.general_policy() is RightsPolicy.RECORD


def test_a_publications_settings_have_its_policy(editor, paper):
    page = editor.get("/sources/karoo/settings/")
    values = {
        name: value if value is not None else ""
        for name, value in page.context["form"].initial.items()
    }

    response = editor.post("/sources/karoo/settings/", values | {"rights_policy": "no_export"})

    assert response.status_code == 302
    assert Publication.objects.get().rights_policy == RightsPolicy.NO_EXPORT
