"""Moments of comments as they are written: full dates, ages ("vor 2 Tagen"), days without a year.

An age is counted from the moment of the fetch and is near, not exact; so is a day whose year had to
be inferred. Nothing is made up: what names no day is refused.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from extraction.html.fields.dates import EARLIEST, parse_date

_MAX_CHARACTERS = 160
_FUTURE = timedelta(days=2)  # clocks and zones differ; what lies further ahead was misread
_HOUR, _DAY, _WEEK, _MONTH, _YEAR = 60, 1440, 10_080, 43_800, 525_600  # in minutes
_UNITS = (
    (
        0,
        "s|sec|secs|seconds?|sek|sekunden?|sekondes?|segundos?|secondes?|secondi|секунд\\w*|sekund\\w*|saniye|秒|초|שניות|ثاني\\w*|ثوان|giây|detik|másodperc\\w*|sekunti\\w*",
    ),
    (
        1,
        "m|min|mins|minutes?|minuten?|minute|minuut|minuutar|minutos?|minuti|минут\\w*|хвилин\\w*|minut\\w*|dakika|分钟|分鐘|分|λεπτ\\w*|분|דקות|דקה|دقيق\\w*|دقائق|دقیقه|phút|menit|perc\\w*|minuutti\\w*",
    ),
    (
        _HOUR,
        "h|hr|hrs|hours?|stunden?|std|uur|uren|ure|heures?|horas?|or[ae]|час\\w*|годин\\w*|godzin\\w*|godz|saat|小时|小時|時間|ώρ\\w*|timm\\w*|timer?|시간|שעות|שעה|ساع\\w*|giờ|jam|ór[aá]\\w*|hodin\\w*|tunti\\w*|tuntia|time",
    ),
    (
        _DAY,
        "d|days?|tage?n?|dag|dagen|dae|jours?|d[ií]as?|giorn[oi]|день|дня|дней|дні|днів|dni|dzień|gün|天|日|ημέρ\\w*|μέρ\\w*|dagar|päivää|일|ימים|יום|أيام|ايام|يوم\\w*|روز|ngày|hari|nap\\w*|dn[yůíe]\\w*|den|zile|dager?|dage|päivä\\w*",
    ),
    (
        _WEEK,
        "w|wk|wks|weeks?|wochen?|week|weken|weke|semaines?|semanas?|settiman[ae]|недел\\w*|тиж\\w*|tygodni\\w*|tydzień|tyg|hafta|周|週|εβδομάδ\\w*|vecko\\w*|uger?|주|שבוע\\w*|أسبوع\\w*|أسابيع|هفته|tuần|minggu|hét\\w*|het\\w*|týdn\\w*|viikko\\w*|uker?|săptămân\\w*",
    ),
    (
        _MONTH,
        "mo|mos|months?|monate?n?|maand|maanden|maande|mois|mes|mese|mesi|meses|mês|месяц\\w*|місяц\\w*|miesi\\w*|mies|ay|个月|個月|か月|μήν\\w*|månad\\w*|måned\\w*|개월|חודש\\w*|شهر\\w*|أشهر|ماه|tháng|bulan|hónap\\w*|měsíc\\w*|kuukau\\w*|lun[ia]",
    ),
    (
        _YEAR,
        "y|yr|yrs|years?|jahre?n?|jaar|jare|jaren|ans?|années?|años?|anos?|ann[oi]|год\\w*|лет|рік|рок\\w*|rok|roku|lat|lata|yıl|年|χρόν\\w*|år|년|שנים|שנה|سن\\w*|سال|năm|tahun|év\\w*|vuo\\w*|ani",
    ),
)
# Languages that put the number behind the unit: "siku 2 zilizopita", "izinsuku ezi-2 ezedlule".
_UNITS_BEFORE = (
    (0, "sekunde|imizuzwana|metsotswana"),
    (1, "dakika|amaminithi|imizuzu|metsotso"),
    (_HOUR, "masaa|saa|amahora|iyure|lihora|diura"),
    (_DAY, "siku|izinsuku|iintsuku|kwiintsuku|matsatsi|malatsi"),
    (_WEEK, "wiki|amasonto|amaviki|iiveki|libeke|dibeke"),
    (_MONTH, "miezi|izinyanga|iinyanga|likhoeli|dikgwedi"),
    (_YEAR, "miaka|iminyaka|lilemo|dingwaga"),
)
_AMOUNT_BEHIND = re.compile(
    rf"(?<!\w)(?P<unit>{'|'.join(words for _, words in _UNITS_BEFORE)})\s"
    r"(?:(?:ezi|ezingu|angu|engu|ayi|a|e|tse|tše)[-\s]?)?(?P<number>\d{1,4})\s"
    r"(?:(?:zi|ya|i|u|li)li(?:zo)?pita|(?:e[sz]e|a|e)dlul\w{0,5}|[ez]idluli\w{0,6}|t[sš]e\s(?:feti|fiti)\w{0,4})(?!\w)",
    re.IGNORECASE,
)
_ONE = "a|an|one|einem?|einer|eine|één|een|'n|un|une|una|uma|um|godzinę"
_ANY_UNIT = "|".join(f"(?:{words})" for _, words in _UNITS)
_AMOUNT = re.compile(
    rf"(?<![\w.:])(?P<number>\d{{1,4}}|(?:{_ONE})(?=\s))\s*(?P<unit>{_ANY_UNIT})"
    r"(?:(?!\w)|(?=[前전]))\.?",
    re.IGNORECASE,
)
_MINUTES = tuple((minutes, re.compile(rf"(?:{words})", re.IGNORECASE)) for minutes, words in _UNITS)
_AGO = re.compile(
    r"(?<!\w)(?:ago|vor|her|geleden|gelede|il y a|hace|há|atrás|fa|назад|тому|temu|önce|πριν"
    r"|sedan|siden|for|sitten|earlier|před|acum|trước|lalu|yang lalu|ezelőtt|לפני|منذ|قبل|پیش|전"
    r")(?!\w)"
    r"|前|\d\s*(?:órája|perce|napja|hete|éve)(?!\w)",
    re.IGNORECASE,
)
_WHOLE_AGE = re.compile(
    rf"\W*+(?:{_AMOUNT.pattern}[\s,]*+(?:and|und|et|y|en|e|i|и)?\s*+){{1,3}}\W*+", re.IGNORECASE
)
_JUST_NOW = re.compile(
    r"\W*(?:just now|now|gerade eben|eben|soeben|à l'instant|ahora mismo|agora|adesso"
    r"|только что|przed chwilą|刚刚)\W*",
    re.IGNORECASE,
)
_DAY_WORDS = (
    (
        0,
        (
            "today|heute|vandag|vandaag|aujourd['’]?hui|hoy|oggi|hoje|сегодня|сьогодні|dziś"
            "|dzisiaj|bugün|idag|i dag|σήμερα|今天|今日|오늘|היום|اليوم|امروز|hôm nay"
            "|hari ini|dnes|tänään"
        ),
    ),
    (
        1,
        (
            "yesterday|gestern|gister|gisteren|hier|ayer|ieri|ontem|вчера|вчора|wczoraj|dün|igår"
            "|i går|χθες|昨天|昨日|어제|אתמול|أمس|دیروز|hôm qua|kemarin|tegnap|včera|eilen"
        ),
    ),
    (
        2,
        (
            "vorgestern|eergisteren|avant-hier|anteayer|l'altro ieri|anteontem|позавчера"
            "|przedwczoraj|前天"
        ),
    ),
)
_DAYS = tuple(
    (days, re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)) for days, words in _DAY_WORDS
)
_CLOCK = re.compile(
    r"(?<![\d.:])(?P<hour>[01]?\d|2[0-3])(?:[:.h](?P<minute>[0-5]\d))(?::[0-5]\d)?(?![\d.]\d)\s*(?P<half>[ap]\.?m\b)?"
    r"|(?<![\d.:])(?P<hour12>1[0-2]|0?\d)\s*(?P<half12>[ap]\.?m\b)",
    re.IGNORECASE,
)
# Month names by their first letters, where `parse_date` does not know the short form.
_SHORT_MONTHS = {
    name: number
    for number, names in enumerate(
        ("sty янв ene gen", "lut фев fév", "мар", "kwi апр avr abr", "", "cze июн giu",
         "lip июл lug", "sie авг aoû ago", "wrz сен set", "paź paz окт ott out", "lis ноя",
         "gru дек dic déc"),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_ENGLISH = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_SHORT = re.compile(
    rf"(?<=\d)[\s.-]*(?P<month>{'|'.join(_SHORT_MONTHS)})\.?[\s.-]*(?=\d{{4}})", re.IGNORECASE
)
_COMMA_YEAR = re.compile(r"(?<!\d)(\d{1,2}\.\d{1,2}),\s+(\d{4})")
_HAS_YEAR = re.compile(
    r"(?<![A-Za-z_\d])(?:19|20)\d\d(?![A-Za-z_\d])|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2}(?!\d)|(?<!\d)(?:19|20)\d{6}(?!\d)"
)
_DAY_MONTH = re.compile(
    r"(?<![\d.:])(?P<day>\d{1,2})(?:\.(?P<number>\d{1,2})\.?(?![\d:])|(?:st|nd|rd|th|\.|º)?\s+(?:de\s+)?(?P<word>[^\W\d_]{3,12}))",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(
    r"(?<!\w)(?P<word>[^\W\d_]{3,9})\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?(?![\d:])", re.IGNORECASE
)
_NUMERIC_DAY = re.compile(r"(?<!\d)\d{1,4}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{2,4}(?!\d)")
_HALF_BEFORE = re.compile(r"(?:오후|下午|午後|晚上)\s*(?P<hour>\d{1,2})[:時时](?=\d{2})")
_HALF_BEHIND = re.compile(
    r"(?P<clock>(?<!\d)\d{1,2}[:.]\d{2})\s*(?:(?P<late>μ\.?μ\b\.?|م(?!\w)|مساءً?|chiều|tối|du(?!\w))"
    r"|π\.?μ\b\.?|ص(?!\w)|صباحا?|sáng)",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    r"(?:^|\W+)(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mo|diens|donners|frei|sams|sonn)(?:n)?tag|mittwoch|sonnabend|mon|tue|wed|thu|fri|sat"
    r"|sun|mo|di|mi|do|fr|sa|so|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|on|at|am|um|le|el|op|il|posted|in)"
    r"\W*$",
    re.IGNORECASE,
)
_EPOCH = re.compile(r"1\d{9}(?:\d{3})?")
_MONTH_FIRST = re.compile(r"(?<![\d./-])(\d{1,2})[/-](\d{1,2})[/-](?:19|20)?\d\d(?!\d)")
_MONTH_NAME = re.compile(
    r"(?<!\w)(?:\d{1,2}(?:st|nd|rd|th|\.|º)?\s+(?:de\s+)?[^\W\d_]{3,12}\.?,?\s+(?:de\s+)?(?:\d{4}|\d{1,2}:)|[^\W\d_]{3,12}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4})"
)
_TIME_MARKS = (
    _HAS_YEAR,
    _NUMERIC_DAY,
    _MONTH_NAME,
    _CLOCK,
    _AMOUNT,
    _AMOUNT_BEHIND,
    _AGO,
    *(words for _, words in _DAYS),
)
_TWELVE = 12
_MONTH_DAYS = 30
_CLOSER = 4  # times, that comments lie together with the month first
_MILLISECONDS = 10**12
_MAX_WORDS = 12


@dataclass(frozen=True, slots=True)
class Posted:
    """Moment of a comment; near where it was counted from an age or its year inferred."""

    at: datetime
    is_near: bool = False


@dataclass(frozen=True, slots=True)
class Clock:
    """How a page's written times are read."""

    zone: tzinfo = UTC  # of times that name none
    now: datetime | None = None  # moment of the fetch; ages are passed over where it is unknown
    day_first: bool = True

    def read(self, text: str) -> Posted | None:
        """Read a moment; None where the text names no day, or one that cannot be.

        Examples
        --------
        >>> clock = Clock(now=datetime(2024, 3, 4, 12, 0, tzinfo=UTC))
        >>> clock.read("vor 2 Tagen").at.isoformat()
        '2024-03-02T12:00:00+00:00'
        >>> clock.read("5. Juni 2015 um 10.23 Uhr").at.isoformat()
        '2015-06-05T10:23:00+00:00'
        """
        text = _with_halves(" ".join(text.split())[:_MAX_CHARACTERS])
        posted = _epoch(text) or self._full(text)
        if posted is None and self.now is not None:
            posted = self._near(text, self.now)
        return posted if posted is not None and self._can_be(posted.at) else None

    def _can_be(self, moment: datetime) -> bool:
        return moment >= EARLIEST and (self.now is None or moment <= self.now + _FUTURE)

    def _full(self, text: str) -> Posted | None:
        if not _HAS_YEAR.search(text):
            return None
        text = _SHORT.sub(
            lambda match: f" {_ENGLISH[_SHORT_MONTHS[match['month'].lower()] - 1]} ", text
        )
        text = _COMMA_YEAR.sub(r"\1.\2", text)
        moment = parse_date(text, zone=self.zone, day_first=self.day_first)
        if moment is None:
            return None
        if (moment.hour, moment.minute) == (0, 0):
            moment = _with_clock(moment, _HAS_YEAR.sub(" ", _NUMERIC_DAY.sub(" ", text)))
        return Posted(moment)

    def _near(self, text: str, now: datetime) -> Posted | None:
        return self._age(text, now) or self._named_day(text, now) or self._yearless(text, now)

    def _age(self, text: str, now: datetime) -> Posted | None:
        if _JUST_NOW.fullmatch(text):
            return Posted(now, is_near=True)
        if (behind := _AMOUNT_BEHIND.search(text)) is not None:
            return Posted(now - timedelta(minutes=_minutes_before(behind)), is_near=True)
        amounts = list(_AMOUNT.finditer(text))
        if not amounts or not (_AGO.search(text) or _WHOLE_AGE.fullmatch(text)):
            return None
        minutes = sum(_minutes(match) for match in amounts)
        try:
            moment = now - timedelta(minutes=minutes)
        except OverflowError:
            return None
        if len(amounts) == 1 and minutes >= _DAY:  # "2 days ago at 07:47 am"
            moment = _with_clock(moment.astimezone(self.zone), text[amounts[0].end() :])
        return Posted(moment, is_near=True)

    def _named_day(self, text: str, now: datetime) -> Posted | None:
        if len(text.split()) > _MAX_WORDS:
            return None
        for days, words in _DAYS:
            if words.search(text):
                day = (now - timedelta(days=days)).astimezone(self.zone)
                return Posted(_with_clock(_start_of(day), text), is_near=True)
        return None

    def _yearless(self, text: str, now: datetime) -> Posted | None:
        """Last day of this name that is not ahead of the fetch."""
        for match in (*_DAY_MONTH.finditer(text), *_MONTH_DAY.finditer(text)):
            today = now.astimezone(self.zone)
            named = match.groupdict()
            month = named.get("number") or named["word"]
            for year in (today.year, today.year - 1):
                moment = self._full(f"{match['day']} {_month_name(month)} {year}")
                if moment is not None and moment.at <= today + timedelta(days=1):
                    rest = text[: match.start()] + " " + text[match.end() :]
                    return Posted(_with_clock(moment.at, rest), is_near=True)
        return None


