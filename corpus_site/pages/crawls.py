"""Crawls: the list, a new one, and the report of one, page by page."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from corpus_site.counts.crawl_counts import crawled_texts
from extraction.models import Article, Extraction
from feeds.crawls import site_crawls, trap_choices
from feeds.crawls.site_crawls import CrawlProblem
from feeds.forms import BeginForm, CrawlForm
from feeds.models import Crawl, CrawlAddress, CrawlState, Fetch, Publication
from feeds.models.page import OUTCOME_CHOICES
from feeds.watching.crawl_status import (
    CrawlProgress,
    crawl_addresses,
    crawl_estimate,
    crawl_progress,
    last_fetches,
)
from presentation.fragments import part_of
from search.engine.tables.exports import harmless

CRAWLS_PER_PAGE = 25
# Fields of the form that an address may fill, as the calendar of gaps does.
_OF_ADDRESS = ("first_day", "last_day", "limit", "archive_url", "requests_per_minute")
PAGES_PER_PAGE = 50
_MAX_TYPED = 2048  # characters of an address, as the columns hold
_TONES = {
    CrawlState.LISTING: ("ok", "● Asking the archive"),
    CrawlState.LISTED: ("warn", "▲ Waits for “Begin”"),
    CrawlState.RUNNING: ("ok", "● Running"),
    CrawlState.PAUSED: ("", "‖ Paused"),
    CrawlState.STOPPED: ("", "✕ Stopped"),
    CrawlState.DONE: ("ok", "● Done"),
}
_BEGUN = {
    CrawlState.RUNNING: "The crawl has begun; its pages come at the hosts’ pace.",
    CrawlState.LISTING: "The archive is asked what it has; all else waits for you.",
}
_COLUMNS = (
    "address", "as", "found on", "depth", "visited", "status", "outcome", "bytes", "ms",
    "seen by an archive", "links", "new links", "words", "language", "extractor", "became",
    "words before cleaning", "text-to-tag ratio",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReportRow:
    """An address of a crawl with what became of it."""

    address: CrawlAddress
    article: Article | None
    extraction: Extraction | None
    fetch: Fetch | None

    @property
    def became(self) -> str:
        """Say in words what the page is now."""
        if self.article is not None:
            return "article" if self.article.in_corpus else self.article.reason
        if self.extraction is not None and self.extraction.outcome:
            return self.extraction.outcome_detail or self.extraction.outcome.replace("_", " ")
        page = self.address.page
        if page is None:  # a tombstone keeps it from being a page
            return "erased" if self.address.released_at else "waits for its turn"
        return page.last_error or ("" if page.visited_at else page.due_reason)

    def cells(self) -> list[str | int]:
        """Values of the row as a file holds them."""
        address, page, article, fetch = self.address, self.address.page, self.article, self.fetch
        return [
            address.url,
            address.get_role_display(),
            address.found_on,
            address.depth,
            page.visited_at.isoformat(timespec="seconds") if page and page.visited_at else "",
            (fetch.status or "") if fetch else "",
            page.outcome if page else "",
            fetch.body_bytes if fetch else "",
            fetch.elapsed_ms if fetch else "",
            fetch.seen_at.isoformat(timespec="seconds") if fetch and fetch.seen_at else "",
            "" if address.n_links is None else address.n_links,
            "" if address.n_new is None else address.n_new,
            article.n_words if article else "",
            article.language if article else "",
            article.extractor if article else "",
            self.became,
            *_size_cells(self.extraction),
        ]


def _size_cells(read: Extraction | None) -> tuple[int | str, str]:
    ratio = read.text_to_tag_ratio if read else None
    if read is None or read.page_words is None or ratio is None:
        return "", ""
    return read.page_words, f"{ratio:.2f}"


def crawl_state(crawl: Crawl, progress: CrawlProgress) -> tuple[str, str]:
    """Tone of the style sheet, and shape with word."""
    if crawl.quarantined_at:
        return "bad", "✕ Failed"
    if progress.unanswered:
        return "warn", "▲ No answer yet"
    if crawl.state == CrawlState.DONE and progress.has_failed:
        return "bad", "✕ Ended"
    if crawl.state == CrawlState.DONE and not progress.n_stories:
        return "warn", "▲ Ended"
    return _TONES[CrawlState(crawl.state)]


def _rows() -> QuerySet[Crawl]:
    return Crawl.objects.select_related("publication", "owner").defer("traps")


@require_safe
def crawls(request: HttpRequest) -> HttpResponse:
    found = _rows()
    page = Paginator(found, CRAWLS_PER_PAGE).get_page(request.GET.get("p"))
    now = timezone.now()
    progress = [crawl_progress(crawl, now) for crawl in page]
    rows = [
        (crawl, crawl_state(crawl, own), own) for crawl, own in zip(page, progress, strict=True)
    ]
    context = {"now": timezone.localtime(), "page": page, "rows": rows}
    return render(request, "crawls/crawls.html", context)


@permission_required("feeds.add_crawl", raise_exception=True)
@require_http_methods(["GET", "HEAD", "POST"])
def new_crawl(request: HttpRequest) -> HttpResponse:
    form = CrawlForm(request.POST) if request.method == "POST" else _asked_for(request)
    if request.method == "POST" and form.is_valid():
        try:
            crawl = _begin(request, form)
        except CrawlProblem as problem:
            form.add_error(None, str(problem))
        else:
            messages.success(request, _BEGUN[CrawlState(crawl.state)])
            return redirect("crawl", pk=crawl.pk)
    status = 400 if form.errors else 200
    return render(request, "crawls/new.html", {"form": form}, status=status)


def _asked_for(request: HttpRequest) -> CrawlForm:
    slug = request.GET.get("pub", "").replace("\0", "")
    publication = Publication.sites.filter(slug=slug).first()
    initial = {"kind": request.GET.get("kind", CrawlForm.base_fields["kind"].initial)}
    if "include" in request.GET:
        initial["include_pattern"] = _plain(request, "include")
    initial |= {name: _plain(request, name) for name in _OF_ADDRESS if name in request.GET}
    if publication is not None:
        initial |= {"publication": publication.slug, "seeds": publication.home_url}
    return CrawlForm(initial=initial)


def _plain(request: HttpRequest, name: str) -> str:
    return request.GET[name].replace("\0", "")


def _begin(request: HttpRequest, form: CrawlForm) -> Crawl:
    now, given = timezone.now(), form.cleaned_data
    with transaction.atomic():
        publication = given["publication"] or site_crawls.publication_without_feeds(
            given["name"], given["seeds"][0].url, now
        )
        new = form.request_for(publication)
        return site_crawls.begin(new, request.user.pk, now, settings.CRAWL_USER_AGENT)


@require_safe
def crawl(request: HttpRequest, pk: int) -> HttpResponseBase:
    row = get_object_or_404(_rows(), pk=pk)
    if request.GET.get("format") == "csv":
        return _file(row)
    return render(request, "crawls/crawl.html", _context(request, row))


@require_safe
@part_of("crawl")
def crawl_part(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(_rows(), pk=pk)
    if row.state == CrawlState.LISTED:  # the whole page asks what to do now, and stands still
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    return render(request, "crawls/_crawl.html", _context(request, row))


def _context(request: HttpRequest, row: Crawl, refused: BeginForm | None = None) -> dict[str, Any]:
    wanted = request.GET.get("outcome", "")
    outcome = wanted if wanted in dict(OUTCOME_CHOICES) else ""
    now = timezone.now()
    progress = crawl_progress(row, now)
    paginator = Paginator(crawl_addresses(row, outcome), PAGES_PER_PAGE)
    if progress.counted_at:  # a pool so large that nobody waits for its count
        paginator.count = dict(progress.outcomes).get(outcome, 0) if outcome else progress.n_known
    page = paginator.get_page(request.GET.get("p"))
    estimate = crawl_estimate(row, now) if row.state == CrawlState.LISTED else None
    return {
        "now": timezone.localtime(),
        "crawl": row,
        "estimate": estimate,
        "begin": (refused or _begin_form(row)) if estimate else None,
        "state": crawl_state(row, progress),
        "progress": progress,
        "page": page,
        "rows": report_rows(list(page)),
        "families": trap_choices.left_families(row),
        "leaves_families": row.kind in trap_choices.FOLLOWING_KINDS,
        "outcome": outcome,
        "kept": f"&outcome={outcome}" if outcome else "",
        "texts": crawled_texts(row, now),
    }


def _begin_form(row: Crawl) -> BeginForm:
    limit = sum(seed[1] for seed in row.seeds)
    given = {"limit": limit, "requests_per_minute": row.requests_per_minute}
    return BeginForm(initial=given)


def _begin_listed(request: HttpRequest, row: Crawl) -> HttpResponse:
    """Begin with what the form says, or show the page again with what was typed."""
    form = BeginForm(request.POST)
    if row.state != CrawlState.LISTED:
        raise CrawlProblem(site_crawls.NOT_WAITING)
    if not form.is_valid():
        form.focus_first_error()
        return render(request, "crawls/crawl.html", _context(request, row, form), status=400)
    given = form.cleaned_data
    site_crawls.begin_listed(row, given["limit"], given["requests_per_minute"], timezone.now())
    messages.success(request, _BEGUN[CrawlState.RUNNING])
    return redirect("crawl", pk=row.pk)


def _say_of_family(request: HttpRequest, row: Crawl, action: str) -> str:
    """Do with a family of addresses what an editor says; returns a sentence."""
    now = timezone.now()
    family = _typed(request, "family")
    match action:
        case "take":
            trap_choices.take_family(row, family, now)
            return "These addresses are taken after all; pages that named them are read again."
        case "leave":
            trap_choices.leave_family(row, family, now)
            return "These addresses are left."
        case _:
            family = trap_choices.stop_family(row, _typed(request, "url"), now)
            return f"Addresses such as {family} are left from now on."


def _typed(request: HttpRequest, name: str) -> str:
    return request.POST.get(name, "").replace("\0", "")[:_MAX_TYPED]


def report_rows(addresses: Sequence[CrawlAddress]) -> list[ReportRow]:
    """Join addresses with their texts, in three queries."""
    ids = [address.page_id for address in addresses if address.page_id]
    articles = {article.page_id: article for article in Article.objects.filter(page__in=ids)}
    extractions = {row.page_id: row for row in Extraction.objects.filter(page__in=ids)}
    fetches = last_fetches(ids)
    return [
        ReportRow(
            address,
            articles.get(address.page_id) if address.page_id else None,
            extractions.get(address.page_id) if address.page_id else None,
            fetches.get(address.page_id) if address.page_id else None,
        )
        for address in addresses
    ]


def _file(row: Crawl) -> StreamingHttpResponse:
    """Send the whole report as CSV, some pages at a time."""
    response = StreamingHttpResponse(_lines(row), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="crawl-{row.pk}.csv"'
    return response


def _lines(row: Crawl) -> Iterator[str]:
    yield _csv_line([f"crawl {row.pk}: {row}", f"begun {row.created_at:%Y-%m-%d %H:%M} UTC"])
    yield _csv_line(_COLUMNS)
    for addresses in _batches(crawl_addresses(row).iterator(PAGES_PER_PAGE)):
        for item in report_rows(addresses):
            yield _csv_line(item.cells())


def _csv_line(cells: Sequence[str | int]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerow([harmless(cell) for cell in cells])
    return buffer.getvalue()


def _batches(addresses: Iterable[CrawlAddress]) -> Iterator[list[CrawlAddress]]:
    batch: list[CrawlAddress] = []
    for address in addresses:
        batch.append(address)
        if len(batch) == PAGES_PER_PAGE:
            yield batch
            batch = []
    yield batch


@permission_required("feeds.change_crawl", raise_exception=True)
@require_POST
def change_crawl(request: HttpRequest, pk: int, action: str) -> HttpResponse:
    row = get_object_or_404(Crawl, pk=pk)
    now = timezone.now()
    try:
        match action:
            case "begin":
                return _begin_listed(request, row)
            case "pause":
                site_crawls.pause(row)
                messages.success(request, "The crawl is paused; what was fetched stays.")
            case "resume":
                site_crawls.resume(row, now)
                messages.success(request, "The crawl goes on where it stood.")
            case "stop":
                site_crawls.stop(row, now)
                messages.success(request, "The crawl is stopped; what was fetched stays.")
            case "repeat-no-more":
                site_crawls.repeat_no_more(row)
                messages.success(request, "The crawl is not repeated any more.")
            case "take" | "leave" | "stop-such":
                messages.success(request, _say_of_family(request, row, action))
            case _:
                raise Http404
    except CrawlProblem as problem:
        messages.error(request, str(problem))
    return redirect("crawl", pk=pk)
