"""`{% load house %}`: figures, ages and dates as the house writes them.

{{ n|figure }}      3 135          {{ n|compact }}               203.9 M
{{ x|percent }}     71 %           {{ hits|per_million:tokens }} 96.8
{{ b|size }}        14 kB          {{ n|plural:"hit,hits" }}     3 135 hits
{{ seconds|span }}  5 min          {{ t|clock }}                 14:02:11
{{ t|day }}         20 Nov 2026    {{ t|stamp }}                 20 Nov 2026, 14:05
{{ t|stamp_of_text }}  the same, or “no date”
{{ words|notes }}  lemmas and tags, between line feeds behind their words, in small
{% ago t %}   <time> with the age in words and the exact time as its title
{% when t %}  <time> with date and time
{% section_head "h-f" "Feeds" "worst first" %}  a heading with its id, a remark and a link to more
"""

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from feeds.crawler.outcomes import Outcome
from presentation.wording import figures, times

register = template.Library()

_OUTCOMES = {outcome.value for outcome in Outcome}


def _or_dash(write: Callable[[Any], str], value: Any) -> str:
    return figures.MISSING if value is None or value == "" else write(value)


@register.filter
def figure(value: float | None, decimals: int = 0) -> str:
    return _or_dash(lambda number: figures.grouped(number, decimals), value)


@register.filter
def compact(value: float | None) -> str:
    return _or_dash(figures.compact, value)


@register.filter
def per_million(value: float | None, base: float) -> str:
    return _or_dash(lambda count: figures.per_million(count, base), value)


@register.filter
def percent(value: float | None) -> str:
    """Write a share from 0 to 1 as a percentage."""
    return _or_dash(figures.percent, value)


@register.filter
def size(value: float | None) -> str:
    return _or_dash(figures.size, value)


@register.filter
def span(value: float | None) -> str:
    return _or_dash(times.span, value)


@register.filter
def notes(text: str) -> str:
    """Set what stands between line feeds apart: lemmas and tags behind words of a concordance."""
    pieces = text.split("\n")
    if len(pieces) == 1:
        return text
    return format_html_join(
        "",
        "{}{}",
        (
            (piece, "") if number % 2 == 0 else ("", format_html('<i class="note">{}</i>', piece))
            for number, piece in enumerate(pieces)
        ),
    )


@register.filter
def plural(value: int | None, forms: str) -> str:
    """Write the number and its noun: `{{ n|plural:"article,articles" }}` gives `3 135 articles`."""
    one, many = forms.split(",")
    return _or_dash(lambda n: figures.counted(n, one, many), value)


@register.filter
def stamp(value: datetime | None) -> str:
    return _or_dash(lambda moment: times.stamp(timezone.localtime(moment)), value)


@register.filter
def stamp_of_text(value: datetime | None) -> str:
    """Write the date of a text, of which a given one may have none."""
    return stamp(value) if value else "no date"


@register.filter
def day(value: date | None) -> str:
    if isinstance(value, datetime):
        value = timezone.localtime(value)
    return _or_dash(times.day, value)


@register.filter
def clock(value: datetime | None) -> str:
    """`14:02:11`, for lists of the last minutes."""
    return _or_dash(lambda moment: times.clock(timezone.localtime(moment)), value)


@register.filter
def short_day(value: datetime | None) -> str:
    """`20 Nov` of this year, `20 Nov 2024` of another."""
    today = timezone.localdate()
    return _or_dash(lambda moment: times.short_day(timezone.localtime(moment), today), value)


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
    "editor": "an editor",
}


@register.filter
def source_word(value: str) -> str:
    """Words of the place where a field of an article was found."""
    return _SOURCES.get(value, value.replace("_", " "))


@register.filter
def outcome_word(value: str) -> str:
    """Words of a fetch's outcome."""
    return value.replace("_", " ") if value else figures.MISSING


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
def ago(context: dict[str, Any], value: datetime | None, missing: str = figures.MISSING) -> str:
    """Age in words up to 48 hours, else the date; `now` of the context decides when it is there."""
    if value is None:
        return missing
    now = context.get("now") or timezone.now()
    local = timezone.localtime(value)
    return time_element(value, times.age(local, timezone.localtime(now)))


@register.simple_tag
def when(value: datetime | None, missing: str = figures.MISSING, *, seconds: bool = False) -> str:
    """Date and time in a `<time>` element, to the minute unless `seconds=True`."""
    if value is None:
        return missing
    local = timezone.localtime(value)
    words = times.exact_stamp(local) if seconds else times.stamp(local)
    return time_element(value, words)


@register.inclusion_tag("_section_head.html")
def section_head(
    anchor: str, title: str, remark: str = "", *, address: str = "", link: str = ""
) -> dict[str, str]:
    """Head a section; the sheet or section around it names `anchor` as what labels it."""
    return {"anchor": anchor, "title": title, "remark": remark, "address": address, "link": link}


def time_element(moment: datetime, words: str) -> SafeString:
    local = timezone.localtime(moment)
    return format_html(
        '<time datetime="{}" title="{} {}">{}</time>',
        local.isoformat(timespec="seconds"),
        times.exact_stamp(local),
        local.tzname() or "",
        words,
    )
