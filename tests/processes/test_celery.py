"""The production path: real Celery workers and beat on real PostgreSQL and Redis."""

import json

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
        # Counted by articles: threads of comments that pages name are extracted too.
        wait_until(lambda: site.status()["detect"]["done"] == n_pages and site.is_idle(), 600)
    finally:
        for process in (beat, worker):
            process.terminate()
        outputs = [process.communicate(timeout=120)[0] for process in (beat, worker)]

    found = json.loads(site.manage("search", "the", "--json", "--limit", "5"))
    assert found["total"] > 100, outputs
    assert len(found["lines"]) == 5
