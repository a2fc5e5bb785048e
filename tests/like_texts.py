"""Articles whose texts are alike to a known degree, detected as the site detects them."""

import hashlib
import random
from datetime import timedelta

from factories import NOW, make_article, make_publication

from dedup import detect
from dedup.models import Detection
from feeds.work.leases import Claim

_NOUNS = (
    "water council harbour engineer winter report market school bridge farmer river court doctor "
    "train village storm museum player season budget valley teacher coast island union strike mine "
    "harvest dam road hospital police fire rain"
)
_WORDS = _NOUNS.split()


def sentences(seed, n=20):
    """Make sentences that no other seed gives."""
    words = random.Random(seed)
    return [
        f"The {' '.join(words.choices(_WORDS, k=14))} of {seed} {number}." for number in range(n)
    ]


def store(texts, detected=True):
    """Store texts as articles of three papers, an hour apart, and look for their duplicates."""
    articles = []
    for number, text in enumerate(texts):
        moment = NOW + timedelta(hours=number)
        article = make_article(
            text=text,
            publication=make_publication(
                ("karoo-courier", "cape-meridian", "highveld")[number % 3]
            ),
            title=f"Report {number}",
            dated_at=moment,
            published_at=moment,
            text_digest=hashlib.blake2b(text.encode(), digest_size=16).hexdigest(),
        )
        articles.append(article)
    Detection.objects.filter(article__in=articles).update(
        detected_at=None, original=None, due_at=NOW if detected else None
    )
    if detected:
        detect_all()
    return articles


def detect_all(batch=100):
    while detect.run(batch, Claim("test", NOW, timedelta(minutes=1))).n_claimed:
        pass


def cluster_of(article):
    """Ids of the articles with an article's text."""
    original = Detection.objects.get(article=article).original_id
    return sorted(Detection.objects.filter(original=original).values_list("article_id", flat=True))