def is_month_first(texts: list[str]) -> bool:
    """Whether numeric dates of a page put the month first: some say so, none says otherwise.

    Where none can tell, what brings the comments of a page much closer together is believed.
    """
    pairs = [(int(one), int(two)) for text in texts for one, two in _MONTH_FIRST.findall(text)]
    if any(one > _TWELVE for one, _ in pairs):
        return False
    if any(two > _TWELVE for _, two in pairs):
        return True
    return _spread((two, one) for one, two in pairs) > _CLOSER * _spread(pairs) > 0


def _spread(days: Iterable[tuple[int, int]]) -> int:
    """Days, of months of 30, between the first and the last of pairs of month and day."""
    found = [_MONTH_DAYS * month + day for month, day in days]
    return max(found) - min(found) if found else 0


def without_time(text: str) -> str:
    """Give what stands in a short text before the time it names, all of it where nothing does.

    Examples
    --------
    >>> without_time("Thandi, 5 June 2024 at 8:30"), without_time("5 June 2024 | Thandi")
    ('Thandi', '5 June 2024 | Thandi')
    """
    starts = [match.start() for one in _TIME_MARKS if (match := one.search(text))]
    before = _WEEKDAY.sub("", text[: min(starts)]) if starts else text
    return before.strip(" ,:;|-–—·•(@[") or text


