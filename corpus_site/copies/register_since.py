"""What was withdrawn, put back and erased after a backup was made, done again when it is restored.

Input → output: a register, as `/withdrawals/?format=json` gives it and as each backup keeps it, and
a database that is older → the same entries in force there, and how many of each kind were entered.
Articles are known by the digest of their address, comments by key and their article's address.
Texts that came in later are not there, so nothing has to be done for them.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from corpus_site.removal import withdrawals
from extraction.models import Article, Comment, Measure, Subject, Withdrawal
from extraction.withdrawal import register
from extraction.withdrawal.register import Order
from feeds.models import Publication

REGISTER_NAME = "register.json"
_ROWS_PER_STATEMENT = 1_000
# What is on hold is not erased: so holds come last, after what was erased before them.
_ORDER = (Measure.WITHDRAWN, Measure.ERASED, Measure.HELD)
_WORDS = {
    Measure.WITHDRAWN: "withdrawn",
    Measure.ERASED: "erased, which the workers do",
    Measure.HELD: "put on legal hold",
}
_BACK = "put back"

Entry = Mapping[str, Any]


class RegisterError(Exception):
    """Raised for a file that is no register; its sentence is shown."""


def write_register(folder: Path) -> None:
    """Keep the register in a backup."""
    rows = list(register.as_rows(Withdrawal.objects.order_by("pk")))
    (folder / REGISTER_NAME).write_text(json.dumps(rows), encoding="utf-8")


def newest_register(folder: Path) -> Path | None:
    """Find the register of the newest backup beside one that is restored."""
    return max(folder.parent.glob(f"*/{REGISTER_NAME}"), default=None)


def read_register(path: Path) -> list[Entry]:
    """Read a register's file.

    Raises
    ------
    RegisterError
        For a file that is none, or lacks what tells articles.
    """
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        if all(
            {"entry", "what", "measure", "address_digest", "ended_at"} <= set(row) for row in rows
        ):
            return list(rows)
    except (OSError, ValueError, TypeError) as error:
        raise RegisterError(f"{path} cannot be read as a register: {error}.") from error
    raise RegisterError(f"{path} is no register: it lacks columns. Save /withdrawals/?format=json.")


def apply_register(entries: Iterable[Entry], now: datetime) -> dict[str, int]:
    """Bring into force what a register says; returns how many texts of each kind changed.

    Raises
    ------
    extraction.withdrawal.erasing.HeldError
        Where something to be erased is on legal hold here.
    """
    rows = list(entries)
    counts: Counter[str] = Counter()
    for row in rows:
        if row["ended_at"]:
            counts[_named(row, _BACK)] += _end(row, now)
    in_force = [row for row in rows if not row["ended_at"]]
    for measure in _ORDER:
        own = [row for row in in_force if row["measure"] == measure]
        for row in own:
            if row["what"] != Subject.ARTICLE:
                counts[_named(row, _WORDS[measure])] += _enter(row, now)
        counts[f"articles {_WORDS[measure]}"] += _enter_articles(own, measure, now)
    return {words: n for words, n in counts.items() if n}


def _named(row: Entry, words: str) -> str:
    return f"{row['what']}s {words}"


def _end(row: Entry, now: datetime) -> int:
    """End an entry that was in force when the backup was made."""
    known = Withdrawal.objects.filter(
        pk=row["entry"], ended_at=None, what=row["what"], measure=row["measure"],
        address_digest=row["address_digest"],
    ).first()  # fmt: skip
    if known is None or known.measure == Measure.ERASED:
        return 0
    if known.measure == Measure.HELD:
        return register.end(Withdrawal.objects.filter(pk=known.pk), None, now)
    return _put_back(known, now)


def _put_back(entry: Withdrawal, now: datetime) -> int:
    if entry.comment is not None:
        return withdrawals.put_back_comment(entry.comment, None, now)
    if entry.article is None:
        return _put_back_all(entry.publication, now)
    if entry.what == Subject.VERSION:
        return withdrawals.put_back_version(entry.article, entry.version_number or 0, None, now)
    return withdrawals.put_back_articles([entry.article.pk], None, now)


def _put_back_all(publication: Publication | None, now: datetime) -> int:
    return withdrawals.put_back_publication(publication, None, now) if publication else 0


def _enter_articles(rows: list[Entry], measure: Measure, now: datetime) -> int:
    """Enter what is said of articles, those of one reason at once."""
    by_reason: dict[str, list[int]] = {}
    own = [row for row in rows if row["what"] == Subject.ARTICLE]
    for row, article in _articles_of(own):
        by_reason.setdefault(row["reason"], []).append(article.pk)
        if measure == Measure.HELD:
            register.hold(register.of_article(article), Order(row["reason"], None, now))
    if measure == Measure.HELD:
        return 0
    act = {
        Measure.WITHDRAWN: withdrawals.withdraw_articles,
        Measure.ERASED: withdrawals.erase_articles,
    }[measure]
    return sum(act(ids, Order(reason, None, now)) for reason, ids in by_reason.items())


def _articles_of(rows: list[Entry]) -> Iterator[tuple[Entry, Article]]:
    """Find the articles of entries: by key where the address is the same."""
    for start in range(0, len(rows), _ROWS_PER_STATEMENT):
        some = {row["article"]: row for row in rows[start : start + _ROWS_PER_STATEMENT]}
        found = Article.objects.filter(pk__in=[pk for pk in some if pk], erased_at=None)
        for article in found.select_related(*register.IDENTITY):
            if register.identity_of(article) == some[article.pk]["address_digest"]:
                yield some[article.pk], article


def _enter(row: Entry, now: datetime) -> int:
    """Enter what is said of a comment, a version or a publication; 0 where it is so already."""
    order = Order(row["reason"], None, now)
    if row["what"] == Subject.PUBLICATION:
        publication = Publication.objects.filter(slug=row["publication"]).first()
        return _enter_publication(row, publication, order) if publication else 0
    article = next((article for _, article in _articles_of([row])), None)
    if article is None:
        return 0
    if row["what"] == Subject.VERSION:
        is_earlier = 1 <= (row["version"] or 0) < article.n_versions
        return withdrawals.withdraw_version(article, row["version"], order) if is_earlier else 0
    comment = Comment.objects.filter(pk=row["comment"], article=article, erased_at=None).first()
    if comment is None:
        return 0
    if _is_in_force(row, comment=comment):
        return 0
    is_erased = row["measure"] == Measure.ERASED
    act = withdrawals.erase_comment if is_erased else withdrawals.withdraw_comment
    return act(comment, order)


def _enter_publication(row: Entry, publication: Publication, order: Order) -> int:
    if row["measure"] == Measure.HELD:
        register.hold(register.of_publication(publication), order)
        return 0
    if _is_in_force(row, publication=publication):
        return 0
    is_erased = row["measure"] == Measure.ERASED
    act = withdrawals.erase_publication if is_erased else withdrawals.withdraw_publication
    return act(publication, order)


def _is_in_force(row: Entry, **subject: Any) -> bool:
    same = Withdrawal.objects.filter(what=row["what"], measure=row["measure"], ended_at=None)
    return same.filter(**subject).exists()
