"""One maker per model, with plain values; what a test is about is given by name.

Everything happens at NOW unless a test says otherwise.
"""

from datetime import UTC, datetime, timedelta
from itertools import count

from django.contrib.auth import get_user_model

from dedup.models import Detection
from extraction.models import Article, ArticleVersion, Comment, RuleVersion
from extraction.revisions.changes import n_words_changed
from extraction.revisions.packing import PackedText, pack
from extraction.rules.versions import write_rules
from feeds.models import Feed, FeedItem, Fetch, Host, Page, PageKind, Publication
from feeds.work.leases import Claim
from search import indexing

NOW = datetime(2026, 11, 20, 10, 30, tzinfo=UTC)
_numbers = count(1)


def make_user(role="linguist", **changes):
    name = changes.pop("username", f"user{next(_numbers)}")
    return get_user_model().objects.create_user(name, password=None, role=role, **changes)


def make_publication(slug="karoo-courier", **changes):
    values = {
        "name": slug.replace("-", " ").title(),
        "home_url": f"https://{slug}.example/",
        "created_at": NOW,
    }
    return Publication.objects.get_or_create(slug=slug, defaults=values | changes)[0]


def make_host(name="karoo-courier.example"):
    return Host.objects.get_or_create(name=name, defaults={"next_at": NOW})[0]


def make_page(publication=None, **changes):
    publication = publication or make_publication()
    host = make_host(f"{publication.slug}.example")
    key = f"{host.name}/{next(_numbers)}"
    values = {
        "url": f"https://{key}",
        "key": key,
        "kind": PageKind.ARTICLE,
        "host": host,
        "publication": publication,
        "found_at": NOW,
    }
    return Page.objects.create(**values | changes)


def make_feed(publication=None, **changes):
    publication = publication or make_publication()
    page = make_page(publication, kind=PageKind.FEED)
    values = {"publication": publication, "page": page, "title": "News", "created_at": NOW}
    return Feed.objects.create(**values | changes)


def make_listing(feed, page):
    return FeedItem.objects.create(feed=feed, page=page, first_seen_at=NOW, last_seen_at=NOW)


def make_fetch(page, **changes):
    values = {
        "page": page,
        "host": page.host,
        "url": page.url,
        "final_url": page.url,
        "started_at": NOW,
        "status": 200,
        "outcome": "ok",
    }
    return Fetch.objects.create(**values | changes)


def make_article(text="The sangoma drank maas.", publication=None, **changes):
    """Make an article that duplicates were looked for, so that it may be indexed."""
    page = changes.pop("page", None) or make_page(publication)
    values = {
        "page": page,
        "publication": page.publication,
        "url": page.url,
        "title": "Maas for all",
        "authors": ["A. Botha"],
        "section": "News",
        "published_at": NOW,
        "dated_at": NOW,
        "text": text,
        "text_digest": f"{hash(text) & (2**64 - 1):x}",
        "n_words": len(text.split()),
        "language": "en",
        "created_at": NOW,
        "updated_at": NOW,
    }
    article = Article.objects.create(**values | changes)
    Detection.objects.create(article=article, detected_at=NOW, original=article)
    return article


def make_version(article, text, **changes):
    """Put a text before the one that an article has; `title` is the headline it had."""
    shown = PackedText(
        changes.pop("title", article.title), text, "", [], "", article.authors, article.section,
        article.published_at, None, article.language,
    )  # fmt: skip
    values = {
        "number": article.n_versions,
        "seen_at": article.changed_at or NOW,
        "replaced_at": NOW + article.n_versions * timedelta(hours=3),
        "n_words": len(text.split()),
        "n_words_changed": n_words_changed(text, article.text),
        "fields_changed": "title" if shown.title != article.title else "",
        "body": pack(shown),
    }
    row = ArticleVersion.objects.create(article=article, **values | changes)
    article.n_versions, article.changed_at = article.n_versions + 1, row.replaced_at
    article.save(update_fields=["n_versions", "changed_at"])
    return row


def make_rules(publication, *rules, number=1, published_at=NOW, **changes):
    """Make a version of rules, published unless `published_at` is None."""
    version = RuleVersion.objects.create(
        publication=publication,
        number=number,
        published_at=published_at,
        created_at=NOW,
        **changes,
    )
    write_rules(version, rules)
    return version


def make_comment(article, text="Eish, no braai today.", **changes):
    number = next(_numbers)
    values = {
        "article": article,
        "system": "disqus",
        "remote_id": str(number),
        "posted_at": NOW + timedelta(seconds=number),
        "text": text,
        "text_digest": f"{hash(text) & (2**64 - 1):x}",
        "n_words": len(text.split()),
        "language": "en",
        "author_name": "Gogo",
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Comment.objects.create(**values | changes)


def index_all(now=NOW):
    """Run the index stage over everything that is due."""
    indexing.pending(10_000, now)
    return indexing.run(10_000, Claim("test", now, timedelta(seconds=60)))
