"""`/saved/feed/<key>/`: hits of a saved query that came in since it was saved, as an Atom feed.

Feed readers cannot sign in, so the address itself is the permission: it is signed, names one query,
and ends with it. Unchanged generations are answered without searching.
"""

from datetime import datetime

from django.contrib.auth.decorators import login_not_required
from django.core.signing import BadSignature, Signer
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import condition, require_safe

from presentation.xml_text import clean
from search.answers.search_lines import SearchLine
from search.answers.searching import search
from search.asking.address import Address
from search.asking.form import form_at
from search.asking.request import request_of
from search.engine.query.errors import QueryError
from search.models import SavedQuery
from search.opened_index import current_snapshot
from search.views.concordance.concordance_lines import LineAddresses

_SIGNER = Signer(salt="search.saved-feed")
ENTRIES = 50


class _Feed(Atom1Feed):
    """A feed that without entries is as old as its query, not new at each visit."""

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else self.feed["made_at"]


def feed_address(query: SavedQuery) -> str:
    """Return the address of a query's feed."""
    return reverse("saved-feed", args=[_SIGNER.sign(query.short)])


def new_since(query: SavedQuery) -> Address:
    """Return the address of the hits that came in since a query was saved."""
    kept = Address.parse(query.parameters)
    return kept.change(asof=[], since=str(query.generation), sort=[], sample=[])


def _etag(_request: HttpRequest, key: str) -> str:
    return f'"{current_snapshot().generation}-{key.partition(":")[0]}"'


@login_not_required
@require_safe
@condition(etag_func=_etag)
def saved_feed(request: HttpRequest, key: str) -> HttpResponse:
    try:
        short = _SIGNER.unsign(key)
    except BadSignature:
        raise Http404 from None
    query = get_object_or_404(
        SavedQuery.objects.select_related("owner"), short=short, owner__is_active=True
    )
    address = new_since(query).change(n=str(ENTRIES))
    form = form_at(address, query.owner)
    if not form.can_run:
        raise Http404
    try:
        page = search(request_of(form), with_facets=False)
    except QueryError:
        raise Http404 from None
    site = f"{request.scheme}://{request.get_host()}"
    feed = _Feed(
        title=clean(f"New hits: {query.name or address.get('q')}"),
        link=site + address.at(reverse("search")),
        description="",
        feed_url=site + request.path,
        feed_guid=f"{site}/c/{short}/",
        made_at=query.created_at,
    )
    addresses = LineAddresses(address)
    for line in page.lines:
        _add(feed, line, site + addresses.text(line))
    return HttpResponse(
        feed.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8"
    )


def _add(feed: Atom1Feed, line: SearchLine, address: str) -> None:
    words = clean(f"{line.left.strip()} [{line.node}] {line.right.strip()}".strip())
    feed.add_item(
        title=clean(line.title) or words,
        link=address,
        description=words,
        author_name=clean(line.author or line.publication),
        pubdate=line.dated_at,
        updateddate=line.dated_at,
        unique_id=address,
        categories=[clean(line.publication)],
    )
