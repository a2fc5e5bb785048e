"""The papers' pages: articles → HTML through the layouts of the paper, escaped.

The markup differs on purpose. The Courier has JSON-LD, Die Vlaktenuus Open Graph and no white space
between paragraphs, Isibani neither: its title, date and author stand in plain divisions of a table.
"""

import functools
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from pathlib import Path
from string import Template

from corpus_site.newsstand.disqus import identifier
from corpus_site.newsstand.edition import PublishedPiece
from corpus_site.newsstand.exchange import PaperAnswer, page
from corpus_site.newsstand.papers import Paper
from corpus_site.newsstand.pieces import Flag, Post
from corpus_site.newsstand.revisions import Fate

LAYOUTS = Path(__file__).parent / "layouts"
N_RELATED = 4  # enough that a crawl finds its way through all pages

_HIDDEN = (
    '<p class="tracker" style="display:none">This sentence counts readers for the advertising desk'
    " and is never shown to anybody.</p>"
)
_WALL = (
    '<div class="paywall"><p>Subscribe to read on. You have read your free articles for this month.'
    '</p><p><a href="/about/">Subscribe from R49 a month</a></p></div>'
)
_COMMENTS = Template("""<div id="disqus_thread"></div>
<script>
var disqus_shortname = '$forum';
var disqus_config = function () {
  this.page.url = '$url'; this.page.identifier = '$identifier';
};
(function () {
  var s = document.createElement('script'); s.async = true; s.src = '$talk_root/embed.js';
  document.body.appendChild(s);
})();
</script>""")


@dataclass(frozen=True, slots=True)
class Roots:
    """Origins without a final slash: of the paper and of the comment server."""

    paper: str
    talk: str


def article_page(
    article: PublishedPiece, older: Sequence[PublishedPiece], roots: Roots, now: datetime
) -> PaperAnswer:
    """Render one article; `older` are those that its page leads on to."""
    piece, paper = article.piece, article.paper
    is_windows = article.has(Flag.WINDOWS)
    text = _layout(paper.key, "article").substitute(
        _frame(paper, article.published_at),
        root=escape(roots.paper),
        path=article.path,
        title=escape(piece.title),
        standfirst=escape(piece.standfirst),
        section=piece.section,
        section_name=escape(paper.sections[piece.section]),
        authors=escape(", ".join(piece.authors)),
        date=paper.write_date(article.published_at),
        time=f"{article.published_at:%H:%M}",
        iso_date=article.published_at.isoformat(),
        body=_clock(article, now) + _body(article),
        hidden=_HIDDEN if article.has(Flag.HIDDEN) else "",
        related=_links(older[:N_RELATED], paper),
        comments=_comments(article, roots, now),
        json_ld=_json_ld(article, roots.paper),
        charset="iso-8859-1" if is_windows else "utf-8",
    )
    if is_windows:  # as old systems do: the bytes of one code page under the name of another
        body = text.encode("cp1252", "xmlcharrefreplace")
        return PaperAnswer(body, "text/html", modified_at=article.modified_at)
    return PaperAnswer(text.encode(), modified_at=article.modified_at)


def list_page(
    paper: Paper, title: str, articles: Sequence[PublishedPiece], now: datetime
) -> PaperAnswer:
    """Render the front page or a section."""
    return page(
        _layout(paper.key, "list").substitute(
            _frame(paper, now), title=escape(title), teasers=_teasers(articles)
        )
    )


def print_page(article: PublishedPiece) -> PaperAnswer:
    """Render what robots.txt keeps crawlers from: the text again, without its frame."""
    return page(
        f"<!DOCTYPE html><title>{escape(article.piece.title)}</title>"
        f"<h1>{escape(article.piece.title)}</h1>{_body(article)}"
    )


def plain_page(paper: Paper, title: str, sentence: str, status: int = 200) -> PaperAnswer:
    """Render a page that says one thing: about us, no such page."""
    return page(
        f'<!DOCTYPE html><html lang="{paper.language}"><title>{escape(title)}</title>'
        f'<link rel="stylesheet" href="/style.css"><h1>{escape(title)}</h1>'
        f'<p>{escape(sentence)}</p><p><a href="/">{escape(paper.name)}</a></p></html>',
        status,
    )


