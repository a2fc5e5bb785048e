"""A real browser against a real server: fixtures for what a reader does.

Skips by name where Chromium is absent; with REQUIRE_SERVICES=1 that is a failure.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from chromium import chromium_path
from django.test import Client
from factories import make_user
from playwright.sync_api import Browser, BrowserContext, Locator, Page, sync_playwright

ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"),
]
WIDE = 1360
BACKEND = "corpus_site.accounts.backends.RoleBackend"

# Playwright's synchronous interface runs an event loop in this thread, which makes Django refuse
# its own synchronous queries; here they are safe, as nothing else runs in that loop.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


def pytest_collection_modifyitems(items):
    """Mark every test of this folder."""
    for item in items:
        if item.path.parent.name == "browser":
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = chromium_path()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(autouse=True)
def own_folders(settings, tmp_path) -> None:
    """Keep what a test writes in its own temporary folder; let everybody read."""
    settings.DATA_DIR = tmp_path
    settings.ARCHIVE_DIR = tmp_path / "archive"
    settings.INDEX_DIR = tmp_path / "index"
    settings.READING_WITHOUT_SIGN_IN = True


@dataclass
class Window:
    """A browser window on our site that remembers what went wrong in it."""

    page: Page
    address: str
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def open(self, path: str) -> Page:
        self.page.goto(self.address + path)
        return self.page

    def press(self, key: str) -> None:
        """Press a key once the page's scripts listen: they run before it counts as loaded."""
        self.page.wait_for_load_state()
        self.page.keyboard.press(key)

    def follow(self, target: Locator) -> None:
        """Click what leads to another page; return when that page is loaded.

        A click alone returns before the browser has left: what is read then is the old page.
        """
        with self.page.expect_navigation():
            target.click()

    @property
    def path(self) -> str:
        """Path and query of the address bar."""
        return self.page.url.removeprefix(self.address)

    def is_scrolled_sideways(self) -> bool:
        return bool(
            self.page.evaluate(
                "document.documentElement.scrollWidth > document.documentElement.clientWidth"
            )
        )


@pytest.fixture
def open_window(chromium, live_server):
    """Make windows: width, colours, a signed-in role, with or without scripts."""
    contexts: list[BrowserContext] = []

    def make(*, width=WIDE, colours="light", role=None, scripts=True) -> Window:
        context = chromium.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=colours,
            java_script_enabled=scripts,
        )
        context.set_default_timeout(60_000)
        contexts.append(context)
        if role:
            context.add_cookies([_session(role, live_server.url)])
        window = Window(context.new_page(), live_server.url)
        window.page.on("console", lambda message: _hear(window, message))
        window.page.on("pageerror", lambda error: window.complaints.append(str(error)))
        window.page.on("request", lambda request: window.requests.append(request.url))
        return window

    yield make
    for context in contexts:
        context.close()


def _hear(window, message) -> None:
    if message.type in {"error", "warning"}:
        window.complaints.append(message.text)


def _session(role, url) -> dict[str, str]:
    client = Client()
    client.force_login(make_user(role), backend=BACKEND)
    return {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}


@pytest.fixture
def window(open_window) -> Window:
    return open_window()
