"""Search lines → rows of the concordance table: addresses, marked sort words, wide context."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from unicodedata import bidirectional

from django.urls import reverse
from django.utils import timezone

from extraction.models import Article, Comment
from extraction.text.normalize import normalize_text
from presentation.wording.times import day
from search.answers.part_places import place_in_body
from search.answers.search_lines import SearchLine
from search.articles.places import WideContext, wide_context
from search.asking.address import Address
from search.asking.form import QueryForm
from search.engine.concordance.kwic import LineField
from search.engine.concordance.sort_keys import SortPlace, parse_keys
from search.engine.index.documents import IN_BODY, DocumentKind
from search.opened_index import current_snapshot

_SOME_HIT, _SOME_ARTICLE = "0-0", 987_654_321  # stand where the names of hit and article go
_STRONG = frozenset(("L", "R", "AL"))  # directions of letters
# Attributes of tokens by the value of `show`.
_NOTES = {"": (), "tags": ("tag",), "lemmas": ("lemma",), "both": ("lemma", "tag")}
# The column is as wide as the longest node of the page: one of eight classes of the style sheet.
_NODE_WIDTHS = (4, 8, 12, 16, 21, 26, 32)


@dataclass(frozen=True, slots=True)
class LineRow:
    """One row; `near` parts of the contexts are the words that the lines are sorted by.

    `node_parts` are stretches of the node and whether they are marked as target; none without one.
    A line in a script that runs to the left has what comes before the node on the right of it.
    """

    number: int
    hit: str
    is_comment: bool
    in_part: str
    is_post: bool
    moment: datetime | None  # of a given text without a date
    publication: str
    author: str
    title: str
    left: str
    left_near: str
    node: str
    right_near: str
    right: str
    address: str
    expand: str
    part: str
    node_parts: tuple[tuple[str, bool], ...]
    readings: int
    is_open: bool
    wide: WideContext | None
    citation: str

    @property
    def runs_left(self) -> bool:
        """Whether the line is read from right to left."""
        return runs_left(f"{self.node} {self.right} {self.left}")


def line_rows(
    form: QueryForm, lines: Sequence[SearchLine], first_number: int, opened: Iterable[str]
) -> list[LineRow]:
    """Make the rows of one page; `opened` names the hits whose wide context is shown."""
    chosen = set(opened)
    texts = _texts([line for line in lines if line.hit in chosen])
    page = _RowPage(
        LineAddresses(form.address), near_lengths(form.value("sort")), shown_notes(form)
    )
    return [
        _row(page, line, number, texts if line.hit in chosen else None)
        for number, line in enumerate(lines, first_number)
    ]


class LineAddresses:
    """Addresses that differ from line to line in the name of the hit only, made once a page."""

    def __init__(self, address: Address) -> None:
        with_place = address.change(after=address.values("after"), hit=_SOME_HIT)
        closed = address.change(after=address.values("after"))
        self._closed = closed.at(reverse("search"))
        self._opened = _around_hit(with_place.at(reverse("search")))
        self._part = _around_hit(with_place.at(reverse("part-line")))
        self._origin = _around_hit(str(with_place.query_part()))
        self._article = _around_article("article")
        self._comments = _around_article("article-comments")

    def expand(self, line: SearchLine, *, is_open: bool) -> str:
        """Return the page with the line opened, or closed again."""
        return self._closed if is_open else line.hit.join(self._opened)

    def part(self, line: SearchLine, number: int, *, is_open: bool) -> str:
        """Return the line alone, opened or closed."""
        return f"{line.hit.join(self._part)}&line={number}&open={0 if is_open else 1}"

    def text(self, line: SearchLine) -> str:
        """Return the article page that shows the hit in its text or under its comments."""
        path = str(line.article_id).join(self._comments if line.is_comment else self._article)
        return f"{path}?{line.hit.join(self._origin)}#h{line.hit}"


def _around_article(name: str) -> list[str]:
    return reverse(name, args=[_SOME_ARTICLE]).split(str(_SOME_ARTICLE))


def _around_hit(address: str) -> tuple[str, str]:
    before, _, after = address.rpartition(f"hit={_SOME_HIT}")
    return f"{before}hit=", after


@dataclass(frozen=True, slots=True)
class _RowPage:
    """What all rows of a page share.

    Addresses, how many words left and right are marked, and what stands beside words.
    """

    addresses: LineAddresses
    near: tuple[int, int]
    shown: tuple[str, ...] = ()


def _texts(lines: list[SearchLine]) -> dict[str, str]:
    """Read the stored texts of the open lines, by hit."""
    comments = Comment.shown.filter(pk__in=[line.comment_id for line in lines if line.comment_id])
    articles = Article.shown.filter(
        pk__in=[line.article_id for line in lines if not line.is_comment]
    )
    of_comment = dict(comments.values_list("pk", "text"))
    shown = articles.only("title", "standfirst", "text", "captions")
    of_article = {article.pk: article for article in shown}
    return {
        line.hit: of_comment.get(line.comment_id, "")
        if line.comment_id
        else _text_of(of_article.get(line.article_id), line.kind)
        for line in lines
    }


def _text_of(article: Article | None, kind: DocumentKind) -> str:
    if article is None:
        return ""
    above = {DocumentKind.HEADLINE: article.title, DocumentKind.STANDFIRST: article.standfirst}
    return normalize_text(above[kind]) if kind in above else article.whole_text


def _wide(line: SearchLine, text: str) -> WideContext | None:
    """Give the sentences around a hit; for one in a part of the body those of the body."""
    first, last = line.position, line.position + line.length - 1
    if line.kind in IN_BODY:
        snapshot = current_snapshot()
        found = [place_in_body(snapshot, line.kind, line.article_id, at) for at in (first, last)]
        first, last = (-1 if place is None else place for place in found)
    return wide_context(text, (first, last + 1))


def _row(page: _RowPage, line: SearchLine, number: int, texts: dict[str, str] | None) -> LineRow:
    is_open = texts is not None
    (left, left_near), node, (right_near, right) = _fields(line, page)
    text = texts.get(line.hit, "") if texts is not None else ""
    wide = _wide(line, text) if text else None
    return LineRow(
        number=number,
        hit=line.hit,
        is_comment=line.is_comment,
        in_part=line.part,
        is_post=line.is_post,
        moment=None if line.is_undated else line.dated_at,
        publication=line.publication,
        author=line.author,
        title=line.title,
        left=left,
        left_near=left_near,
        node=node,
        right_near=right_near,
        right=right,
        address=page.addresses.text(line),
        expand=page.addresses.expand(line, is_open=is_open),
        part=page.addresses.part(line, number, is_open=is_open),
        node_parts=_node_parts(line, page.shown) if line.targets else (),
        readings=line.readings,
        is_open=is_open,
        wide=wide,
        citation=citation_of(line, wide) if is_open else "",
    )


def hit_address(address: Address, line: SearchLine) -> str:
    """Address of the article page that shows a hit in its text or under its comments."""
    return LineAddresses(address).text(line)


def citation_of(line: SearchLine, wide: WideContext | None) -> str:
    """Quote the sentence with where and when it stood."""
    sentence = f"{wide.left}{wide.node}{wide.right}" if wide else line.left + line.node + line.right
    moment = "no date" if line.is_undated else day(timezone.localtime(line.dated_at))
    where = f"{line.publication}, {moment}"
    who = f"{line.author}, " if line.author else ""
    kind = "comment on " if line.is_comment else f"{line.part} of " if line.part else ""
    title = "post, " if line.is_post else f"{kind}“{line.title}”, "
    return f"“{sentence.strip()}” ({who}{title}{where}, {line.url})"


def runs_left(text: str) -> bool:
    """Tell by its first letter whether a text is read from right to left.

    The rule of `dir=auto` (Unicode Standard Annex 9, P2 and P3).

    Examples
    --------
    >>> runs_left("الجيل"), runs_left("1 heavy"), runs_left("…")
    (True, False, False)
    """
    kinds = map(bidirectional, text)
    return next((kind for kind in kinds if kind in _STRONG), "L") != "L"


def node_width(lines: Sequence[LineRow] | Sequence[SearchLine]) -> str:
    """Class of the node column for the longest node of a page."""
    longest = max((len(line.node) for line in lines), default=0)
    return f"w{sum(longest > width for width in _NODE_WIDTHS) + 1}"


def near_lengths(sort: str) -> tuple[int, int]:
    """How many words left and right of the node an order compares.

    Examples
    --------
    >>> near_lengths("r1,r2"), near_lengths("l1"), near_lengths("new")
    ((0, 2), (1, 0), (0, 0))
    """
    keys = parse_keys(sort)
    left = max((key.number for key in keys if key.place is SortPlace.LEFT), default=0)
    right = max((key.number for key in keys if key.place is SortPlace.RIGHT), default=0)
    return left, right


def _node_parts(line: SearchLine, shown: Sequence[str]) -> tuple[tuple[str, bool], ...]:
    parts: list[tuple[str, bool]] = []
    for number, (gap, word, notes) in enumerate(line.kwic.tokens(LineField.NODE, shown)):
        # White space before the node belongs to what stands left of it.
        parts += [(gap if number else "", False), (noted(word, notes), number in line.targets)]
    return tuple((text, is_target) for text, is_target in parts if text)


def _fields(line: SearchLine, page: _RowPage) -> tuple[tuple[str, str], str, tuple[str, str]]:
    """Cut the left context before its last words, the right one behind its first."""
    n_left, n_right = page.near
    if not page.shown:
        left_at, right_at = _left_cut(line, n_left), _right_cut(line, n_right)
        left = (line.left[:left_at], line.left[left_at:])
        return left, line.node, (line.right[:right_at], line.right[right_at:])
    before, node, behind = (_noted_tokens(line, field, page.shown) for field in LineField)
    space, far = node[0][0], max(len(before) - n_left, 0)
    away, near = _joined(before[:far]), _joined(before[far:])
    return (
        (away, near + space) if near else (away + space, ""),
        _joined(node).removeprefix(space),
        (_joined(behind[:n_right]), _joined(behind[n_right:])),
    )


def _noted_tokens(
    line: SearchLine, field: LineField, shown: Sequence[str]
) -> list[tuple[str, str]]:
    return [(gap, noted(word, notes)) for gap, word, notes in line.kwic.tokens(field, shown)]


def shown_notes(form: QueryForm) -> tuple[str, ...]:
    """Return the attributes of tokens that lines show."""
    return _NOTES[form.value("show")]


def noted(word: str, notes: Sequence[str]) -> str:
    """Put lemma and tag behind a word, between line feeds, which no word holds."""
    return f"{word}\n{'/'.join(notes)}\n" if notes else word


def _joined(tokens: Sequence[tuple[str, str]]) -> str:
    return "".join(f"{gap}{text}" for gap, text in tokens)


def _left_cut(line: SearchLine, n_words: int) -> int:
    """Find where the last words of the left context begin."""
    at = len(line.left)
    for word in reversed(line.left_words[-n_words:]) if n_words else ():
        at = max(line.left.rfind(word, 0, at), 0)
    return at


def _right_cut(line: SearchLine, n_words: int) -> int:
    """Find where the first words of the right context end."""
    at = 0
    for word in line.right_words[:n_words] if n_words else ():
        at = line.right.find(word, at) + len(word)
    return at
