"""A web of our own, through which everything goes, at no pace unless a test sets one."""

import pytest
from integration.feeds.origin import Origin


@pytest.fixture
def web():
    with Origin() as started:
        yield started


@pytest.fixture
def through_our_web(settings, web):
    settings.CRAWL_PROXY_URL = web.url
    settings.CRAWL_MIN_DELAY_SECONDS = 0
