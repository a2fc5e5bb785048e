"""Fixtures of the tests that fetch pages before they extract them."""

import pytest
from integration.feeds.origin import Origin


@pytest.fixture
def web(settings):
    """A local server that answers for every site, without delays."""
    with Origin() as started:
        settings.CRAWL_PROXY_URL = started.url
        settings.CRAWL_MIN_DELAY_SECONDS = 0
        yield started
