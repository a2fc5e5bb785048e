"""One thing that needs a person, and the words in which all of them are said."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from presentation.wording.figures import counted, grouped
from presentation.wording.times import stamp


@dataclass(frozen=True, slots=True)
class Need:
    """A sentence with its state, what it is about, and the page where one acts.

    Attributes
    ----------
    sentence
        Follows the subject: what, since when, what was tried, what it costs, what to do.
    articles_a_day
        What is lost or touched as long as nobody acts, by what the papers usually bring.
    cause
        Tells whether it is the same as another time, whatever its kind and words by now.
    """

    kind: str
    tone: str
    label: str
    subject: str
    sentence: str
    address: str
    action: str
    host: str = ""
    since: datetime | None = None
    articles_a_day: float = 0.0
    publication_id: int | None = None
    cause: str = ""

    @property
    def key(self) -> str:
        return self.cause or f"{self.kind}:{self.address}"


def moment(at: datetime) -> str:
    """`20 Nov 2026, 14:05`, where the reader is."""
    return stamp(timezone.localtime(at))


def cost(articles_a_day: float) -> str:
    """Say what something costs: “about 12 articles a day”."""
    n = round(articles_a_day)
    return f"about {counted(n, 'article')} a day" if n else "less than one article a day"


def names(all_names: list[str]) -> str:
    """Name some papers, the first two of many: “The Herald, Die Burger and 3 more”."""
    shown = sorted(set(all_names))
    if len(shown) <= 2:
        return " and ".join(shown)
    return f"{shown[0]}, {shown[1]} and {grouped(len(shown) - 2)} more"
