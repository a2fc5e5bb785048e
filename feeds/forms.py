"""Forms of the sources: settings, acts with a reason, and a new crawl (→ `NewCrawl`)."""

import re
from datetime import date
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.functional import cached_property

from feeds.acts import MAX_REASON
from feeds.crawler.addressing.canonical import BadUrl, canonicalize
from feeds.crawler.addressing.links import BadPattern, LinkFilter
from feeds.crawler.addressing.seeds import DEFAULT_LIMIT, MAX_LIMIT, BadSeedError, parse_seeds
from feeds.crawler.addressing.web_archive import DEFAULT_ARCHIVE
from feeds.crawls.site_crawls import NewCrawl, publications_of_seeds
from feeds.models import (
    DEFAULT_MIN_CHARACTERS,
    CrawlKind,
    Publication,
    PublicationState,
    TakenKind,
    UrlPolicy,
)
from feeds.models.crawl import (
    MAX_DEPTH,
    MAX_HOURS,
    MAX_REPEAT_DAYS,
    MAX_REQUESTS_PER_MINUTE,
    REQUESTS_PER_MINUTE,
)
from feeds.models.publication import MOST_VISIT_SHARE
from feeds.sources import publications
from feeds.sources.naming import publication_names

_NEW = "A new one, named below"
_AS_CHOSEN = "-"  # no slug
_MAX_PLACES = 5  # more known publications than one list of seeds is likely to name
_MOST_MIN_CHARACTERS = 20_000
_LANGUAGE_CODE = re.compile("[a-z]{2,3}")


class FocusingForm(forms.Form):
    """A form that its page shows again, where something is wrong, with what was typed."""

    def focus_first_error(self) -> None:
        """Let the page open where something is to be mended."""
        wrong = next((name for name in self.fields if name in self.errors), None)
        if wrong:
            self.fields[wrong].widget.attrs["autofocus"] = True


class ReasonForm(FocusingForm):
    """Why something is done; what it needs beside the reason is asked before it."""

    reason = forms.CharField(
        label="Why",
        max_length=MAX_REASON,
        error_messages={
            "required": "Say why: it stands in the log with your name.",
            "max_length": "The reason has at most %(limit_value)s characters.",
        },
    )


class ExpectedLanguagesForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    """In which languages a publication writes."""

    class Meta:
        model = Publication
        fields = ["expected_languages"]

    def clean_expected_languages(self) -> str:
        value: str = self.cleaned_data["expected_languages"]
        codes = [part.strip().lower() for part in value.split(",") if part.strip()]
        wrong = [code for code in codes if not _LANGUAGE_CODE.fullmatch(code)]
        if wrong:
            raise ValidationError(f"“{wrong[0]}” is no code of a language, such as en or nso.")
        return ", ".join(dict.fromkeys(codes))


