"""The production path: real Celery workers and beat on real PostgreSQL and Redis."""

import json
from contextlib import closing

import psycopg2
import pytest
from waiting import wait_until

N_PAGES = 30
WORKER = (
    "-m",
    "celery",
    "-A",
    "corpus_site",
    "worker",
    "--concurrency",
    "2",
    "--loglevel",
    "WARNING",
)
QUEUES = ("-Q", "crawl,extract,index,maintenance,default", "--without-gossip", "--without-mingle")
BEAT = ("-m", "celery", "-A", "corpus_site", "beat", "--loglevel", "WARNING")


@pytest.mark.data
@pytest.mark.postgres
@pytest.mark.redis
def test_celery_takes_feeds_to_concordance_lines(make_site, replay, servers, tmp_path):
    site = make_site(**servers)
    feeds = replay.feeds(N_PAGES)
    n_pages = sum(len(replay.pages_by_feed[feed]) for feed in feeds)
    listing = tmp_path / "feeds.txt"
    listing.write_text("\n".join(feeds))
    worker = site.start(*WORKER, *QUEUES)
    beat = site.start(*BEAT, "--schedule", str(tmp_path / "beat"))
    try:
        site.manage("add_source", str(listing), "--activate")
        # Counted by articles: threads of comments that pages name are extracted too. The program
        # that gives the status takes a second of what it waits for: it is asked when that may be.
        wait_until(lambda: n_detected(servers["DATABASE_URL"]) == n_pages, 600)
        wait_until(lambda: is_done(site.status(), n_pages), 600)
    finally:
        for process in (beat, worker):
            process.terminate()
        outputs = [process.communicate(timeout=120)[0] for process in (beat, worker)]

    found = json.loads(site.manage("search", "the", "--json", "--limit", "5"))
    assert found["total"] > 100, outputs
    assert len(found["lines"]) == 5


def n_detected(url):
    with closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM dedup_detection WHERE detected_at IS NOT NULL")
        return cursor.fetchone()[0]


def is_done(stages, n_pages):
    is_idle = all(stage["due"] == 0 for stage in stages.values())
    return is_idle and stages["detect"]["done"] == n_pages
