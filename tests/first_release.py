"""A small corpus as the first release (0.1.0, 20 November 2026) left it: a row of every table."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

from django.apps.registry import Apps

# Its last migrations; the day's index is that of tests/data/index-v1, of article 1 and comment 1.
MIGRATIONS = [
    ("accounts", "0001_initial"),
    ("dedup", "0001_initial"),
    ("extraction", "0001_initial"),
    ("feeds", "0002_page_guid_index"),
    ("search", "0001_initial"),
]
INDEX = Path(__file__).parent / "data/index-v1"
INDEXED_TEXT = "Snow fell on the Karoo."
NOW = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)


def copy_index(folder: Path) -> None:
    """Put the index of that day into the folder."""
    shutil.copytree(INDEX, folder)


def fill(apps: Apps) -> None:
    """Write two articles with all that the first release could know of them."""
    rows = {model.__name__: model.objects for model in apps.get_models()}
    editor = rows["User"].create(username="thandi", password="pbkdf2_sha256$1$a$b", role="editor")
    paper = rows["Publication"].create(
        name="Karoo Courier", slug="karoo-courier", home_url="https://karoo.example/",
        created_at=NOW, state="active", started_at=NOW,
    )  # fmt: skip
    _fill_frontier(rows, paper)
    _fill_texts(rows, paper)
    rows["SiteRule"].create(publication=paper, field="title", kind="css", selector="h1.head")
    rows["SavedQuery"].create(
        short="snow", parameters="q=snow&asof=4", generation=4, n_hits=1, owner=editor
    )
    rows["LexiconEntry"].create(word="bakkie", tag="NN", lemma="bakkie", created_by=editor)
    rows["Subcorpus"].create(name="Karoo", slug="karoo", filters="source=karoo", owner=editor)
    rows["SourceDraft"].create(address="https://vlakte.example/", created_at=NOW, owner=editor)
    rows["Lock"].create(name="sweep", lease_until=NOW, lease_owner="a")
    rows["Worker"].create(name="a.work.1", kind="work", pid=1, started_at=NOW, beat_at=NOW)


def _fill_frontier(rows, paper) -> None:
    host = rows["Host"].create(name="karoo.example", next_at=NOW)
    common = {"host": host, "publication": paper, "found_at": NOW}
    feed_page, *pages = (
        rows["Page"].create(url=f"https://{key}", key=key, kind=kind, **common)
        for key, kind in (
            ("karoo.example/rss", "feed"),
            ("karoo.example/snow", "article"),
            ("karoo.example/hail", "article"),
        )
    )
    feed = rows["Feed"].create(publication=paper, page=feed_page, created_at=NOW, title="News")
    for number, page in enumerate(pages):
        rows["FeedItem"].create(feed=feed, page=page, first_seen_at=NOW, last_seen_at=NOW)
        rows["Extraction"].create(page=page, outcome="stored", extracted_at=NOW, done_digest="d")
        page.content_fetch = rows["Fetch"].create(
            url=page.url, started_at=NOW, status=200, outcome="ok", host=host, page=page,
            digest="d", archive_file="a.warc.gz", archive_offset=1000 * number, archive_length=900,
        )  # fmt: skip
        page.save()


def _fill_texts(rows, paper) -> None:
    story = rows["StoryCluster"].create(created_at=NOW)
    articles = []
    for page in rows["Page"].filter(kind="article").order_by("pk"):
        article = rows["Article"].create(
            url=page.url, title=f"From {page.key}", text=INDEXED_TEXT, n_words=5,
            blocks=[["p", 0, len(INDEXED_TEXT)]], authors=["Thandi Mokoena"], text_digest="t",
            language="en", dated_at=NOW, published_at=NOW, created_at=NOW, updated_at=NOW,
            page=page, publication=paper, fetch=page.content_fetch,
        )  # fmt: skip
        rows["IndexedArticle"].create(article=article, generation=4, outcome="indexed")
        rows["SentenceHash"].create(hash=12, position=0, article=article)
        rows["Detection"].create(article=article, story=story, detected_at=NOW, n_sentences=1)
        articles.append(article)
    first, second = articles
    rows["Duplicate"].create(
        article=second, other=first, relation="exact", similarity=1.0, n_shared=1,
        verdict="same", detected_at=NOW,
    )  # fmt: skip
    rows["CommentThread"].create(article=first, page=first.page, system="disqus", n_posts=1)
    comment = rows["Comment"].create(
        article=first, system="disqus", remote_id="7", posted_at=NOW, text="Café weather!",
        html="<p>Café weather!</p>", author_name="Anna", created_at=NOW, updated_at=NOW,
    )  # fmt: skip
    rows["IndexedComment"].create(comment=comment, generation=4, outcome="indexed")
