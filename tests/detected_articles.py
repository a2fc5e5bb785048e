"""Articles for tests of the twins: made, changed, detected, and what became of them."""

import random
from datetime import UTC, datetime, timedelta
from itertools import count

from dedup import detect
from dedup.models import Detection, Duplicate
from extraction.models import Article
from extraction.text.digest import text_digest
from feeds.models import Host, Page, PageKind, Publication
from feeds.work import leases

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
_NUMBERS = count(1)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def prose(name, n_sentences=10):
    """Sentences of twelve invented words; those of another name share nothing with them."""
    return " ".join(sentence(f"{name}-{number}") for number in range(n_sentences))


def sentence(name):
    made = random.Random(name)
    words = ("".join(made.choices(_LETTERS, k=made.randint(3, 9))) for _ in range(12))
    return " ".join(words).capitalize() + "."


def add_article(text, *, hours=0, in_corpus=True, name=None):
    """Add an article; those of one hour are in order of their names, by default as they come."""
    publication, _ = Publication.objects.get_or_create(
        slug="karoo", defaults={"name": "Karoo", "home_url": "http://karoo/", "created_at": NOW}
    )
    host, _ = Host.objects.get_or_create(name="karoo", defaults={"next_at": NOW})
    key = f"karoo/{name or format(next(_NUMBERS), '06')}"
    page = Page.objects.create(
        url=f"http://{key}", key=key, kind=PageKind.ARTICLE, host=host, publication=publication,
        found_at=NOW, visited_at=NOW,
    )  # fmt: skip
    return Article.objects.create(
        page=page, publication=publication, url=page.url, text=text, text_digest=text_digest(text),
        dated_at=NOW + timedelta(hours=hours), in_corpus=in_corpus,
        reason="" if in_corpus else "gallery", created_at=NOW, updated_at=NOW,
    )  # fmt: skip


def change_text(article, text):
    article.text, article.text_digest = text, text_digest(text)
    article.save()


def terms(owner="one", now=NOW):
    return leases.Claim(owner, now, timedelta(seconds=60))


def detect_all(limit=100):
    """Run the stage until nothing is due; the reports of its batches."""
    detect.pending(1000, NOW)
    reports = []
    while (report := detect.run(limit, terms())).n_claimed:
        reports.append(report)
    return reports


def originals(*articles):
    stored = dict(Detection.objects.values_list("article_id", "original_id"))
    return [stored[article.pk] for article in articles]


def representatives(*articles):
    stored = dict(Detection.objects.values_list("article_id", "representative_id"))
    return [stored[article.pk] for article in articles]


def relations():
    """The pairs: later article, earlier one, relation, whether it joins them."""
    return list(
        Duplicate.objects.order_by("article_id", "other_id").values_list(
            "article_id", "other_id", "relation", "joins"
        )
    )