def names_a_year(text: str) -> bool:
    """Whether a text names a day with its year, or just a year."""
    return _HAS_YEAR.search(text) is not None


def names_a_time(text: str) -> bool:
    """Whether a short text looks like a moment; cheap, for every text of a page's comments."""
    if _HAS_YEAR.search(text) or _JUST_NOW.fullmatch(text):
        return True
    if _AMOUNT.search(text) and (_AGO.search(text) or _WHOLE_AGE.fullmatch(text)):
        return True
    if _AMOUNT_BEHIND.search(text):
        return True
    if not _CLOCK.search(text):
        return False
    return any(words.search(text) for _, words in _DAYS) or _DAY_MONTH.search(text) is not None


def names_a_day(text: str) -> bool:
    """Whether a short text names a moment that can be read, or an age: a year alone is neither."""
    return names_a_time(text) and (not _HAS_YEAR.search(text) or Clock().read(text) is not None)


def _with_halves(text: str) -> str:
    """Write the halves of the day of other languages as English does, or as 24 hours."""
    text = _HALF_BEFORE.sub(lambda match: f"{int(match['hour']) % _TWELVE + _TWELVE}:", text)
    return _HALF_BEHIND.sub(lambda match: f"{match['clock']} {'ap'[bool(match['late'])]}m", text)


