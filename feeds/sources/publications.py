"""Publications and their feeds: create, start, pause, resume.

One call creates a publication with its feeds, in one transaction with the pages of the
frontier. All of it may be repeated: what is there already stays as it is. What cannot be done is
a `PublicationProblem` with a sentence for the form.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, ProtectedError
from django.utils.text import slugify

from feeds.crawler.addressing.canonical import BadUrl, CanonicalUrl, canonicalize
from feeds.crawler.addressing.links import BadPattern, LinkFilter
from feeds.crawler.documents.feed_document import FeedKind, ParsedFeed
from feeds.crawler.documents.home_page import GIVEN
from feeds.crawler.timelines.past import PastWish
from feeds.frontier import NewPage, add_pages
from feeds.models import Feed, Fetch, Host, Page, PageKind, Publication, PublicationState

# What the columns hold.
MAX_NAME_LENGTH = 200
MAX_SLUG_LENGTH = 80
# /sources/add/ is the wizard, /collections/give/ a form.
RESERVED_SLUGS = frozenset({"add", "give"})
NEW_FEED = "new feed"
_STARTED = "the publication was started"
# Hosts that serve a site's feeds under a name of their own.
_SERVICE_PREFIXES = ("www.", "feeds.", "feed.", "rss.")
_CHOSEN_KINDS = frozenset({FeedKind.INDEX, FeedKind.SITEMAP})
_NAMELESS_TITLES = frozenset({"rss", "feed", "rss feed", "atom", "news", "home", "untitled"})


class PublicationProblem(ValueError):  # noqa: N818 - named for what the form shows
    """Raised when a publication cannot be made or changed as asked; the form shows the sentence.

    `known` is the publication that stands in the way, for a link.
    """

    def __init__(self, sentence: str, known: Publication | None = None) -> None:
        super().__init__(sentence)
        self.known = known


@dataclass(frozen=True, slots=True)
class NewFeed:
    """A feed to be added; `found_by` is how it was found (link, anchor, known path, given).

    `kind` is stored where the document does not tell it: an index page, a plain sitemap. `past` is
    what is wanted of a timeline beside what is new.
    """

    url: str
    title: str = ""
    found_by: str = GIVEN
    kind: str = ""
    past: PastWish | None = None


@dataclass(frozen=True, slots=True)
class NewPublication:
    """The definition of a publication as the wizard or a command collects it."""

    name: str
    home_url: str
    feeds: tuple[NewFeed, ...]
    language: str = ""
    allow_browser_agent: bool = False
    render_pages: bool = False
    min_delay_seconds: float | None = None
    include_pattern: str = ""
    exclude_pattern: str = ""
    note: str = ""


def create_publication(new: NewPublication, now: datetime) -> Publication:
    """Create a publication as a draft, with its feeds, in one transaction.

    Raises
    ------
    PublicationProblem
        When a field is wrong, the home page is known already, or a feed belongs to another one.
    """
    name = " ".join(new.name.split())[:MAX_NAME_LENGTH]
    if not name:
        raise PublicationProblem("The publication needs a name.")
    if not new.feeds:
        raise PublicationProblem("Choose at least one feed.")
    home = _address(new.home_url)
    _check_patterns(new)
    known = find_publication(home)
    if known:
        raise PublicationProblem(_home_is_taken(known), known)
    with transaction.atomic():
        publication = Publication.objects.create(
            name=name,
            slug=unused_slug(name or home.host, _slugs()),
            home_url=home.url,
            language=new.language[:20],
            allow_browser_agent=new.allow_browser_agent,
            render_pages=new.render_pages,
            min_delay_seconds=new.min_delay_seconds,
            include_pattern=new.include_pattern.strip(),
            exclude_pattern=new.exclude_pattern.strip(),
            created_at=now,
            note=new.note,
        )
        add_feeds(publication, new.feeds, now)
    return publication


def add_feeds(
    publication: Publication, feeds: Sequence[NewFeed], now: datetime
) -> tuple[Feed, ...]:
    """Add feeds to a publication and return those that are new; known ones stay as they are.

    They are due at once when the publication runs, else when it is started.

    Raises
    ------
    PublicationProblem
        When an address is none, or the feed belongs to another publication; then nothing is added.
    """
    by_key = {(address := _address(feed.url)).key: (address, feed) for feed in feeds}
    taken = _feeds_by_key(by_key)
    for feed in taken.values():
        if feed.publication_id != publication.pk:
            raise PublicationProblem(
                f"The feed {feed.page.url} already belongs to “{feed.publication.name}”.",
                feed.publication,
            )
    fresh = [(address, feed) for key, (address, feed) in by_key.items() if key not in taken]
    is_running = publication.state == PublicationState.ACTIVE
    with transaction.atomic():
        pages = [
            feed_page(address, publication.pk, now if is_running else None) for address, _ in fresh
        ]
        ids = add_pages(pages, now).ids
        take_over(ids.values(), publication.pk, now if is_running else None)
        return tuple(
            Feed.objects.bulk_create(
                feed_row(feed, ids[address.key], publication.pk, now) for address, feed in fresh
            )
        )


def activate(publication: Publication, now: datetime) -> None:
    """Start or resume a publication: its feeds are due now. Repeating it changes nothing.

    Raises
    ------
    PublicationProblem
        When it was deleted, or is a collection.
    """
    if publication.deleted_at is not None:
        raise PublicationProblem(f"“{publication.name}” was deleted: restore it first.")
    if publication.is_collection:
        raise PublicationProblem(f"“{publication.name}” is a collection of texts: it has no feeds.")
    with transaction.atomic():
        changed = (
            Publication.objects.filter(pk=publication.pk)
            .exclude(state=PublicationState.ACTIVE)
            .update(state=PublicationState.ACTIVE, paused_at=None)
        )
        Publication.objects.filter(pk=publication.pk, started_at=None).update(started_at=now)
        own = Page.objects.filter(publication=publication)
        if changed:
            Host.objects.filter(Exists(own.filter(host=OuterRef("pk")))).wake()
            feeds = own.filter(feed__is_active=True)
            feeds.filter(due_at=None).reschedule(now, due_reason=_STARTED)
    publication.refresh_from_db(fields=["state", "started_at", "paused_at"])


def pause(publication: Publication, now: datetime) -> None:
    """Stop all visits of a publication; what is known stays. A visit under way is finished.

    Raises
    ------
    PublicationProblem
        When it was never started.
    """
    if publication.state == PublicationState.DRAFT:
        raise PublicationProblem(f"“{publication.name}” was never started.", publication)
    Publication.objects.filter(pk=publication.pk, state=PublicationState.ACTIVE).update(
        state=PublicationState.PAUSED, paused_at=now
    )
    publication.refresh_from_db(fields=["state", "paused_at"])


def resume(publication: Publication, now: datetime) -> None:
    """Go on with a paused publication; pages that became due meanwhile are visited first."""
    activate(publication, now)


def is_unused_draft(publication: Publication) -> bool:
    """Whether a publication was never started, so that nothing was ever fetched for it."""
    return (
        publication.state == PublicationState.DRAFT
        and publication.started_at is None
        and not Fetch.objects.filter(page__publication=publication).exists()
    )


@transaction.atomic
def delete_draft(publication: Publication) -> None:
    """Delete a publication that was never started, with its feeds and their addresses.

    Raises
    ------
    PublicationProblem
        When it has been started meanwhile.
    """
    held = Publication.objects.select_for_update().get(pk=publication.pk)
    if not is_unused_draft(held):
        raise PublicationProblem(f"“{held.name}” has been started.", held)
    held.delete()


@transaction.atomic
def delete_unused(publication: Publication) -> bool:
    """Delete a publication for which nothing was ever fetched; False when something was."""
    held = Publication.objects.select_for_update().filter(pk=publication.pk).first()
    if held is None:
        return True
    if Fetch.objects.filter(page__publication=held).exists():
        return False
    try:
        with transaction.atomic():
            held.delete()
    except ProtectedError:  # texts whose fetches are gone
        return False
    return True


def hide(publication: Publication, now: datetime) -> None:
    """Take a publication out of all lists; it rests, and what is known of it stays."""
    Publication.objects.filter(pk=publication.pk, deleted_at=None).update(
        state=PublicationState.PAUSED, paused_at=now, deleted_at=now
    )
    publication.refresh_from_db(fields=["state", "paused_at", "deleted_at"])


def unhide(publication: Publication) -> bool:
    """Show a publication again that was hidden; it stays paused."""
    rows = Publication.objects.filter(pk=publication.pk, deleted_at__isnull=False)
    return bool(rows.update(deleted_at=None))


def visit_now(feed: Feed, now: datetime) -> None:
    """Make a feed due at once; its host's own turn still decides the moment.

    Raises
    ------
    PublicationProblem
        When the publication or the feed is not running.
    """
    if feed.publication.state != PublicationState.ACTIVE or not feed.is_active:
        raise PublicationProblem("Start the publication and the feed first.", feed.publication)
    Page.objects.filter(pk=feed.page_id).reschedule(
        now, due_reason="asked for by an editor", quarantined_at=None, attempts=0
    )


def set_feed_active(feed: Feed, *, is_active: bool, now: datetime) -> None:
    """Switch one feed on or off without touching the others of its publication."""
    with transaction.atomic():
        Feed.objects.filter(pk=feed.pk).update(is_active=is_active)
        Page.objects.filter(pk=feed.page_id).reschedule(
            now if is_active else None,
            due_reason="switched on" if is_active else "switched off",
        )
    feed.is_active = is_active


def draw_pages(publication: Publication) -> None:
    """Let a browser draw the articles of a publication from their next visits on."""
    Publication.objects.filter(pk=publication.pk).update(render_pages=True)
    publication.render_pages = True


def learn_from_feed(publication: Publication, parsed: ParsedFeed) -> bool:
    """Name a publication that is still called after its host by its feed's title.

    Costs nothing once the publication has a name of its own. Returns whether something changed.
    """
    home = _known_address(publication.home_url)
    if home is None or publication.name != site_of(home.host):
        return False
    title = parsed.title[:MAX_NAME_LENGTH]
    changes = {}
    if title and title.lower() not in _NAMELESS_TITLES and not is_of_host(title, home.host):
        changes["name"] = title
    if parsed.language and not publication.language:
        changes["language"] = parsed.language[:20]
    if changes:
        Publication.objects.filter(pk=publication.pk, name=publication.name).update(**changes)
        for field, value in changes.items():
            setattr(publication, field, value)
    return bool(changes)


def find_publication(home: CanonicalUrl) -> Publication | None:
    """Look up the publication with this home page, whatever its scheme, "www." and slash."""
    return next(iter(find_publications([home])), None)


def find_publications(homes: Iterable[CanonicalUrl]) -> list[Publication]:
    """Look up the publications with these home pages; of two with the same, the older one."""
    wanted = {home_key(home) for home in homes}
    found: dict[str, int] = {}
    for pk, home_url in Publication.objects.order_by("pk").values_list("pk", "home_url"):
        known = _known_address(home_url)
        if known is not None and home_key(known) in wanted:
            found.setdefault(home_key(known), pk)
    return list(Publication.objects.filter(pk__in=found.values()))


def home_key(home: CanonicalUrl) -> str:
    """Give the identity of a home page: its canonical key without "www."."""
    return home.key.removeprefix("www.")


def find_publication_by_slug(slug: str) -> Publication | None:
    """Look up a publication by its slug."""
    return Publication.objects.filter(slug=slug).first() if slug else None


def find_feed(url: str) -> Feed | None:
    """Look up a feed by its address, in any spelling; None for what is no address or unknown."""
    try:
        key = canonicalize(url).key
    except BadUrl:
        return None
    return _feeds_by_key([key]).get(key)


def site_of(host: str) -> str:
    """Give the name of the site to which a host belongs: without "www." and "feeds."."""
    for prefix in _SERVICE_PREFIXES:
        if host.startswith(prefix) and host.count(".") > 1:
            return host.removeprefix(prefix)
    return host


def is_of_host(title: str, host: str) -> bool:
    """Tell the name of a domain that many sites share from that of a site on it.

    Examples
    --------
    >>> is_of_host("WordPress.com", "gnaur.wordpress.com"), is_of_host("gnaur", "gnaur.example")
    (True, False)
    """
    name = title.strip().lower()
    return "." in name and host.endswith(f".{name}") and site_of(host) != name


def unused_slug(name: str, used: set[str]) -> str:
    """Make a slug that is not in `used`, and put it there."""
    stem = slugify(name.replace(".", "-"))[: MAX_SLUG_LENGTH - 6].strip("-") or "publication"
    slug, number = stem, 1
    while slug in used or slug in RESERVED_SLUGS:
        number += 1
        slug = f"{stem}-{number}"
    used.add(slug)
    return slug


def feed_page(address: CanonicalUrl, publication_id: int, due_at: datetime | None) -> NewPage:
    """Make the frontier's page of a feed."""
    return NewPage(
        url=address.url,
        key=address.key,
        host=address.host,
        kind=PageKind.FEED,
        publication_id=publication_id,
        due_at=due_at,
        due_reason=NEW_FEED,
    )


