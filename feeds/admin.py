"""Publications, feeds, hosts, the frontier and its fetches in Django's admin."""

from contextlib import suppress
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from feeds.account_forms import FIELDS as ACCOUNT_FIELDS
from feeds.account_forms import AccountForm
from feeds.acts import Act, ActRefusedError
from feeds.admin_forms import NewFeedForm, ProxyForm, PublicationTableForm
from feeds.crawler.rights.statements import SITE_SOURCES
from feeds.models import (
    Account,
    ArchiveFile,
    ArticleFlow,
    ArticleHour,
    Crawl,
    CrawlAddress,
    DraftPage,
    Feed,
    FeedChange,
    FeedItem,
    Fetch,
    Host,
    HostDecision,
    HubSubscription,
    Lock,
    OutsideFile,
    Page,
    ParameterChange,
    Proxy,
    Publication,
    PublicationChange,
    PublicationState,
    PublishingRhythm,
    RightsFile,
    RightsSetting,
    SourceDraft,
    Tag,
    Tally,
    Tombstone,
    VisitFinding,
    WarcImport,
    Worker,
)
from feeds.sources import publications
from feeds.sources.publications import NewFeed, PublicationProblem
from feeds.sources.settings_history import kept_changes
from feeds.table_admin import WrittenByProgram, values_filter
from feeds.visiting.host_acts import forget_block
from feeds.work_admin import (
    WORK_FIELDS,
    StageRows,
    WorkStateFilter,
    make_due,
    try_again,
)
from presentation.wording.figures import counted


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

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        del request, obj
        return False


@admin.register(Publication)
class PublicationAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    list_display = ("name", "state", "home_url", "language", "min_delay_seconds", "started_at")
    list_filter = ("state", "language", "allow_browser_agent")
    search_fields = ("name", "slug", "home_url")
    prepopulated_fields = {"slug": ("name",)}
    form = PublicationTableForm
    readonly_fields = ("state", "comments_open_days", "created_at", "started_at", "paused_at")
    inlines = (FeedInline,)
    actions = ("pause", "resume", "visit")

    def save_model(self, request: HttpRequest, obj: Publication, form: Any, change: bool) -> None:
        """Write what the form has changed, and no column that workers write meanwhile."""
        if not change:
            obj.created_at = timezone.now()
            obj.save()
            return
        with kept_changes([obj.pk], request.user, timezone.now()):
            obj.save(update_fields=form.changed_data)
        if "slug" in form.changed_data:
            self.message_user(
                request,
                "Its texts are labelled with the new name in the background. Addresses, saved "
                f"queries and subcorpora with “{form.initial['slug']}” find nothing any more.",
                messages.WARNING,
            )

    @admin.action(description="Pause", permissions=["change"])
    def pause(self, request: HttpRequest, queryset: QuerySet[Publication]) -> None:
        running = queryset.filter(state=PublicationState.ACTIVE)
        rows, now = list(running), timezone.now()
        with kept_changes([row.pk for row in rows], request.user, now):
            for publication in rows:
                publications.pause(publication, now)
        self.message_user(request, "The chosen publications are paused.", messages.SUCCESS)

    @admin.action(description="Resume or start", permissions=["change"])
    def resume(self, request: HttpRequest, queryset: QuerySet[Publication]) -> None:
        rows, now = list(queryset), timezone.now()
        with kept_changes([row.pk for row in rows], request.user, now):
            for publication in rows:
                publications.resume(publication, now)
        self.message_user(request, "The chosen publications run.", messages.SUCCESS)

    @admin.action(description="Visit all feeds now", permissions=["change"])
    def visit(self, request: HttpRequest, queryset: QuerySet[Publication]) -> None:
        _visit(self, request, Feed.objects.filter(publication__in=queryset))