def _epoch(text: str) -> Posted | None:
    if not _EPOCH.fullmatch(text):
        return None
    seconds = int(text) / 1000 if int(text) >= _MILLISECONDS else int(text)
    return Posted(datetime.fromtimestamp(seconds, UTC))


def _minutes(match: re.Match[str]) -> int:
    number = int(match["number"]) if match["number"].isdigit() else 1
    unit = next(minutes for minutes, words in _MINUTES if words.fullmatch(match["unit"]))
    return number * unit


def _minutes_before(match: re.Match[str]) -> int:
    unit = match["unit"].lower()
    minutes = next(minutes for minutes, words in _UNITS_BEFORE if unit in words.split("|"))
    return int(match["number"]) * minutes


def _with_clock(moment: datetime, text: str) -> datetime:
    """Put the time of day that a text names, if it names one."""
    match = _CLOCK.search(text)
    if match is None:
        return moment
    hour = int(match["hour"] or match["hour12"])
    half = (match["half"] or match["half12"] or "").lower()[:1]
    if half:
        hour = hour % _TWELVE + (_TWELVE if half == "p" else 0)
    if hour > 23:  # "13 pm" made of a wrong 25
        return moment
    return moment.replace(hour=hour, minute=int(match["minute"] or 0), second=0, microsecond=0)


def _start_of(day: datetime) -> datetime:
    return day.replace(hour=0, minute=0, second=0, microsecond=0)


def _month_name(month: str) -> str:
    if not month.isdigit():
        short = _SHORT_MONTHS.get(month[:3].lower()) if len(month) <= 4 else None
        return _ENGLISH[short - 1] if short else month
    return _ENGLISH[int(month) - 1] if 1 <= int(month) <= _TWELVE else month
