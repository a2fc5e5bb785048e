"""Several captures of a page in imported files become versions, in whatever order they come."""

from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path

import pytest
from django.utils import timezone
from foreign_warcs import Answer, warc_file
from newspaper_pages import article_page

from corpus_site import pipeline
from extraction.models import Article, ArticleVersion, Capture
from extraction.versions import versions_of
from feeds.models import Fetch, Page
from feeds.warc_files.wishes import Wish, offer
from feeds.work.leases import Claim

URL = "https://www.karoo.example/news/a-story-of-number-1"
TEXTS = ("first", "second", "third")
YEARS = (2013, 2015, 2017)
pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def capture(word: str, year: int) -> Answer:
    words = " ".join(f"{word}{place}" for place in range(30))
    body = "".join(f"<p>Sentence {place} of the story: {words}.</p>" for place in range(8))
    page = article_page(f"{body}<!-- {year} -->", title="The story of the dam in the Karoo")
    return Answer(URL, page, date=f"{year}-05-06T07:08:09Z")


CAPTURES = [capture(word, year) for word, year in zip(TEXTS, YEARS, strict=True)]


def work() -> None:
    """Let the stages work until nothing is due, by a clock that goes on where rows wait."""
    stages = [pipeline.BY_NAME[name] for name in ("warc", "extract")]
    now = timezone.now()
    for _ in range(30):
        while sum(stage.run(Claim.make("w", now)).n_claimed for stage in stages):
            pass
        later = Capture.objects.filter(due_at__isnull=False).order_by("due_at").first()
        if later is None:
            return
        now = max(now, later.due_at)
    pytest.fail("captures wait for ever")


def take(tmp_path: Path, name: str, captures: list[Answer], **wish) -> None:
    path = tmp_path / f"{name}.warc.gz"
    path.write_bytes(warc_file(captures))
    offer(path, Wish(**wish), timezone.now())
    work()


def history() -> list[tuple[str, int, int | None]]:
    """Give each text by its first word, since and until which year it was seen."""
    article = Article.objects.get()
    found = []
    for version in versions_of(article):
        word = next(one for one in TEXTS if f"{one}7" in version.as_article.text)
        until = version.row.replaced_at.year if version.row else None
        found.append((word, version.seen_at.year, until))
    assert article.n_versions == len(found)
    return sorted(found, key=lambda one: one[1])


WHOLE = [("first", 2013, 2015), ("second", 2015, 2017), ("third", 2017, None)]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_files_in_any_order_give_the_same_history(tmp_path, order):
    for number in order:
        take(tmp_path, f"file{number}", [CAPTURES[number]])
    assert history() == WHOLE
    assert Article.objects.get().dated_at.year == 2013
    assert Fetch.objects.count() == 3


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_captures_of_one_file_are_versions_too(tmp_path, order):
    take(tmp_path, "all", [CAPTURES[number] for number in order])
    assert history() == WHOLE
    take(tmp_path, "again", [CAPTURES[number] for number in order])
    assert (history(), Fetch.objects.count()) == (WHOLE, 3)


def test_the_same_text_in_another_document_makes_no_version_and_is_dated_back(tmp_path):
    take(tmp_path, "later", [capture("first", 2015), capture("second", 2017)])
    take(tmp_path, "earlier", [capture("first", 2012)])
    assert history() == [("first", 2012, 2017), ("second", 2017, None)]
    take(tmp_path, "between", [capture("second", 2016), capture("first", 2014)])
    assert history() == [("first", 2012, 2016), ("second", 2016, None)]
    assert Article.objects.get().dated_at.year == 2012


def test_one_text_alone_is_dated_back_and_has_no_version(tmp_path):
    take(tmp_path, "later", [capture("first", 2015)])
    take(tmp_path, "earlier", [capture("first", 2012)])
    assert history() == [("first", 2012, None)]
    assert not ArticleVersion.objects.exists()
    take(tmp_path, "newest", [capture("second", 2017)])
    assert history() == [("first", 2012, 2017), ("second", 2017, None)]


def test_many_versions_are_packed_anew_around_those_that_stand_alone(tmp_path):
    # Every sixteenth is packed alone; one that comes before all moves each of them.
    years = range(1980, 2016, 2)
    texts = [TEXTS[number % 3] for number in range(len(years))]
    captures = [capture(*one) for one in zip(texts, years, strict=True)]
    take(tmp_path, "most", captures[1:])
    take(tmp_path, "first", captures[:1])
    assert [word for word, *_ in history()] == texts
    assert Page.objects.get(kind="article").content_fetch.started_at == datetime(
        2014, 5, 6, 7, 8, 9, tzinfo=UTC
    )


def test_by_reference_versions_stay_where_they_are(tmp_path):
    take(tmp_path, "all", CAPTURES[::-1], by_reference=True)
    assert history() == WHOLE
    assert all(fetch.archive_file.startswith("outside-") for fetch in Fetch.objects.all())