@admin.register(Feed)
class FeedAdmin(WrittenByProgram):
    """A feed is added by its address and switched on or off; what it was read as stays."""

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
    editable = ("title", "is_active")
    actions = ("visit", "switch_on", "switch_off")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        del obj
        return admin.ModelAdmin.has_add_permission(self, request)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return () if obj is None else super().get_readonly_fields(request, obj)

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        if obj is None:
            kwargs |= {"form": NewFeedForm, "fields": ("publication", "address", "title")}
        return super().get_form(request, obj, change, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return [(None, {"fields": ("publication", "address", "title")})]
        return super().get_fieldsets(request, obj)

    def save_model(self, request: HttpRequest, obj: Feed, form: Any, change: bool) -> None:
        del request
        given, now = form.cleaned_data, timezone.now()
        if not change:
            new = NewFeed(given["address"], title=given["title"])
            obj.pk = publications.add_feeds(given["publication"], [new], now)[0].pk
            return
        if "title" in form.changed_data:
            obj.save(update_fields=["title"])
        if "is_active" in form.changed_data:
            publications.set_feed_active(obj, is_active=given["is_active"], now=now)

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


@admin.register(FeedChange)
class FeedChangeAdmin(WrittenByProgram):
    list_display = ("at", "publication", "sentence", "reason", "made_by")
    list_select_related = ("publication", "made_by")
    search_fields = ("sentence", "reason")


@admin.register(FeedItem)
class FeedItemAdmin(WrittenByProgram):
    list_display = ("page", "feed", "first_seen_at", "last_seen_at")
    list_select_related = ("page", "feed__page")
    search_fields = ("page__url", "page__feed_headline")
    list_filter = ("feed__publication",)


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
    actions = ("unblock",)

    @admin.action(description="Forget the block and try again", permissions=["change"])
    def unblock(self, request: HttpRequest, queryset: QuerySet[Host]) -> None:
        act = Act(request.user.pk, timezone.now(), "Chosen in the table of hosts.")
        n = 0
        for host in queryset:
            with suppress(ActRefusedError):  # it was not blocked
                forget_block(host, act)
                n += 1
        self.message_user(
            request, f"{counted(n, 'host is', 'hosts are')} tried again.", messages.SUCCESS
        )


@admin.register(Page)
class PageAdmin(StageRows):
    list_display = ("url", "kind", "publication", "outcome", "visited_at", "due_at", "due_reason")
    list_filter = (WorkStateFilter, "kind", "outcome", "publication")
    search_fields = ("url", "key", "slug", "feed_headline")
    ordering = ("-pk",)
    list_select_related = ("publication",)
    actions = (try_again, make_due)


class StatusClassFilter(admin.SimpleListFilter):
    """The first figure of a status: to list all that were met every fetch would be read."""

    title = "status"
    parameter_name = "status_class"

    def lookups(
        self, request: HttpRequest, model_admin: "admin.ModelAdmin[Fetch]"
    ) -> list[tuple[str, str]]:
        del request, model_admin
        return [(figure, f"{figure}00 to {figure}99") for figure in "2345"]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Fetch]) -> QuerySet[Fetch]:
        del request
        chosen = self.value()
        if chosen not in set("2345"):
            return queryset
        return queryset.filter(status__gte=int(chosen) * 100, status__lt=int(chosen) * 100 + 100)


@admin.register(Fetch)
class FetchAdmin(WrittenByProgram):
    list_display = ("url", "started_at", "outcome", "status", "elapsed_ms", "wire_bytes", "error")
    list_filter = ("outcome", StatusClassFilter, "started_at")
    ordering = ("-pk",)
    search_fields = ("url", "final_url")


