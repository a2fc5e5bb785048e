"""One paper's web site: request and moment → answer, without any network."""

from datetime import datetime

from corpus_site.newsstand.edition import Edition
from corpus_site.newsstand.exchange import PaperAnswer, PaperRequest, redirect
from corpus_site.newsstand.feeds import feed
from corpus_site.newsstand.pages import (
    LAYOUTS,
    Roots,
    article_page,
    list_page,
    plain_page,
    print_page,
)
from corpus_site.newsstand.pieces import Flag
from corpus_site.newsstand.revisions import Fate

_TEXT = "text/plain; charset=utf-8"
_STYLES = {"/style.css", "/styl.css", "/isibani.css"}
_PRINT_FOLDERS = ("/print", "/druk")
# Pages that every paper's menu or foot leads to, and that are no articles.
_OTHER_PAGES = {
    *("/about/", "/share/mail", "/share/post", "/search"),
    *("/span/", "/deel/", "/soek"),
    *("/mayelana/", "/thumela/", "/sesha"),
}
_BROWSER = "Mozilla/"
_PICTURE = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"><rect width="16" height="9"'
    b' fill="#b9c4c9"/><circle cx="11" cy="3" r="1" fill="#f4d35e"/>'
    b'<path d="M0 9L5 4l3 3 3-2 5 4z" fill="#5c6b73"/></svg>'
)


class Site:
    """The pages, feed and robots.txt of one paper."""

    def __init__(self, edition: Edition, roots: Roots) -> None:
        self.edition = edition
        self.roots = roots

    def answer(self, request: PaperRequest, now: datetime) -> PaperAnswer:
        """Answer one request as the paper's server would at that moment."""
        paper, path = self.edition.paper, request.path
        if path == paper.feed_path:
            return feed(paper, self.edition.out(now), self.roots.paper)
        if path == "/robots.txt":
            return PaperAnswer(paper.robots.encode(), _TEXT)
        if path in _STYLES:
            return PaperAnswer((LAYOUTS / "style.css").read_bytes(), "text/css; charset=utf-8")
        if path == "/picture.svg":
            return PaperAnswer(_PICTURE, "image/svg+xml")
        if path in _OTHER_PAGES:
            return plain_page(paper, paper.name, paper.motto)
        return self._list(path, now) or self._article(request, now) or self._nothing()

    def _list(self, path: str, now: datetime) -> PaperAnswer | None:
        paper, key = self.edition.paper, path.strip("/")
        if not key:
            return list_page(paper, paper.motto, self.edition.out(now), now)
        if key not in paper.sections or not path.endswith("/"):
            return None
        shown = [item for item in self.edition.out(now) if item.piece.section == key]
        return list_page(paper, paper.sections[key], shown, now)

    def _article(self, request: PaperRequest, now: datetime) -> PaperAnswer | None:
        for folder in _PRINT_FOLDERS:
            if request.path.startswith(f"{folder}/"):
                printed = self.edition.find(request.path.removeprefix(folder), now)
                return print_page(printed) if printed else None
        article = self.edition.find(request.path, now)
        if article is None:
            return None
        if article.has(Flag.MOVED):
            return redirect(article.section_path)
        if article.fate in {Fate.REMOVED, Fate.GONE}:
            status = 410 if article.fate is Fate.GONE else 200
            return plain_page(self.edition.paper, *self.edition.paper.removed, status=status)
        if article.has(Flag.PREMIUM) and not request.agent.startswith(_BROWSER):
            return plain_page(self.edition.paper, "Forbidden", "Use a browser.", status=403)
        return article_page(article, self.edition.before(article), self.roots, now)

    def _nothing(self) -> PaperAnswer:
        return plain_page(self.edition.paper, "404", "No such page.", status=404)