def feed_row(feed: NewFeed, page_id: int, publication_id: int, now: datetime) -> Feed:
    """Make the row of a feed that was not read yet."""
    return Feed(
        publication_id=publication_id,
        page_id=page_id,
        title=feed.title[:300],
        found_by=feed.found_by[:40],
        kind=feed.kind if feed.kind in _CHOSEN_KINDS else "",
        created_at=now,
        place=feed.past.place().to_json() if feed.past else {},
    )


def take_over(page_ids: Iterable[int], publication_id: int, due_at: datetime | None) -> None:
    """Make feeds of pages that were known as something else: an article's link, a former feed."""
    Page.objects.filter(pk__in=list(page_ids), feed=None).reschedule(
        due_at,
        kind=PageKind.FEED,
        publication_id=publication_id,
        due_reason=NEW_FEED,
        parent=None,
    )


def _address(url: str) -> CanonicalUrl:
    try:
        return canonicalize(url)
    except BadUrl as problem:
        raise PublicationProblem(str(problem)) from problem


def _known_address(url: str) -> CanonicalUrl | None:
    """Read a stored address; None if somebody has edited it into something else."""
    try:
        return canonicalize(url)
    except BadUrl:
        return None


def _home_is_taken(known: Publication) -> str:
    if known.deleted_at is None:
        return f"“{known.name}” already has this home page."
    return f"“{known.name}” has this home page and was deleted: restore it on its page instead."


def _check_patterns(new: NewPublication) -> None:
    try:
        LinkFilter.compile([new.include_pattern], [new.exclude_pattern])
    except BadPattern as problem:
        raise PublicationProblem(str(problem)) from problem


def _slugs() -> set[str]:
    return set(Publication.objects.values_list("slug", flat=True))


def _feeds_by_key(keys: Iterable[str]) -> dict[str, Feed]:
    rows = Feed.objects.filter(page__key__in=list(keys)).select_related("publication", "page")
    return {feed.page.key: feed for feed in rows}
