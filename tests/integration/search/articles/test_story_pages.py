"""Pages of the stories: list, one story, the same event beside an article, summaries."""

from datetime import timedelta

import event_texts
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from factories import NOW, make_article, make_publication
from pages import has, links, markup, texts, values, words

from dedup.models import Detection, Duplicate, StoryCluster, StoryReport, Verdict
from search.articles import stories

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def put(article, original, story):
    Detection.objects.update_or_create(
        article=article, defaults={"original": original, "story": story, "detected_at": NOW}
    )


def make_story(n_texts=2, **changes):
    """A story of reports an hour apart, each in a publication of its own."""
    story = StoryCluster.objects.create(created_at=NOW, **changes)
    reports = []
    for number in range(n_texts):
        text = event_texts.FIRE if number == 0 else f"{event_texts.FIRE_ELSEWHERE} Take {number}."
        article = make_article(
            text,
            make_publication(f"paper-{story.pk}-{number}", name=f"Paper {story.pk}.{number}"),
            title=f"Fire {story.pk}.{number}",
            dated_at=NOW + timedelta(hours=number),
        )
        put(article, article, story)
        reports.append(article)
    story.first = reports[0]
    story.save()
    return story, reports


def add_copy(article):
    copy = make_article(article.text, title="Reposted", dated_at=NOW + timedelta(hours=30))
    story = Detection.objects.get(article=article).story
    put(copy, article, story)
    return copy


def test_no_stories_says_what_will_be_here(reader):
    page = markup(reader.get("/stories/"))

    assert "No stories yet" in page
    assert "<table" not in page


def test_stories_stand_with_counts_and_who_was_first(reader):
    story, (first, _) = make_story()
    add_copy(first)

    page = reader.get("/stories/")

    assert (f"Fire {story.pk}.0", f"/stories/{story.pk}/") in links(page)
    assert f"first: Paper {story.pk}.0" in words(page)
    for key, n in (("texts", 2), ("articles", 3), ("publications", 3)):
        assert texts(page, f'td[data-k="{key}"]') == [str(n)]


def test_stories_of_one_publication(reader):
    one, _ = make_story()
    two, _ = make_story()

    page = markup(reader.get(f"/stories/?pub=paper-{two.pk}-1"))

    assert f"/stories/{two.pk}/" in page
    assert f"/stories/{one.pk}/" not in page


def test_home_names_the_latest_stories_of_several_publications(reader):
    make_article()
    assert "Told by several papers" not in markup(reader.get("/"))
    told = [make_story()[0] for _ in range(6)]
    _, (first, second) = make_story()
    type(second).objects.filter(pk=second.pk).update(publication=first.publication)
    late = make_article(event_texts.COURT, dated_at=NOW + timedelta(hours=9))
    put(late, late, told[0])

    page = markup(reader.get("/"))

    shown = [story.pk for story in (told[0], told[5], told[4], told[3], told[2])]
    assert [int(part.split("/")[0]) for part in page.split('href="/stories/')[2:]] == shown
    assert '<a class="end small" href="/stories/">All stories</a>' in page
    assert "3 reports in 3 publications" in page


def test_articles_and_stories_lead_to_each_other(reader):
    listed = reader.get("/stories/")

    assert ("Stories", "/stories/") in links(reader.get("/articles/"))
    assert ("Articles", "/articles/") in links(listed)
    assert "/stories/" in values(listed, 'a[aria-current="page"]', "href")


def test_reports_of_the_same_hour_are_told_within_nothing(reader):
    story, reports = make_story()
    for report in reports:
        type(report).objects.filter(pk=report.pk).update(dated_at=NOW)

    listed = markup(reader.get("/stories/"))

    assert 'data-k="told within">–</td>' in listed
    assert "told within <b>" not in markup(reader.get(f"/stories/{story.pk}/"))


def test_an_unknown_publication_is_named_and_all_are_shown(reader):
    story, _ = make_story()

    page = markup(reader.get("/stories/?pub=%3Cb%3E&p=zero"))

    assert "No publication “&lt;b&gt;” has a report in a story" in page
    assert f"/stories/{story.pk}/" in page


def test_list_asks_the_same_number_of_queries_for_1_and_3_stories(reader):
    counts = []
    for n_new in (1, 2):
        for _ in range(n_new):
            make_story()
        with CaptureQueriesContext(
            connection,
        ) as queries:
            reader.get("/stories/")
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_story_shows_reports_in_time_with_copies(reader):
    story, (first, second) = make_story()
    add_copy(first)

    page = reader.get(f"/stories/{story.pk}/")

    opened = values(page, "a[data-open]", "href")
    assert opened == [f"/articles/{first.pk}/", f"/articles/{second.pk}/"]
    assert "1 h later" in words(page)
    assert ("1 copy", f"/articles/{first.pk}/duplicates/") in links(page)
    assert has(page, f'a[href="/articles/{second.pk}/duplicates/?with={first.pk}#side"]')
    assert "Reposted" not in words(page)


def test_story_shows_what_only_one_report_says(reader):
    story, (_, second) = make_story()
    alone = "Jermaine Carelse praised volunteers <b>carrying buckets</b> uphill."
    second.text = f"{event_texts.FIRE} {alone}"
    second.save()

    page = markup(reader.get(f"/stories/{story.pk}/"))

    escaped = alone.replace("<", "&lt;").replace(">", "&gt;")
    assert f'<ul class="own" aria-label="Only here"><li lang="en">{escaped}</li></ul>' in page
    assert page.count('class="own"') == 1


