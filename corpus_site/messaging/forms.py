"""Forms of the page of messages."""

from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from corpus_site.messaging import chats, webhooks
from corpus_site.messaging.channels import MOST_CHANNELS, MOST_SUBSCRIPTIONS
from corpus_site.messaging.models import Channel, ChannelKind, Habits, Pace, Subscription, Topic
from feeds.models import Publication
from search.asking.saving import saved_queries

_LONGEST_STILL_DAYS = 60
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class ChannelForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    """A new channel: what kind, which address, and what its owner calls it."""

    class Meta:
        model = Channel
        fields = ["kind", "address", "name"]
        labels = {"address": "Address", "name": "Call it"}
        help_texts = {
            "address": (
                "A mail address; https://… for a webhook; for a chat its address in Apprise’s way, "
                "such as ntfys://ntfy.sh/topic or slack://…; nothing for a feed."
            )
        }

    def __init__(self, owner: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "channel_%s", **kwargs})
        self.owner = owner
        self.fields["kind"].choices = ChannelKind.choices  # type: ignore[attr-defined] # no blank
        self.fields["name"].required = False
        self.fields["address"].widget.attrs["autocomplete"] = "off"

    def clean(self) -> dict[str, Any]:
        values = self.cleaned_data
        if Channel.objects.filter(owner=self.owner).count() >= MOST_CHANNELS:
            raise ValidationError(f"You have {MOST_CHANNELS} channels. Remove one first.")
        kind, address = values.get("kind"), values.get("address", "").strip()
        if kind is None:
            return values
        if kind == ChannelKind.FEED:
            address = ""
        elif not address:
            self.add_error("address", "Give the address that messages are to go to.")
        else:
            self._check(kind, address)
        values["address"] = address
        shown = chats.service_of(address) if kind == ChannelKind.CHAT else address
        values["name"] = values.get("name") or (shown or ChannelKind(kind).label)[:80]
        if Channel.objects.filter(owner=self.owner, name=values["name"]).exists():
            self.add_error("name", f"You have a channel called “{values['name']}”: call it else.")
        return values

    def _check(self, kind: str, address: str) -> None:
        if kind == ChannelKind.MAIL:
            try:
                validate_email(address)
            except ValidationError:
                self.add_error("address", "This is no mail address.")
            return
        why = (chats if kind == ChannelKind.CHAT else webhooks).refusal(address)
        if why:
            self.add_error("address", why)

    def to_row(self) -> Channel:
        """Make the row of a valid form, without its secret."""
        values = self.cleaned_data
        return Channel(owner=self.owner, kind=values["kind"], name=values["name"])


class SubscriptionForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    """What is told over which channel, and how often."""

    publications = forms.ModelMultipleChoiceField(
        Publication.objects.order_by("name"),
        required=False,
        label="Only alarms of",
        help_text="None chosen: all, and those of the machine.",
    )
    still_days = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=_LONGEST_STILL_DAYS,
        label="Alarms that are still open after (days)",
        help_text="Empty: no reminder.",
    )

    class Meta:
        model = Subscription
        fields = [
            "topic",
            "query",
            "channel",
            "pace",
            "tells_opened",
            "tells_closed",
            "still_days",
            "publications",
        ]
        labels = {
            "topic": "Tell me of",
            "query": "Saved query",
            "channel": "Over",
            "pace": "How often",
            "tells_opened": "Alarms that open",
            "tells_closed": "Alarms that close",
        }
        widgets = {"pace": forms.RadioSelect}
        help_texts = {"query": "For new hits alone."}

    def __init__(self, owner: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "subscription_%s", **kwargs})
        self.owner = owner
        channels = Channel.objects.filter(owner=owner)
        self.fields["channel"].queryset = channels  # type: ignore[attr-defined]
        self.fields["channel"].empty_label = None  # type: ignore[attr-defined]
        self.fields["query"].queryset = saved_queries(owner)  # type: ignore[attr-defined]
        self.fields["query"].empty_label = "–"  # type: ignore[attr-defined]
        for name, choices in (("topic", Topic.choices), ("pace", Pace.choices)):
            self.fields[name].choices = choices  # type: ignore[attr-defined] # no blank

    def clean(self) -> dict[str, Any]:
        values = self.cleaned_data
        topic = values.get("topic")
        if topic == Topic.QUERY and not values.get("query"):
            self.add_error("query", "Choose a saved query, or save one first.")
        if topic != Topic.QUERY:
            values["query"] = None
        if topic != Topic.ALARMS:
            values["publications"] = Publication.objects.none()
        if topic == Topic.REPORT and values.get("pace") == Pace.ONCE:
            self.add_error("pace", "The report comes once a day or once a week.")
        rows = Subscription.objects.filter(channel__owner=self.owner).exclude(pk=self.instance.pk)
        if rows.count() >= MOST_SUBSCRIPTIONS:
            raise ValidationError(f"You have {MOST_SUBSCRIPTIONS} subscriptions. Remove one first.")
        same = rows.filter(
            channel=values.get("channel"), topic=topic or "", query=values.get("query")
        )
        if topic != Topic.ALARMS and same.exists():
            raise ValidationError("This is told over this channel already.")
        return values

    def to_row(self) -> Subscription:
        row: Subscription = self.save(commit=False)
        return row


class HabitsForm(forms.ModelForm):  # type: ignore[type-arg] # generic in its stubs only
    """Quiet hours, and when digests come."""

    weekday = forms.TypedChoiceField(
        choices=list(enumerate(_DAYS)), coerce=int, label="Weekly messages on"
    )

    class Meta:
        model = Habits
        fields = ["daily_at", "weekday", "quiet_from", "quiet_until", "time_zone"]
        labels = {
            "daily_at": "Daily messages at",
            "quiet_from": "Quiet from",
            "quiet_until": "Quiet until",
            "time_zone": "Time zone",
        }
        widgets = {
            name: forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
            for name in ("daily_at", "quiet_from", "quiet_until")
        }
        help_texts = {"time_zone": "Such as Africa/Johannesburg."}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "habits_%s", **kwargs})
        self.fields["time_zone"].initial = settings.TIME_ZONE
        self.fields["time_zone"].widget.attrs["list"] = "time-zones"

    def clean_time_zone(self) -> str:
        name: str = self.cleaned_data["time_zone"]
        if name not in available_timezones():
            raise ValidationError("This is no time zone. Write it as Africa/Johannesburg.")
        return ZoneInfo(name).key

    def clean(self) -> dict[str, Any]:
        values = self.cleaned_data
        if bool(values.get("quiet_from")) != bool(values.get("quiet_until")):
            self.add_error("quiet_until", "Give both ends of the quiet hours, or neither.")
        return values