@functools.cache
def _layout(paper_key: str, kind: str) -> Template:
    return Template((LAYOUTS / f"{paper_key}-{kind}.html").read_text(encoding="utf-8"))


def _frame(paper: Paper, moment: datetime) -> dict[str, str]:
    """Fill what stands on every page of a paper."""
    links = [f'<a href="/{key}/">{escape(name)}</a>' for key, name in paper.sections.items()]
    is_listed = paper.key != "isibani"
    menu = "".join(f"<li>{link}</li>" for link in links) if is_listed else " | ".join(links)
    return {"menu": menu, "year": str(moment.year)}


def _clock(article: PublishedPiece, now: datetime) -> str:
    """Write what changes with each visit and is no news."""
    if not article.has(Flag.CLOCK):
        return ""
    n_readers = zlib.crc32(now.isoformat().encode()) % 900 + 100
    local = now.astimezone(article.published_at.tzinfo)
    return f'<p class="now">{local:%H:%M:%S} | {n_readers} people are reading this</p>\n'


def _body(article: PublishedPiece) -> str:
    paragraphs = article.piece.paragraphs
    if article.fate is Fate.WALLED:
        return f"{_block(paragraphs[0])}\n{_WALL}"
    blocks = [_block(text) for text in paragraphs]
    between = "" if article.paper.key == "die-vlaktenuus" else "\n"
    return between.join(blocks)


def _block(text: str) -> str:
    kind, _, rest = text.partition(" ")
    match kind:
        case "##":
            return f"<h2>{escape(rest)}</h2>"
        case ">":
            return f"<blockquote><p>{escape(rest)}</p></blockquote>"
        case "!":
            picture = '<img src="/picture.svg" alt="" width="640" height="360">'
            return f"<figure>{picture}<figcaption>{escape(rest)}</figcaption></figure>"
    return f"<p>{escape(text)}</p>"


def _links(articles: Sequence[PublishedPiece], paper: Paper) -> str:
    links = [f'<a href="{item.path}">{escape(item.piece.title)}</a>' for item in articles]
    if paper.key == "isibani":
        return "<br />".join(links)
    return "".join(f"<li>{link}</li>" for link in links)


def _teasers(articles: Sequence[PublishedPiece]) -> str:
    return "\n".join(
        f'<li class="teaser"><h2><a href="{item.path}">{escape(item.piece.title)}</a></h2>'
        f"<p>{escape(item.piece.standfirst)}</p></li>"
        for item in articles
    )


def _comments(article: PublishedPiece, roots: Roots, now: datetime) -> str:
    if article.piece.thread is None:
        return ""
    if article.has(Flag.IN_PAGE):
        return _comment_list(article, article.posts(now), None)
    return _COMMENTS.substitute(
        forum=article.paper.key,
        url=roots.paper + article.path,
        identifier=identifier(article),
        talk_root=roots.talk,
    )


def _comment_list(article: PublishedPiece, posts: Sequence[Post], parent: int | None) -> str:
    """Nest comments as WordPress themes do."""
    own = [post for post in posts if post.parent == parent and not post.is_deleted]
    items = (
        f'<li id="comment-{post.number}" class="comment"><article class="comment-body">'
        f'<footer class="comment-meta"><b class="fn">{escape(post.name)}</b> <time datetime='
        f'"{article.published_at + post.delay:%Y-%m-%dT%H:%M:%S%z}">'
        f"{article.published_at + post.delay:%H:%M}</time></footer>"
        f'<div class="comment-content"><p>{escape(post.text)}</p></div></article>'
        f"{_comment_list(article, posts, post.number)}</li>"
        for post in own
    )
    kind = "comment-list" if parent is None else "children"
    return f'<ol class="{kind}">{"".join(items)}</ol>' if own else ""


def _json_ld(article: PublishedPiece, root: str) -> str:
    piece = article.piece
    document = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": piece.title,
        "description": piece.standfirst,
        "datePublished": article.published_at.isoformat(),
        "dateModified": article.modified_at.isoformat(),
        "articleSection": article.paper.sections[piece.section],
        "author": [{"@type": "Person", "name": name} for name in piece.authors],
        "publisher": {"@type": "Organization", "name": article.paper.name},
        "mainEntityOfPage": root + article.path,
        "inLanguage": article.paper.language,
    }
    return json.dumps(document, ensure_ascii=False).replace("</", "<\\/")