def test_story_of_more_articles_than_are_shown_says_so(reader, monkeypatch):
    story, reports = make_story(4)
    whole = markup(reader.get(f"/stories/{story.pk}/"))
    monkeypatch.setattr(stories, "TELLING_LIMIT", 3)

    page = markup(reader.get(f"/stories/{story.pk}/"))

    assert "those among the 3 earliest articles, 1 later one left out;" in page
    assert f"/articles/{reports[3].pk}/" not in page
    assert "left out" not in whole
    assert f"/articles/{reports[3].pk}/" in whole


def test_editor_parts_a_report_from_its_story_and_takes_it_back(editor):
    story, (first, second) = make_story()
    page = markup(editor.get(f"/stories/{story.pk}/"))
    posted = {
        "act": "judge",
        "article": second.pk,
        "other": first.pk,
        "next": f"/stories/{story.pk}/",
    }

    editor.post("/duplicates/change/", posted | {"verdict": "different"})

    assert page.count("Not this event") == 1
    assert Duplicate.objects.get(article=second, other=first).verdict == Verdict.DIFFERENT
    assert StoryReport.objects.filter(placed_at=None).count() == 2
    parted = markup(editor.get(f"/stories/{story.pk}/"))
    assert parted.count("leaves with the next pass") == 1
    assert "Take back" in parted
    assert "Not this event" not in parted
    editor.post("/duplicates/change/", posted | {"verdict": "open", "seen": "different"})
    assert Duplicate.objects.count() == 0
    assert "Not this event" in markup(editor.get(f"/stories/{story.pk}/"))


def test_reader_is_not_offered_to_part_reports(reader):
    story, _ = make_story()

    assert "Not this event" not in markup(reader.get(f"/stories/{story.pk}/"))


@pytest.mark.parametrize(("asked", "n"), [("1", 1), ("3", 3), ("5", 5), ("99", 3), ("x", 3)])
def test_summary_has_the_length_asked_for_and_names_its_sources(reader, asked, n):
    story, _ = make_story()

    page = reader.get(f"/stories/{story.pk}/?sentences={asked}")

    assert len(texts(page, '.summary a[href^="/articles/"]')) == n


def test_story_that_was_taken_up_leads_to_the_other(reader):
    story, _ = make_story()
    gone = StoryCluster.objects.create(created_at=NOW, continued_in=story)

    response = reader.get(f"/stories/{gone.pk}/")

    assert (response.status_code, response["Location"]) == (302, f"/stories/{story.pk}/")


@pytest.mark.parametrize("path", ["/stories/999/", "/stories/999999999999999999999999/"])
def test_unknown_stories_are_not_found(reader, path):
    assert reader.get(path).status_code == 404


def test_story_whose_first_article_was_deleted_is_shown_by_the_next(editor):
    story, (first, second, third) = make_story(3)
    first.delete()

    page = editor.get(f"/stories/{story.pk}/")

    assert (f"Paper {story.pk}.1", f"/articles/{second.pk}/") in links(page)
    assert has(page, f'a[href="/articles/{third.pk}/duplicates/?with={second.pk}#side"]')


def test_story_without_members_is_not_found(reader):
    empty = StoryCluster.objects.create(created_at=NOW)

    assert reader.get(f"/stories/{empty.pk}/").status_code == 404


def test_article_names_other_reports_of_its_event_and_sums_itself_up(reader):
    story, (first, second) = make_story()
    copy = add_copy(first)

    page = markup(reader.get(f"/articles/{second.pk}/"))
    of_copy = markup(reader.get(f"/articles/{copy.pk}/"))

    assert "Same event" in page
    assert f'href="/stories/{story.pk}/"' in page
    assert f'<li><a href="/articles/{first.pk}/">{first.title}</a>' in page
    assert f'<li><a href="/articles/{copy.pk}/">' not in page
    assert f'<li><a href="/articles/{second.pk}/">' in of_copy
    assert f'<li><a href="/articles/{first.pk}/">' not in of_copy


def test_article_without_a_story_has_no_such_part(reader):
    article = make_article(event_texts.COURT)

    page = markup(reader.get(f"/articles/{article.pk}/?sentences=1"))

    assert "Same event" not in page
    assert page.count('<ol class="summary"><li lang=') == 1


def test_empty_text_has_no_summary(reader):
    article = make_article("", in_corpus=False, reason="gallery")

    assert "h-summary" not in markup(reader.get(f"/articles/{article.pk}/"))


def test_titles_are_escaped(reader):
    story, (first, _) = make_story()
    first.title = "<script>alert(1)</script>"
    first.save()

    for path in (f"/stories/{story.pk}/", "/stories/"):
        assert "<script>alert" not in markup(reader.get(path))


def test_readers_without_account_are_asked_to_sign_in(client, settings):
    settings.READING_WITHOUT_SIGN_IN = False

    assert client.get("/stories/").status_code == 302


def test_paragraphs_in_another_language_are_not_in_the_summary(reader):
    foreign = "Umlilo omkhulu ushise amakhaya angamashumi ayisithupha eMasiphumelele izolo ebusuku."
    text = f"{foreign}\n{event_texts.COURT}"
    article = make_article(text, other_languages=[[0, len(foreign), "zu"]])

    page = markup(reader.get(f"/articles/{article.pk}/?sentences=5"))

    summary = page[page.index('<ol class="summary">') :]
    assert "Umlilo" not in summary
    assert "The Pietermaritzburg High Court dismissed" in summary
