"""Newspapers that do not let us in: their articles are read as by anybody meanwhile."""

from django.urls import reverse

from corpus_site.alarms.need import Need, cost, moment
from corpus_site.alarms.picture import Picture
from feeds.models import Account, AccountKind


def log_in_needs(picture: Picture) -> list[Need]:
    """List log-in forms that were refused, or could not be used, since somebody was signed in."""
    rows = Account.objects.filter(
        kind=AccountKind.FORM, is_active=True, refused_since__isnull=False
    ).select_related("publication")
    return [_need(picture, row) for row in rows if row.publication_id in picture.papers]


def _need(picture: Picture, account: Account) -> Need:
    publication = account.publication
    rate = picture.papers[publication.pk].articles_a_day
    said = account.log_in_steps[-1] if account.log_in_steps else ""
    tried = f", tried again at {moment(account.next_log_in_at)}" if account.next_log_in_at else ""
    sentence = (
        f"does not let us in: log-in refused since {moment(account.refused_since or picture.now)}"
        f"{tried}. {said} {cost(rate).capitalize()} are read as by anybody, without what is for "
        "subscribers: look at the account and try it."
    )
    return Need(
        "log_in", "bad", "■ Log-in refused", publication.name, sentence,
        reverse("source-accounts", args=[publication.slug]), "See the account",
        host=account.host or publication.home_url.partition("://")[2].partition("/")[0],
        since=account.refused_since, articles_a_day=rate, publication_id=publication.pk,
        cause=f"log-in:{account.pk}",
    )  # fmt: skip
