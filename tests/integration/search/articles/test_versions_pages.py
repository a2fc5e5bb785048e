"""The Versions tab, the list of what has changed, marks of it elsewhere, API and command."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from factories import (
    NOW,
    index_all,
    make_article,
    make_fetch,
    make_publication,
    make_user,
    make_version,
)
from pages import parsed

from extraction.models import ArticleVersion
from extraction.text.digest import text_digest

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

FIRST = "Five men were held. The road is closed."
SECOND = "Six men were held on Monday. The road is closed."


@pytest.fixture
def reader(client):
    client.force_login(make_user())
    return client


@pytest.fixture
def article():
    """An article whose text and headline were changed three hours after they were seen."""
    made = make_article(SECOND, title="Six held", text_digest=text_digest(SECOND))
    make_version(made, FIRST, title="Five held")
    return made


def rows_of(page):
    """The rows of the list: words of the cells, with one space between two."""
    rows = parsed(page).cssselect("tr[data-row]")
    cells = (row.cssselect("td") for row in rows)
    return [" ".join(" ".join(cell.text_content() for cell in row).split()) for row in cells]


def words(page):
    return " ".join(parsed(page).text_content().split())


def refuse(article, outcome="paywall", **changes):
    values = {"seen_at": NOW + timedelta(hours=5), "outcome": outcome}
    return ArticleVersion.objects.create(article=article, **values | changes)


def test_text_that_never_changed_says_so(reader):
    made = make_article()

    page = reader.get(f"/articles/{made.pk}/versions/")

    assert "The text is as it was first seen" in words(page)
    assert not parsed(page).cssselect(".diff")


def test_tab_lists_versions_with_what_changed_and_which_is_searched(reader, article):
    index_all()

    page = parsed(reader.get(f"/articles/{article.pk}/versions/"))

    assert rows_of(reader.get(f"/articles/{article.pk}/versions/")) == [
        "2 20 Nov 2026, 15:30 headline, 3 words after 3 h 10 Six held searched",
        "1 20 Nov 2026, 12:30 first text 8 Five held",
    ]
    (tab,) = page.cssselect("nav.tabs a[aria-current]")
    assert tab.text_content().split() == ["Versions", "2"]


def test_newest_stands_beside_the_one_before_with_changed_words(reader, article):
    page = parsed(reader.get(f"/articles/{article.pk}/versions/?diff=0"))

    heads = [" ".join(head.text_content().split()) for head in page.cssselect(".diff th")]
    assert heads == [
        "Version 1, seen 20 Nov 2026, 12:30 Five held",
        "Version 2, seen 20 Nov 2026, 15:30 Six held",
    ]
    marked = [(cell.tag, cell.text_content()) for cell in page.cssselect("td del, td ins")]
    assert marked == [("del", "Five "), ("ins", "Six "), ("ins", "on Monday")]


def test_any_two_can_be_compared(reader, article):
    make_version(article, SECOND)

    page = parsed(reader.get(f"/articles/{article.pk}/versions/?a=3&b=1"))
    wrong = reader.get(f"/articles/{article.pk}/versions/?a=99&b=x")

    heads = [head.text_content().split()[1] for head in page.cssselect(".diff th")]
    assert heads == ["1,", "3,"]
    assert wrong.status_code == 200


def test_one_version_against_itself_is_told(reader, article):
    address = f"/articles/{article.pk}/versions/"

    assert "Choose two different versions" in words(reader.get(f"{address}?a=1&b=1"))
    assert "Choose two different versions" not in words(reader.get(f"{address}?a=1&b=2"))


def test_choice_of_versions_keeps_the_search_and_leaves_out_withdrawn_texts(reader, article):
    make_version(article, SECOND)
    make_version(article, SECOND)
    ArticleVersion.objects.filter(number=1).update(withdrawn_at=NOW)

    page = parsed(reader.get(f"/articles/{article.pk}/versions/?q=rain&a=2&b=3&diff=0"))

    (form,) = page.cssselect("#side form")
    assert form.form_values() == [("q", "rain"), ("diff", "0"), ("a", "2"), ("b", "3")]
    assert form.inputs["a"].value_options == ["2", "3", "4"]


def test_refused_document_and_refusing_answers_stand_between_the_texts(reader, article):
    refuse(article, fetch=make_fetch(article.page, started_at=NOW + timedelta(hours=5)))
    for hour in (6, 7):
        make_fetch(article.page, outcome="gone", started_at=NOW + timedelta(hours=hour))

    page = reader.get(f"/articles/{article.pk}/versions/")

    rows = rows_of(page)
    assert [row.partition("refused ")[2][:25] for row in rows[:2]] == [
        "Gone – the text before wa",
        "Cut off at a paywall – th",
    ]
    assert len(rows) == 4


def test_withdrawn_version_is_not_shown(reader, article):
    ArticleVersion.objects.update(withdrawn_at=NOW)

    page = reader.get(f"/articles/{article.pk}/versions/")

    assert "withdrawn" in words(page)
    assert "Five" not in words(page)


def test_archived_page_of_another_visit_is_shown(reader, article):
    fetch = make_fetch(article.page, archive_file="a.warc.gz", archive_offset=0)
    other = make_fetch(make_article().page, archive_file="a.warc.gz", archive_offset=0)

    own = reader.get(f"/articles/{article.pk}/page/?fetch={fetch.pk}")
    foreign = reader.get(f"/articles/{article.pk}/page/?fetch={other.pk}")

    assert "What the page showed at another visit" in words(own)
    assert f"/part/frame/{fetch.pk}/" in own.content.decode()
    assert f"/part/frame/{other.pk}/" not in foreign.content.decode()


def test_changes_are_marked_on_the_text_and_in_the_list(reader, article):
    make_article("The maas was sour.", title="Maas")

    text = words(reader.get(f"/articles/{article.pk}/"))
    everything = words(reader.get("/articles/"))
    only = reader.get("/articles/?changed=only")

    assert "Changed after 3 h: headline, 3 words" in text
    assert everything.count("changed after 3 h") == 1
    titles = [link.text_content().strip() for link in parsed(only).cssselect("td a.t")]
    assert titles == ["Six held"]
    assert reader.get("/articles/?changed=x").status_code == 400


def test_timeline_tells_versions_and_refusals(reader, article):
    refuse(article, "shrunk")

    page = words(reader.get(f"/articles/{article.pk}/timeline/"))

    assert "Version 2 20 Nov 2026, 15:30 changed after 3 h · headline, 3 words" in page
    assert "Shrunk to a teaser · the text before was kept" in page


def test_changed_lately_lists_changes_with_filters(reader, article):
    other = make_article("Sour maas.", make_publication("kaap-koerant"), title="Maas")
    make_version(other, "Sweet maas.", replaced_at=NOW + timedelta(hours=9))

    def titles(query=""):
        page = parsed(reader.get(f"/articles/changed/{query}"))
        return [link.text_content().strip() for link in page.cssselect("td a.t")]

    assert titles() == ["Maas", "Six held"]
    assert titles("?what=headline") == ["Six held"]
    assert titles("?what=words&pub=kaap-koerant") == ["Maas"]
    assert "before: Five held" in words(reader.get("/articles/changed/"))
    unknown = reader.get("/articles/changed/?pub=x")
    assert "No publication “x” has changed a text." in words(unknown)
    assert "Five held" not in words(unknown)


def test_changed_lately_is_read_page_by_page(reader):
    for number in range(51):
        made = make_article(f"Sour maas {number}.", title=f"Maas {number}")
        make_version(made, "Sweet maas.", replaced_at=NOW + timedelta(minutes=number // 2))

    first = parsed(reader.get("/articles/changed/"))
    (further,) = first.cssselect("a[data-next]")
    second = parsed(reader.get(f"/articles/changed/{further.get('href')}"))

    shown = [
        link.text_content().strip() for page in (first, second) for link in page.cssselect("td a.t")
    ]
    assert sorted(shown) == sorted(f"Maas {number}" for number in range(51))


def test_articles_left_out_of_the_corpus_are_not_among_the_changes(reader, article):
    article.in_corpus, article.reason = False, "Withdrawn."
    article.save()

    assert "No text has changed yet" in words(reader.get("/articles/changed/"))


def test_api_answers_all_versions_oldest_first(reader, article):
    refuse(article)

    answer = reader.get(f"/api/articles/{article.pk}/versions/").json()

    assert answer["n_versions"] == 2
    first, second = answer["versions"]
    assert (first["text"], first["title"], first["change"]) == (FIRST, "Five held", None)
    assert first["digest"] == text_digest(FIRST)
    assert (second["text"], second["is_newest"]) == (SECOND, True)
    assert second["change"] == {"after_seconds": 10800.0, "words": 3, "fields": ["title"]}
    assert [one["outcome"] for one in answer["refused"]] == ["paywall"]
    assert reader.get("/api/articles/?changed=only").json()["total"] == 1


def test_command_lists_versions_as_json_and_as_lines(article):
    def output(*options):
        out = StringIO()
        call_command("versions", article.page.url, *options, stdout=out)
        return out.getvalue()

    listed = json.loads(output("--json"))

    assert [(row["title"], row["n_words"], row["digest"]) for row in listed] == [
        ("Five held", 8, text_digest(FIRST)),
        ("Six held", 10, article.text_digest),
    ]
    assert [row["seen_at"] for row in listed] == sorted(row["seen_at"] for row in listed)
    assert "Six held  (headline, 3 words)" in output()


@pytest.mark.parametrize("address", ["https://nowhere.example/x", "no address at all"])
def test_command_says_that_an_address_is_not_known(address):
    with pytest.raises(CommandError, match="no article is stored") as refused:
        call_command("versions", address)

    assert refused.value.returncode == 1


def test_empty_list_says_when_pages_are_visited_again(reader, settings):
    plain = words(reader.get("/articles/changed/"))
    settings.CRAWL_VISIT_HURRY = 3600.0
    hurried = words(reader.get("/articles/changed/"))

    assert "after hours and days." in plain
    assert "after seconds and minutes here" in hurried
