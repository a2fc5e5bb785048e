"""Pages in the archive: bytes → a WARC record with its fetch."""

from django.conf import settings
from factories import NOW, make_fetch, make_page

from feeds.crawler.archive.warc import WarcWriter
from feeds.crawler.fetching.exchange import Exchange, FetchResult
from feeds.crawler.outcomes import Outcome


def store_page(body, content_type="text/html; charset=utf-8"):
    """Archive a page and give its fetch."""
    page = make_page()
    answer = Exchange(
        url=page.url,
        request_headers=(("Host", "karoo-courier.example"),),
        status=200,
        reason="OK",
        headers=(("Content-Type", content_type),),
        raw_body=body,
        started_at=NOW,
    )
    result = FetchResult(page.url, Outcome.OK, "", NOW, 12, (answer,), body)
    settings.ARCHIVE_DIR.mkdir(parents=True, exist_ok=True)
    with WarcWriter(settings.ARCHIVE_DIR) as writer:
        record = writer.write(result, "1")
    return make_fetch(
        page,
        archive_file=record.filename,
        archive_offset=record.offset,
        archive_length=record.length,
    )