@admin.register(VisitFinding)
class VisitFindingAdmin(WrittenByProgram):
    list_display = ("publication", "age_hours", "n_visits", "n_changed")
    list_filter = ("publication",)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse changes: what was found was counted."""
        del request, obj
        return False


class Counted(WrittenByProgram):
    """Rows that nobody may change: they were counted."""

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        del request, obj
        return False


@admin.register(ArticleHour)
class ArticleHourAdmin(Counted):
    list_display = ("publication", "hour", "n_stored")
    list_filter = ("publication",)


@admin.register(ArticleFlow)
class ArticleFlowAdmin(Counted):
    list_display = ("publication", "host", "stored_at", "lost_since")
    list_filter = ("publication",)


@admin.register(PublishingRhythm)
class PublishingRhythmAdmin(Counted):
    list_display = ("publication", "articles_a_day", "learnt_until", "heard_at")


@admin.register(SourceDraft)
class SourceDraftAdmin(WrittenByProgram):
    list_display = ("address", "owner", "publication", "created_at")
    list_select_related = ("owner", "publication")
    search_fields = ("address",)


@admin.register(DraftPage)
class DraftPageAdmin(WrittenByProgram):
    list_display = ("url", "draft", "content_type")
    list_select_related = ("draft",)
    exclude = ("body",)


@admin.register(Worker)
class WorkerAdmin(WrittenByProgram):
    list_display = ("name", "kind", "pid", "started_at", "beat_at", "doing", "hard_limit_at")
    list_filter = ("kind",)


@admin.register(Lock)
class LockAdmin(WrittenByProgram):
    list_display = ("name", "lease_owner", "lease_until", "last_run_at")


@admin.register(ArchiveFile)
class ArchiveFileAdmin(WrittenByProgram):
    list_display = ("name", "machine", "n_bytes", "waits_since", "uploaded_at", "rewritten_at")
    search_fields = ("name", "machine")


@admin.register(OutsideFile)
class OutsideFileAdmin(WrittenByProgram):
    list_display = ("path", "n_bytes", "added_at", "looked_at", "away_since")
    search_fields = ("path",)


@admin.register(HubSubscription)
class HubSubscriptionAdmin(WrittenByProgram):
    list_display = ("url", "topic", "asked", "asked_at", "ends_at", "told_at", "n_told", "problem")
    list_filter = ("asked", WorkStateFilter)
    readonly_fields = WORK_FIELDS
    exclude = ("key", "sealed")
    search_fields = ("url", "topic")
    actions = (make_due, try_again)


@admin.register(Tally)
class TallyAdmin(WrittenByProgram):
    list_display = ("name", "counted_at", "elapsed_ms", "wanted_at")


@admin.register(Crawl)
class CrawlAdmin(WrittenByProgram):
    list_display = ("publication", "kind", "state", "created_at", "ended_at", "owner")
    list_filter = ("kind", "state", WorkStateFilter)
    readonly_fields = WORK_FIELDS
    actions = (make_due, try_again)


@admin.register(CrawlAddress)
class CrawlAddressAdmin(WrittenByProgram):
    list_display = ("url", "role", "depth", "released_at", "followed_at", "n_links")
    list_filter = ("role",)
    search_fields = ("key",)


@admin.register(WarcImport)
class WarcImportAdmin(WrittenByProgram):
    list_display = ("path", "member", "offset", "n_bytes", "created_at", "finished_at", "asked_by")
    list_filter = (WorkStateFilter,)
    readonly_fields = WORK_FIELDS
    search_fields = ("path",)
    actions = (make_due, try_again)


@admin.register(Proxy)
class ProxyAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    form = ProxyForm
    list_display = ("name", "url", "is_active")


@admin.register(Account)
class AccountAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # generic in its stubs only
    form = AccountForm
    fields = ("publication", *ACCOUNT_FIELDS)
    list_display = ("publication", "host", "kind", "user_name", "is_active", "changed_at")
    list_select_related = ("publication",)


@admin.register(HostDecision)
class HostDecisionAdmin(WrittenByProgram):
    list_display = ("at", "host", "sign", "choice", "reason", "made_by")
    list_filter = ("choice",)
    list_select_related = ("host", "made_by")


@admin.register(RightsFile)
class RightsFileAdmin(WrittenByProgram):
    list_display = ("host", "source", "problem", "read_at", "changed_at", "is_applied")
    list_filter = (
        values_filter("source", [(one.value, one.words) for one in SITE_SOURCES]),
        "is_applied",
    )
    search_fields = ("host__name",)
    list_select_related = ("host",)


@admin.register(RightsSetting)
class RightsSettingAdmin(WrittenByProgram):
    """Changed on the page of rights."""

    list_display = ("policy", "changed_at", "changed_by")


@admin.register(Tombstone)
class TombstoneAdmin(WrittenByProgram):
    list_display = ("digest", "made_at")
    search_fields = ("digest",)


@admin.register(ParameterChange)
class ParameterChangeAdmin(WrittenByProgram):
    """Changed on the page of parameters."""

    list_display = ("made_at", "name", "before", "value", "reason", "made_by")
    search_fields = ("name", "reason")
    list_select_related = ("made_by",)


@admin.register(PublicationChange)
class PublicationChangeAdmin(WrittenByProgram):
    list_display = ("made_at", "publication", "field", "before", "after", "made_by")
    search_fields = ("publication__name", "=field")
    list_select_related = ("publication", "made_by")


@admin.register(Tag)
class TagAdmin(WrittenByProgram):
    """Put on and taken off in the list of sources."""

    list_display = ("name",)
    search_fields = ("name",)
