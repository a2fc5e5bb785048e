"""Pages made to exhaust whoever reads them, through every request that touches a stranger's bytes.

Archived page, its frame, the article; the studio's outline, frame, picked line, trial, proposals
and publishing; in the wizard a draft, its samples and what is picked on them. Each answers in words
within its time and memory, children included. `make bench-evil-pages` asks all pages and prints
what each costs; here stand two of the dearest.
"""

import os
import resource
import sys
import time
from pathlib import Path

import pytest
from cpu_time import slowness
from django.utils import timezone
from evil_pages import NAMES, evil_page
from factories import NOW, make_publication, make_rules
from studio_articles import archive_document, store_known_article

from corpus_site.accounts.models import User
from corpus_site.adding.samples import keep_pages, make_draft
from extraction.html.site_rules.rules import Rule, RuleField, RuleKind
from extraction.models import Article
from feeds.crawler.documents.feed_document import FeedEntry, FeedKind
from feeds.crawler.documents.found_feeds import FoundFeed
from feeds.crawler.documents.limited_work import FOR_A_REQUEST
from feeds.crawler.fetching.exchange import FetchResult
from feeds.crawler.outcomes import Outcome
from feeds.models import SourceDraft
from feeds.sources.discovery import Investigation

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(sys.platform != "linux", reason="memory is read from Linux' /proc"),
]

FEW = ("40,000 attributes", "depth 100,000")
IS_ALL = os.environ.get("EVIL_PAGES") == "all"
MOST_SECONDS = FOR_A_REQUEST.cpu_seconds + 2  # of a child and the page around what it found
MOST_MEGABYTES = 1_000  # of any process
STUDIO = "/sources/karoo-courier/rules/"
TRIED = {"field": "author", "kind": "css", "selector": ".name", "split_index": 0}
HTMX = {"HX-Request": "true"}
HOME = "https://karoo.example/"


def stored(body):
    """Give the archived page of an article these bytes, in a publication with rules and pages."""
    paper = make_publication(time_zone="UTC")
    articles = [store_known_article(paper, number) for number in range(3)]
    fetch = archive_document(articles[0].page, body, NOW)
    Article.objects.filter(pk=articles[0].pk).update(fetch=fetch)
    make_rules(paper, Rule(RuleField.TITLE, RuleKind.CSS, "h1"), published_at=None)
    return articles[0], fetch


def drafted(body):
    """Begin a draft of the wizard whose samples have these bytes."""
    url = f"{HOME}news/rain"
    sample = FetchResult(url, Outcome.OK, "", timezone.now(), 1, exchanges=(), body=body)
    feed = FoundFeed(HOME + "feed", "News", "link", FeedKind.RSS, 1, None, "good", True,  # noqa: FBT003
                     (FeedEntry(url),))  # fmt: skip
    found = Investigation(
        "karoo.example", name="The Karoo", home_url=HOME, feeds=(feed,), samples=(sample,)
    )
    row = SourceDraft.objects.create(
        address=found.address,
        owner=User.objects.get(),
        findings=make_draft(found, timezone.now()).to_json(),
        created_at=timezone.now(),
    )
    keep_pages(row, found)
    return row


def requests(editor, body):
    """Give each request by name; the first ones make what the others ask for."""
    article, fetch = stored(body)
    made = []

    def draft():
        made.append(drafted(body))
        return editor.get(f"/sources/add/?draft={made[0].pk}")

    def sample(end=""):
        return f"/sources/add/{made[0].pk}/samples/{end}"

    yield "article", lambda: editor.get(f"/articles/{article.pk}/")
    yield "archived page", lambda: editor.get(f"/articles/{article.pk}/page/")
    yield "frame", lambda: editor.get(f"/part/frame/{fetch.pk}/")
    yield "outline", lambda: editor.get(f"{STUDIO}?view=outline")
    yield "picked line", lambda: editor.get(f"{STUDIO}?pick=7")
    yield "studio's frame", lambda: editor.get(f"{STUDIO}page/{article.pk}/")
    yield "trial", lambda: editor.get("/part/rule-try/karoo-courier/", TRIED, headers=HTMX)
    yield (
        "proposals",
        lambda: editor.get("/part/rule-proposals/karoo-courier/?propose=1", headers=HTMX),
    )
    yield "publishing", lambda: editor.post(f"{STUDIO}change/", {"act": "publish", "reread": "1"})
    yield "draft", draft
    yield "samples", lambda: editor.get(sample())
    yield "sample's frame", lambda: editor.get(sample(f"{made[0].pages.get().pk}/"))
    yield (
        "candidates",
        lambda: editor.get(sample(f"?article={made[0].pages.get().pk}&field=author")),
    )
    yield (
        "picked rule",
        lambda: editor.post(sample("change/"), {"act": "take", "rule": "author:css:p.penned"}),
    )


def costs(ask):
    """Status, seconds of processor time with children, highest memory of a process in MB."""
    Path("/proc/self/clear_refs").write_text("5")  # the highest mark begins anew
    before, began = _cpu_seconds(), time.monotonic()
    status = ask().status_code
    own = Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return status, _cpu_seconds() - before, time.monotonic() - began, max(int(own), children) / 1024


def _cpu_seconds():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


@pytest.mark.parametrize("name", NAMES if IS_ALL else FEW)
def test_an_evil_page_exhausts_no_request(editor, name, capsys):
    found = {each: costs(ask) for each, ask in requests(editor, evil_page(name))}

    if os.environ.get("SHOW_TABLE"):
        with capsys.disabled():
            worst = max(found, key=lambda each: found[each][1])
            _, seconds, wall, _ = found[worst]
            total = sum(row[1] for row in found.values())
            most = max(row[3] for row in found.values())
            sys.stdout.write(
                f"| {name} | {total:.1f} | {worst} | {seconds:.1f} | {wall:.1f} | {most:.0f} |\n"
            )
    most_seconds = MOST_SECONDS * max(1.0, slowness())
    assert len(found) == 14
    assert {each: row for each, row in found.items() if row[0] not in {200, 302}} == {}
    assert {each: row for each, row in found.items() if row[1] > most_seconds} == {}
    assert {each: row for each, row in found.items() if row[3] > MOST_MEGABYTES} == {}
