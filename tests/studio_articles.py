"""Known articles whose archived pages the rule studio can read again."""

from datetime import datetime, timedelta

from django.conf import settings
from factories import NOW, make_article, make_fetch, make_page
from known_site import known_page

from extraction.models import Article, Extraction
from extraction.text.digest import text_digest
from feeds.crawler.archive.warc import WarcWriter
from feeds.crawler.fetching.exchange import Exchange, FetchResult
from feeds.crawler.outcomes import Outcome
from feeds.models import Fetch


def store_known_article(paper, number, fetched_at=NOW, *, has_desk=True) -> Article:
    """Archive page `number` of the known site and keep its article, all of them by one desk."""
    known = known_page(number)
    page = make_page(paper, content_digest=f"d{number}")
    fetch = archive_document(page, known.body, fetched_at)
    Extraction.objects.create(page=page, done_digest=f"d{number}|old", outcome="stored")
    return make_article(
        page=page,
        fetch=fetch,
        text=known.text,
        title=known.title,
        authors=["News desk"] if has_desk else list(known.authors),
        section="",
        text_digest=text_digest(known.text),
        published_at=datetime.combine(known.day, NOW.timetz()),
        dated_at=NOW - timedelta(minutes=number),
    )


def archive_document(page, body, fetched_at) -> Fetch:
    """Archive a document that the page's address gave, as its newest; the text stays."""
    answer = Exchange(
        url=page.url,
        request_headers=(),
        status=200,
        reason="OK",
        headers=(("Content-Type", "text/html"),),
        raw_body=body,
        started_at=fetched_at,
    )
    result = FetchResult(page.url, Outcome.OK, "", fetched_at, 12, (answer,), body)
    settings.ARCHIVE_DIR.mkdir(parents=True, exist_ok=True)
    with WarcWriter(settings.ARCHIVE_DIR) as writer:
        record = writer.write(result, str(page.pk))
    page.content_fetch = make_fetch(
        page,
        started_at=fetched_at,
        archive_file=record.filename,
        archive_offset=record.offset,
        archive_length=record.length,
    )
    page.save()
    return page.content_fetch
