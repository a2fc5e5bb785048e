"""`{% load house %}`: figures, ages and dates as the house writes them.

{{ n|figure }}      3 135          {{ n|compact }}               203.9 M
{{ x|percent }}     71 %           {{ hits|per_million:tokens }} 96.8
{{ b|size }}        14 kB          {{ n|plural:"hit,hits" }}     3 135 hits
{{ seconds|span }}  5 min          {{ t|clock }}                 14:02:11
{{ t|day }}         20 Nov 2026    {{ t|stamp }}                 20 Nov 2026, 14:05
{% ago t %}   <time> with the age in words and the exact time as its title
{% when t %}  <time> with date and time
"""

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from corpus_site import wording
from feeds.crawler.outcomes import Outcome

register = template.Library()

_OUTCOMES = {outcome.value for outcome in Outcome}


def _or_dash(write: Callable[[Any], str], value: Any) -> str:
    return wording.MISSING if value is None or value == "" else write(value)


@register.filter
def figure(value: float | None, decimals: int = 0) -> str:
    return _or_dash(lambda number: wording.group_digits(number, decimals), value)


@register.filter
def compact(value: float | None) -> str:
    return _or_dash(wording.compact, value)


@register.filter
def per_million(value: float | None, base: float) -> str:
    return _or_dash(lambda count: wording.per_million(count, base), value)


@register.filter
def percent(value: float | None) -> str:
    """Write a share from 0 to 1 as a percentage."""
    return _or_dash(lambda share: f"{wording.group_digits(share * 100)}{wording.THIN}%", value)


@register.filter
def size(value: float | None) -> str:
    return _or_dash(wording.size, value)


@register.filter
def span(value: float | None) -> str:
    return _or_dash(wording.span, value)


@register.filter
def plural(value: int | None, forms: str) -> str:
    """Write the number and its noun: `{{ n|plural:"article,articles" }}` gives `3 135 articles`."""
    one, many = forms.split(",")
    return _or_dash(lambda n: f"{wording.group_digits(n)} {one if n == 1 else many}", value)


@register.filter
def stamp(value: datetime | None) -> str:
    return _or_dash(lambda moment: wording.stamp(timezone.localtime(moment)), value)


@register.filter
def day(value: date | None) -> str:
    if isinstance(value, datetime):
        value = timezone.localtime(value)
    return _or_dash(lambda moment: f"{moment.day} {moment:%b %Y}", value)


@register.filter
def clock(value: datetime | None) -> str:
    """`14:02:11`, for lists of the last minutes."""
    return _or_dash(lambda moment: f"{timezone.localtime(moment):%H:%M:%S}", value)


@register.filter
def short_day(value: datetime | None) -> str:
    """`20 Nov` of this year, `20 Nov 2024` of another."""
    return _or_dash(lambda moment: _short_day(timezone.localtime(moment)), value)


def _short_day(moment: datetime) -> str:
    year = "" if moment.year == timezone.localdate().year else f" {moment.year}"
    return f"{moment.day} {moment:%b}{year}"


_SOURCES = {
    "json_ld": "JSON-LD",
    "open_graph": "Open Graph",
    "meta": "a meta element",
    "microdata": "microdata",
    "title": "the title element",
    "page": "the page itself",
    "url": "the address",
    "feed": "the feed",
    "rule": "a rule",
    "twitter": "the Twitter card",
    "link": "a link element",
    "htmldate": "a guess (htmldate)",
}


@register.filter
def source_word(value: str) -> str:
    """Words of the place where a field of an article was found."""
    return _SOURCES.get(value, value.replace("_", " "))


@register.filter
def outcome_word(value: str) -> str:
    """Words of a fetch's outcome."""
    return value.replace("_", " ") if value else wording.MISSING


@register.filter
def outcome_tone(value: str) -> str:
    """Tone of a fetch's outcome: an answer, a plain no, or trouble."""
    if value not in _OUTCOMES:
        return ""
    outcome = Outcome(value)
    if outcome.is_answer:
        return "ok"
    return "warn" if outcome.is_final else "bad"


@register.simple_tag(takes_context=True)
def ago(context: dict[str, Any], value: datetime | None, missing: str = wording.MISSING) -> str:
    """Age in words up to 48 hours, else the date; `now` of the context decides when it is there."""
    if value is None:
        return missing
    now = context.get("now") or timezone.now()
    local = timezone.localtime(value)
    return time_element(value, wording.age(local, timezone.localtime(now)))


@register.simple_tag
def when(value: datetime | None, missing: str = wording.MISSING, *, seconds: bool = False) -> str:
    """Date and time in a `<time>` element, to the minute unless `seconds=True`."""
    if value is None:
        return missing
    local = timezone.localtime(value)
    words = f"{wording.day(local)}, {local:%H:%M:%S}" if seconds else wording.stamp(local)
    return time_element(value, words)


def time_element(moment: datetime, words: str) -> SafeString:
    local = timezone.localtime(moment)
    return format_html(
        '<time datetime="{}" title="{} {}">{}</time>',
        local.isoformat(timespec="seconds"),
        f"{wording.day(local)}, {local:%H:%M:%S}",
        local.tzname() or "",
        words,
    )
