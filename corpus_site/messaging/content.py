"""What a message says, whatever carries it: plain values, as JSON, as text, as HTML.

One `Content` is frozen when the message is made, so that each try says the same.
"""

from dataclasses import asdict, dataclass, field
from typing import Any, Self

from django.conf import settings
from django.template.loader import render_to_string

from presentation.wording.figures import counted

# Beyond so many a message names how many more there are, and where.
MOST_ITEMS = 25


@dataclass(frozen=True, slots=True)
class Item:
    """One thing: state in a word, what it is about, a sentence, where to look, and who says it.

    An alarm also has its host, since when its cause is there (ISO 8601), and what it costs.
    """

    subject: str
    sentence: str = ""
    address: str = ""
    label: str = ""
    source: str = ""
    at: str = ""  # ISO 8601
    host: str = ""
    since: str = ""
    articles_a_day: float = 0.0

    @property
    def plain(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Content:
    """A message: `address` is the page that shows all of it; `n_more` items are not listed."""

    kind: str
    title: str
    lead: str
    address: str
    items: tuple[Item, ...] = ()
    n_more: int = 0
    figures: tuple[tuple[str, str], ...] = field(default=())

    @classmethod
    def of(cls, plain: dict[str, Any]) -> Self:
        """Read what `plain` wrote."""
        items = tuple(Item(**item) for item in plain["items"])
        figures = tuple((name, value) for name, value in plain["figures"])
        return cls(**(plain | {"items": items, "figures": figures}))

    @property
    def plain(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def more(self) -> str:
        return f"and {counted(self.n_more, 'more', 'more')}" if self.n_more else ""

    def text(self) -> str:
        """Write it for a mail without HTML, and for chats."""
        lines = [self.lead, ""]
        lines += [f"{name}: {value}" for name, value in self.figures]
        for item in self.items:
            head = " ".join(part for part in (item.label, item.subject) if part)
            lines += ["", head, item.sentence] if item.sentence else ["", head]
            lines += [item.address] if item.address else []
        lines += ["", self.more] if self.n_more else []
        return "\n".join([*lines, "", self.address]).strip() + "\n"

    def html(self, unsubscribe: str = "", *, is_whole: bool = True) -> str:
        """Write it for a mail, or as a part of a feed."""
        context = {
            "content": self,
            "unsubscribe": unsubscribe,
            "site": settings.SITE_URL,
            "is_whole": is_whole,
        }
        return render_to_string("messaging/mail.html", context)


def absolute(address: str) -> str:
    """Put the site before a path of ours."""
    return f"{settings.SITE_URL}{address}" if address.startswith("/") else address
