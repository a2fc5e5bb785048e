"""After an erasure no byte of the data folder says a word of it: archive, tables, index, logs."""

import gzip
from pathlib import Path

from integration.feeds.origin import Origin, answer
from newspaper_pages import article_page

HEADERS = (("Content-Type", "text/html; charset=utf-8"),)
HOST = "http://karoo.example"
SECRET = f"{HOST}/news/the-zorvikand-of-the-inner-basin-nears-its-end"
OTHER = f"{HOST}/news/the-quay-of-old-times-is-sold-at-last"
CANARY, NEIGHBOUR = "zorvik", "xylophone"
# What an editor adds by hand, each quoting the text, and what Django's admin notes of it.
BY_HAND = """
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.utils import timezone
from extraction import correcting
from extraction.models import Article, ArticleCorrection, Comment, ReferenceText
from feeds.crawls.pool import digest_of
from feeds.models import Crawl, CrawlAddress, Publication, SourceDraft
from corpus_site.accounts.models import User
now, url = timezone.now(), {url!r}
article = Article.objects.get(page__url=url)
assert article.n_versions == 2 and article.in_corpus, (article.n_versions, article.reason)
assert Comment.objects.filter(article=article).exists()
user = User.objects.create_user(username="editor", password=None, role="editor")
ReferenceText.objects.create(article=article, text=article.text, confirmed_at=now)
ArticleCorrection.objects.create(
    article=article, corrected=["title"], title=article.title + " it is", changed_at=now)
LogEntry.objects.create(user=user, content_type=ContentType.objects.get_for_model(Article),
    object_id=str(article.pk), object_repr=article.title, action_flag=2, change_message="Changed.")
SourceDraft.objects.create(address=url, owner=user, created_at=now, findings={{"address": url,
    "samples": [{{"url": url, "title": article.title, "paragraphs": [article.text]}}]}})
crawl = Crawl.objects.create(publication=article.publication, kind="addresses", state="done",
    seeds=[[url, 1, "host"]], created_at=now)
CrawlAddress.objects.create(crawl=crawl, url=url, digest=digest_of(article.page.key), role="story",
    page=article.page, found_at=now, released_at=now, followed_at=now)
"""


def page(word, more=""):
    """An article that says a word of its own throughout, with a reader's comment."""
    comments = (
        "<section id='comments'><h2>1 comment</h2><ol class='comment-list'>"
        "<li class='comment' id='comment-7'><article class='comment-body'><footer>"
        f"<b class='fn'>Gogo {word}</b> <time datetime='2026-11-20T09:00:00Z'>20 November</time>"
        f"</footer><div class='comment-content'><p>I have always said so of the {word}.</p></div>"
        "</article></li></ol></section>"
    )
    whole = article_page(title=f"The {word} nears its end{more}", after=comments).decode()
    return whole.replace("the ", f"the {word} ").encode()


def feed(*items):
    entries = "".join(
        f"<item><title>The {word} nears its end</title><link>{url}</link>"
        f"<content:encoded>Everything of the {word}.</content:encoded></item>"
        for url, word in items
    )
    space = "xmlns:content='http://purl.org/rss/1.0/modules/content/'"
    body = f"<rss version='2.0' {space}><channel><title>Karoo</title>{entries}</channel></rss>"
    return answer(body.encode(), 200, (("Content-Type", "application/rss+xml"),))


def places_of(folder: Path, word: str) -> list[str]:
    """Names of the files that hold a word, in any case; compressed ones as they are read."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            whole = data + gzip.decompress(data) if path.suffix == ".gz" else data
            if word in whole.decode("latin-1").lower():
                found.append(str(path.relative_to(folder)))
    return found


def test_no_file_holds_a_word_of_what_was_erased(site_on, tmp_path):
    with Origin() as web:
        site = site_on(web.url)
        folder = Path(site.environment["DATA_DIR"])
        web.routes["/feed.xml"] = feed((SECRET, "Zorvikand"), (OTHER, "Xylophone"))
        for url, word in ((SECRET, "Zorvikand"), (OTHER, "Xylophone")):
            web.routes[url.removeprefix(HOST)] = answer(page(word), 200, HEADERS)
        listing = tmp_path / "feeds.txt"
        listing.write_text(f"{HOST}/feed.xml\n")
        site.manage("add_source", str(listing), "--activate")
        site.manage("work", "--until-idle")
        changed = answer(page("Zorvikanda", " at last"), 200, HEADERS)
        web.routes[SECRET.removeprefix(HOST)] = changed
        site.manage("fetch_again", SECRET)
        site.manage("work", "--until-idle")
        site.manage("shell", "-c", BY_HAND.format(url=SECRET))
        before = places_of(folder, CANARY)

        site.manage("erase", SECRET, "--reason", "A court says so.")
        site.manage("work", "--until-idle")
        said = site.manage("archive", "verify")

    assert {path.partition("/")[0] for path in before} >= {"archive", "index", "broadsheet.sqlite3"}
    assert places_of(folder, CANARY) == []
    assert places_of(folder, NEIGHBOUR)
    assert "0 fetches lost" in said
