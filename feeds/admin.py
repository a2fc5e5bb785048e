"""Publications, feeds, hosts, the frontier and its fetches in Django's admin."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet, URLField
from django.http import HttpRequest
from django.utils import timezone

from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.models import (
    Account,
    Crawl,
    CrawlAddress,
    Feed,
    FeedItem,
    Fetch,
    Host,
    HostDecision,
    Lock,
    Page,
    Proxy,
    Publication,
    PublicationState,
    SourceDraft,
    Tombstone,
    Worker,
)
from feeds.sources import publications
from feeds.sources.publications import PublicationProblem
from feeds.work_admin import WORK_FIELDS, WorkStateFilter, make_due, try_again
from presentation.wording.figures import counted


class WrittenByProgram(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    """Rows that only the program makes: they may be looked at and taken out, not invented."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        del request, obj
        return False


class OnlyShown(WrittenByProgram):
    """Rows that may be looked at: services of the program write them and end them."""

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        del request, obj
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        del request, obj
        return False


class FeedInline(admin.TabularInline):  # type: ignore[type-arg] # generic in its stubs only
    model = Feed
    fields = ("title", "kind", "is_active", "polled_at", "state_text")
    readonly_fields = ("kind", "polled_at", "state_text")
    extra = 0
    can_delete = False
    show_change_link = True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        del request, obj
        return False


@admin.register(Publication)
class PublicationAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    list_display = ("name", "state", "home_url", "language", "min_delay_seconds", "started_at")
    list_filter = ("state", "language", "allow_browser_agent")
    search_fields = ("name", "slug", "home_url")
    prepopulated_fields = {"slug": ("name",)}
    formfield_overrides = {URLField: {"assume_scheme": "https"}}
    readonly_fields = ("comments_open_days", "created_at", "started_at")
    inlines = (FeedInline,)
    actions = ("pause", "resume", "visit")

    def save_model(self, request: HttpRequest, obj: Publication, form: Any, change: bool) -> None:
        if not change:
            obj.created_at = timezone.now()
        super().save_model(request, obj, form, change)

    @admin.action(description="Pause", permissions=["change"])
    def pause(self, request: HttpRequest, queryset: QuerySet[Publication]) -> None:
        running = queryset.filter(state=PublicationState.ACTIVE)
        for publication in running:
            publications.pause(publication, timezone.now())
        self.message_user(request, "The chosen publications are paused.", messages.SUCCESS)

    @admin.action(description="Resume or start", permissions=["change"])
    def resume(self, request: HttpRequest, queryset: QuerySet[Publication]) -> None:
        for publication in queryset:
            publications.resume(publication, timezone.now())
        self.message_user(request, "The chosen publications run.", messages.SUCCESS)

    @admin.action(description="Visit all feeds now", permissions=["change"])
    def visit(self, request: HttpRequest, queryset: QuerySet[Publication]) -> None:
        _visit(self, request, Feed.objects.filter(publication__in=queryset))


@admin.register(Feed)
class FeedAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    list_display = (
        "title",
        "publication",
        "kind",
        "is_active",
        "polled_at",
        "n_items",
        "n_new",
        "overlap_share",
        "interval_seconds",
        "state_text",
    )
    list_filter = ("is_active", "kind", "publication")
    search_fields = ("title", "page__url", "publication__name")
    list_select_related = ("publication",)
    raw_id_fields = ("page",)
    actions = ("visit", "switch_on", "switch_off")

    @admin.action(description="Visit now", permissions=["change"])
    def visit(self, request: HttpRequest, queryset: QuerySet[Feed]) -> None:
        _visit(self, request, queryset)

    @admin.action(description="Switch on", permissions=["change"])
    def switch_on(self, request: HttpRequest, queryset: QuerySet[Feed]) -> None:
        for feed in queryset:
            publications.set_feed_active(feed, is_active=True, now=timezone.now())
        self.message_user(request, "The chosen feeds are on.", messages.SUCCESS)

    @admin.action(description="Pause", permissions=["change"])
    def switch_off(self, request: HttpRequest, queryset: QuerySet[Feed]) -> None:
        for feed in queryset:
            publications.set_feed_active(feed, is_active=False, now=timezone.now())
        self.message_user(request, "The chosen feeds are paused.", messages.SUCCESS)


def _visit(
    model_admin: "admin.ModelAdmin[Any]", request: HttpRequest, feeds: QuerySet[Feed]
) -> None:
    n = 0
    for feed in feeds.select_related("publication"):
        try:
            publications.visit_now(feed, timezone.now())
        except PublicationProblem as problem:
            model_admin.message_user(request, f"{feed}: {problem}", messages.WARNING)
        else:
            n += 1
    model_admin.message_user(
        request, f"{counted(n, 'feed is', 'feeds are')} due now.", messages.SUCCESS
    )


@admin.register(FeedItem)
class FeedItemAdmin(WrittenByProgram):
    list_display = ("page", "feed", "first_seen_at", "last_seen_at")
    list_select_related = ("page", "feed__page")
    search_fields = ("page__url", "page__feed_headline")
    list_filter = ("feed__publication",)
    raw_id_fields = ("feed", "page")