class PublicationForm(ExpectedLanguagesForm):
    """How a publication is named and visited."""

    home_url = forms.URLField(max_length=2048, label="Home page", assume_scheme="https")
    visit_share = forms.FloatField(
        min_value=0,
        max_value=MOST_VISIT_SHARE,
        required=False,
        label="Largest share of requests for pages that are known",
        help_text=(
            "From 0 to 0.9, of the requests to a host in a day. Articles are visited again some "
            "hours, a day, a week and a month after publication, behind what is new. 0: each page "
            "is visited once. Empty: as it was."
        ),
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    min_characters = forms.IntegerField(
        min_value=0,
        required=False,
        label="Shortest text of the corpus, in characters",
        help_text=(
            "Shorter texts are kept outside the corpus. A change goes through the stored articles "
            f"in the background; nothing is fetched again. Empty: {DEFAULT_MIN_CHARACTERS}."
        ),
    )
    taken_kinds = forms.MultipleChoiceField(
        choices=TakenKind.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Taken into the corpus all the same",
    )

    class Meta:
        model = Publication
        fields = [
            "name",
            "home_url",
            "language",
            "expected_languages",
            "time_zone",
            "min_delay_seconds",
            "visit_share",
            "allow_browser_agent",
            "allow_proxy",
            "render_pages",
            "include_pattern",
            "exclude_pattern",
            "quiet_after_days",
            "min_characters",
            "taken_kinds",
            "rights_policy",
            "comments_keep_days",
            "note",
        ]
        labels = {
            "min_delay_seconds": "Delay between two requests, in seconds",
            "allow_browser_agent": "Ask once more as a browser after a 403",
            "allow_proxy": "Ask through a proxy of the pool after a block",
            "render_pages": "Let a browser draw its articles",
            "include_pattern": "Only addresses that match",
            "exclude_pattern": "No address that matches",
            "quiet_after_days": "Alarm after so many days without a new article",
            "rights_policy": "Where its site reserves the rights of text mining",
            "comments_keep_days": "Take readers’ comments after so many days",
        }
        help_texts = {
            "language": "As a code, such as en or af. Empty: as each page declares it.",
            "expected_languages": (
                "Codes with commas, such as en, af, zu. They decide where a few words could be of "
                "several languages, in texts read from now on. Empty: the language above."
            ),
            "time_zone": (
                "Of dates on its pages that name no zone, such as Africa/Windhoek. Empty: that of "
                "this installation."
            ),
            "min_delay_seconds": (
                "Empty: the default of this installation. A longer crawl delay in robots.txt wins."
            ),
            "allow_proxy": (
                "Proxies are entered by admins. robots.txt and delays hold there as well; a host "
                "that asks for time (429) is given it."
            ),
            "allow_browser_agent": "Some sites refuse every program. Permit it by agreement only.",
            "render_pages": (
                "Where scripts draw a page’s text. They and their data are fetched as all else "
                "is, behind robots.txt and delays; pictures and trackers are not."
            ),
            "include_pattern": (
                "A regular expression (RE2), searched anywhere in the address. Empty: all."
            ),
            "exclude_pattern": "Leaves out what the other would let in. Empty: none.",
            "rights_policy": (
                "Each choice leaves out more than the one before it. Texts that are stored follow "
                "within minutes; what is archived stays archived."
            ),
            "comments_keep_days": (
                "Comments are collected once their thread has closed. A thread that is open even "
                "then is taken as it stands, and looked at again ever more rarely. Empty: the "
                "default of this installation."
            ),
        }
        widgets = {
            "include_pattern": forms.TextInput(attrs={"spellcheck": "false"}),
            "exclude_pattern": forms.TextInput(attrs={"spellcheck": "false"}),
            "note": forms.Textarea(attrs={"rows": 3}),
        }

    def clean_visit_share(self) -> float:
        value: float | None = self.cleaned_data["visit_share"]
        return self.instance.visit_share if value is None else value

    def clean_name(self) -> str:
        name = " ".join(self.cleaned_data["name"].split())
        others = Publication.objects.exclude(pk=self.instance.pk)
        if name != self.instance.name and (known := others.filter(name__iexact=name).first()):
            raise ValidationError(f"“{known.name}” ({known.home_url}) has this name already.")
        return name

    def clean_home_url(self) -> str:
        url: str = self.cleaned_data["home_url"]
        if url == self.instance.home_url:
            return url
        try:
            home = canonicalize(url)
        except BadUrl as problem:
            raise ValidationError(str(problem)) from problem
        known = publications.find_publication(home)
        if known is not None and known.pk != self.instance.pk:
            raise ValidationError(f"“{known.name}” already has this home page.")
        return home.url

    def clean_min_characters(self) -> int:
        given: int | None = self.cleaned_data["min_characters"]
        n = DEFAULT_MIN_CHARACTERS if given is None else given
        if n > _MOST_MIN_CHARACTERS:
            raise ValidationError(f"Above {_MOST_MIN_CHARACTERS} characters no article is left.")
        return n

    def clean_time_zone(self) -> str:
        value: str = self.cleaned_data["time_zone"]
        if value and value not in available_timezones():
            message = f"“{value}” is no zone of the IANA database, such as Africa/Johannesburg."
            raise ValidationError(message)
        return value

    def clean_include_pattern(self) -> str:
        return _pattern(self.cleaned_data["include_pattern"])

    def clean_exclude_pattern(self) -> str:
        return _pattern(self.cleaned_data["exclude_pattern"])


class PublicationField(forms.ModelChoiceField):  # type: ignore[type-arg] # as above
    """A choice of publications, told apart where two have one name."""

    @cached_property
    def _names(self) -> dict[str, str]:
        return publication_names()

    def label_from_instance(self, obj: Publication) -> str:
        return self._names.get(obj.slug, obj.name)


class CrawlForm(forms.Form):
    """What to crawl once, for which publication, and how far."""

    publication = PublicationField(
        Publication.kept.order_by("name"),
        to_field_name="slug",
        required=False,
        empty_label=_NEW,
        help_text="The texts are stored under it and can be searched as its texts.",
    )
    name = forms.CharField(
        max_length=200, required=False, label="Name of the new publication, without feeds"
    )
    # Asked only where a host of a new publication belongs to a known one.
    place = forms.CharField(
        max_length=80,
        required=False,
        widget=forms.RadioSelect,
        label="Where the texts go",
    )
    kind = forms.ChoiceField(choices=CrawlKind.choices, initial=CrawlKind.SITE, label="What")
    seeds = forms.CharField(
        label="Addresses",
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "autocapitalize": "none"}),
        error_messages={"required": "Give at least one address."},
        help_text=(
            "One a line, if wanted with its page limit and a restriction: "
            "https://paper.example/ 500 https://paper.example/news/ or, across hosts, "
            "https://paper.example/ 500 *.example"
        ),
    )
    limit = forms.IntegerField(
        min_value=1,
        max_value=MAX_LIMIT,
        initial=DEFAULT_LIMIT,
        label="Page limit of addresses that name none",
    )
    policy = forms.ChoiceField(
        choices=UrlPolicy.choices, initial=UrlPolicy.NEEDED, label="Links that are followed"
    )
    max_depth = forms.IntegerField(
        min_value=1,
        max_value=MAX_DEPTH,
        initial=1,
        label="Links from an address",
        help_text="1: what the page itself links to. Sections and all links need more.",
    )
    pages_per_host = forms.IntegerField(
        min_value=1,
        max_value=MAX_LIMIT,
        required=False,
        label="Pages of one host, at most",
        help_text="Empty: as many as the page limit allows.",
    )
    max_hours = forms.IntegerField(
        min_value=1,
        max_value=MAX_HOURS,
        required=False,
        label="Hours, at most",
        help_text="Empty: until nothing is left.",
    )
    repeat_days = forms.IntegerField(
        min_value=1,
        max_value=MAX_REPEAT_DAYS,
        required=False,
        label="Crawl again every … days",
        help_text="Empty: once. Pages with links are read anew, known stories are not.",
    )
    include_pattern = forms.CharField(
        max_length=500,
        required=False,
        label="Stories are addresses that match",
        help_text="A regular expression (RE2). Empty: what looks like a story.",
    )
    exclude_pattern = forms.CharField(
        max_length=500, required=False, label="No address that matches"
    )
    first_day = forms.DateField(
        required=False, label="First day", widget=forms.DateInput(attrs={"type": "date"})
    )
    last_day = forms.DateField(
        required=False,
        label="Last day",
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="Front pages are looked for backwards, from the last day to the first.",
    )
    requests_per_minute = forms.IntegerField(
        min_value=1,
        max_value=MAX_REQUESTS_PER_MINUTE,
        initial=REQUESTS_PER_MINUTE,
        required=False,
        label="Requests a minute, at most",
        help_text="Of this crawl to the archive; its host’s own delay holds beside it.",
    )
    archive_url = forms.CharField(
        max_length=500,
        initial=DEFAULT_ARCHIVE,
        required=False,
        label="Web archive",
        help_text=(
            "As the Wayback Machine, pywb (with its collection: https://archive.example/paper) or "
            "OpenWayback answer."
        ),
    )

    @property
    def basic(self) -> list[forms.BoundField]:
        """Fields that every crawl needs."""
        asked = ("place",) if self.fields["place"].widget.choices else ()
        return [self[name] for name in ("publication", "name", *asked, "kind", "seeds", "limit")]

    @property
    def of_links(self) -> list[forms.BoundField]:
        """Fields that say which links are followed."""
        names = ["policy", "max_depth", "include_pattern", "exclude_pattern"]
        names += ["pages_per_host", "max_hours"]
        if not self.is_backfill:
            names.append("repeat_days")
        return [self[name] for name in names]

    @property
    def of_archive(self) -> list[forms.BoundField]:
        """Fields of a crawl through a web archive."""
        names = ("first_day", "last_day", "requests_per_minute", "archive_url")
        return [self[name] for name in names]

    @property
    def is_backfill(self) -> bool:
        """Whether a web archive is to be asked, so that its fields come first."""
        return bool(self["kind"].value() == CrawlKind.ARCHIVE)

    @property
    def has_wrong_links(self) -> bool:
        """Whether one of `of_links`, which are folded in beside an archive, has a fault."""
        return any(field.errors for field in self.of_links)

    def clean_publication(self) -> Publication | None:
        found: Publication | None = self.cleaned_data["publication"]
        return _running(found) if found else None

    def clean_include_pattern(self) -> str:
        return _pattern(self.cleaned_data["include_pattern"])

    def clean_exclude_pattern(self) -> str:
        return _pattern(self.cleaned_data["exclude_pattern"])

    def clean_archive_url(self) -> str:
        value = self.cleaned_data["archive_url"].strip() or DEFAULT_ARCHIVE
        try:
            return canonicalize(value).url.rstrip("/")
        except BadUrl as problem:
            raise ValidationError(str(problem)) from problem

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        try:
            values["seeds"] = parse_seeds(values.get("seeds", ""), values.get("limit") or 1)
        except BadSeedError as problem:
            if "seeds" in values:
                self.add_error("seeds", str(problem))
        if "publication" in values and not values["publication"] and not values.get("name"):
            self.add_error("name", "Choose a publication, or name a new one.")
        elif "publication" in values and "seeds" in values:
            values["publication"] = self._place(values)
        if values.get("kind") == CrawlKind.ARCHIVE:
            self._check_days(values.get("first_day"), values.get("last_day"))
        return values

    def _place(self, values: dict[str, Any]) -> Publication | None:
        """Ask where texts of known hosts go, unless to one of theirs; None: to a new publication.

        An address of one paper under the name of another one is a slip of the list more often than
        a wish.
        """
        chosen: Publication | None = values["publication"]
        known = {item.slug: item for item in publications_of_seeds(values["seeds"])[:_MAX_PLACES]}
        if not known or (chosen and chosen.slug in known):
            return chosen
        as_chosen = f"Into “{chosen}”" if chosen else f"Into a new one, “{values['name']}”"
        into_known = [(slug, f"Into “{item.name}”") for slug, item in known.items()]
        self.fields["place"].widget.choices = [*into_known, (_AS_CHOSEN, as_chosen)]
        place = values.get("place")
        if place in known:
            try:
                return _running(known[place])
            except ValidationError as problem:
                self.add_error("place", problem)
        elif place != _AS_CHOSEN:
            owners = " and ".join(
                f"{urlsplit(item.home_url).netloc} is “{item.name}”" for item in known.values()
            )
            self.add_error(
                "place",
                f"Known already: {owners}. All texts of a crawl go into one publication: "
                "choose which.",
            )
        return chosen

    def _check_days(self, first: date | None, last: date | None) -> None:
        if first is None or last is None:
            self.add_error("first_day", "Give the first and the last day.")
        elif first > last:
            self.add_error("first_day", "The first day is after the last one.")
        elif first > timezone.localdate():
            self.add_error("first_day", "The first day lies ahead: no archive has it yet.")

    def request_for(self, publication: Publication) -> NewCrawl:
        """Give what a valid form asks for."""
        given = self.cleaned_data
        is_archive = given["kind"] == CrawlKind.ARCHIVE
        return NewCrawl(
            publication=publication,
            kind=CrawlKind(given["kind"]),
            seeds=given["seeds"],
            policy=UrlPolicy(given["policy"]),
            max_depth=given["max_depth"],
            pages_per_host=given["pages_per_host"],
            max_hours=given["max_hours"],
            repeat_days=None if is_archive else given["repeat_days"],
            include_pattern=given["include_pattern"],
            exclude_pattern=given["exclude_pattern"],
            archive_url=given["archive_url"],
            days=(given["first_day"], given["last_day"]) if is_archive else None,
            requests_per_minute=given["requests_per_minute"] or REQUESTS_PER_MINUTE,
            asks_first=is_archive,
        )


class BeginForm(FocusingForm):
    """How far a crawl goes whose archive has said what it has."""

    limit = forms.IntegerField(min_value=1, max_value=MAX_LIMIT, label="Stories, at most")
    requests_per_minute = forms.IntegerField(
        min_value=1, max_value=MAX_REQUESTS_PER_MINUTE, label="Requests a minute, at most"
    )


def _running(found: Publication) -> Publication:
    if found.state != PublicationState.ACTIVE:
        state = found.get_state_display().lower()
        raise ValidationError(
            f"{found.name} is {state}: start or resume it first, or nothing is fetched."
        )
    return found


def _pattern(value: str) -> str:
    try:
        LinkFilter.compile([value])
    except BadPattern as problem:
        raise ValidationError(str(problem)) from problem
    return value