@admin.register(Host)
class HostAdmin(WrittenByProgram):
    list_display = (
        "name",
        "next_at",
        "next_reason",
        "delay_seconds",
        "crawl_delay_seconds",
        "failures",
        "blocked_since",
        "latency_ms",
        "last_request_at",
    )
    list_filter = (("blocked_since", admin.EmptyFieldListFilter), "needs_browser_agent")
    search_fields = ("name", "block_reason")
    readonly_fields = ("lease_until", "lease_owner")
    actions = ("unblock",)

    @admin.action(description="Forget the block and try again", permissions=["change"])
    def unblock(self, request: HttpRequest, queryset: QuerySet[Host]) -> None:
        n = queryset.update(blocked_since=None, block_reason="", failures=0, next_at=timezone.now())
        self.message_user(
            request, f"{counted(n, 'host is', 'hosts are')} tried again.", messages.SUCCESS
        )


@admin.register(Page)
class PageAdmin(WrittenByProgram):
    list_display = ("url", "kind", "publication", "outcome", "visited_at", "due_at", "due_reason")
    list_filter = (WorkStateFilter, "kind", "outcome", "publication")
    search_fields = ("url", "key", "slug", "feed_headline")
    list_select_related = ("publication",)
    raw_id_fields = ("host", "parent", "content_fetch", "publication")
    readonly_fields = WORK_FIELDS[1:]
    actions = (try_again, make_due)


@admin.register(Fetch)
class FetchAdmin(WrittenByProgram):
    list_display = ("url", "started_at", "outcome", "status", "elapsed_ms", "wire_bytes", "error")
    list_filter = ("outcome", "status", "started_at")
    search_fields = ("url", "final_url")
    raw_id_fields = ("page", "host")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse changes: what took place stays as it was written."""
        del request, obj
        return False


@admin.register(SourceDraft)
class SourceDraftAdmin(WrittenByProgram):
    list_display = ("address", "owner", "publication", "created_at")
    list_select_related = ("owner", "publication")
    search_fields = ("address",)
    raw_id_fields = ("owner", "publication")


@admin.register(Worker)
class WorkerAdmin(WrittenByProgram):
    list_display = ("name", "kind", "pid", "started_at", "beat_at", "doing", "hard_limit_at")
    list_filter = ("kind",)


@admin.register(Lock)
class LockAdmin(WrittenByProgram):
    list_display = ("name", "lease_owner", "lease_until", "last_run_at")


@admin.register(Crawl)
class CrawlAdmin(WrittenByProgram):
    list_display = ("publication", "kind", "state", "created_at", "ended_at", "owner")
    list_filter = ("kind", "state", WorkStateFilter)
    readonly_fields = ("seeds", "created_at", "ended_at", *WORK_FIELDS)
    raw_id_fields = ("publication", "owner")
    actions = (make_due, try_again)


@admin.register(CrawlAddress)
class CrawlAddressAdmin(WrittenByProgram):
    list_display = ("url", "role", "depth", "released_at", "followed_at", "n_links")
    list_filter = ("role",)
    search_fields = ("key",)
    raw_id_fields = ("crawl", "page")


# --- Proxies, accounts, the log of blocks: secrets go in and never come out -----------------------


class ProxyForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    class Meta:
        model = Proxy
        fields = ("name", "url", "is_active")

    def clean_url(self) -> str:
        try:
            return canonicalize(self.cleaned_data["url"]).url
        except BadUrl as problem:
            raise ValidationError(str(problem)) from problem


class AccountForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    """The secret is never sent to the browser; left empty it stays what it is."""

    secret = forms.CharField(
        max_length=4000,
        required=False,
        widget=forms.PasswordInput(render_value=False),
        help_text="Password, or the Cookie header of a signed-in browser. Empty: as it was.",
    )

    class Meta:
        model = Account
        fields = ("publication", "kind", "user_name", "secret", "is_active")

    def clean_secret(self) -> str:
        secret: str = self.cleaned_data["secret"] or self.instance.secret
        if not secret:
            raise ValidationError("Give the password or the cookie.")
        if not secret.isascii() or not secret.isprintable():
            raise ValidationError("A header holds printable ASCII characters only.")
        return secret


@admin.register(Proxy)
class ProxyAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    form = ProxyForm
    list_display = ("name", "url", "is_active")


@admin.register(Account)
class AccountAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    form = AccountForm
    list_display = ("publication", "kind", "user_name", "is_active", "changed_at")
    list_select_related = ("publication",)


@admin.register(HostDecision)
class HostDecisionAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    list_display = ("at", "host", "sign", "choice", "reason")
    list_filter = ("choice",)
    list_select_related = ("host",)
    raw_id_fields = ("host",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        del request, obj
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        del request, obj
        return False


@admin.register(Tombstone)
class TombstoneAdmin(OnlyShown):
    list_display = ("digest", "made_at")
    search_fields = ("digest",)
