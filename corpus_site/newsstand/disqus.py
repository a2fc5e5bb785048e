"""Readers' comments as Disqus answers them: the embed page with its JSON block, and the API 3.0.

Shapes follow https://disqus.com/api/docs/ (threads/details, threads/listPosts), as far as our own
reader looks at them. One server answers for the forums of all papers, as disqus.com does.
"""

import html
import json
import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from corpus_site.newsstand.edition import Edition, PublishedPiece
from corpus_site.newsstand.exchange import PaperAnswer, PaperRequest, page
from corpus_site.newsstand.pieces import Flag, Post

EMBED_POSTS = 50  # Disqus shows so many before “load more”
MAX_POSTS = 100  # the most that Disqus gives in an answer
_JSON = "application/json"
# Codes of the API of Disqus.
_OK, _BAD_ARGUMENT, _BAD_KEY, _NO_ENDPOINT = 0, 2, 5, 1

# The loader that the papers' pages name; it shows the embed page in a frame.
_EMBED_SCRIPT = """(function () {
  var root = document.currentScript ? document.currentScript.src.replace(/embed\\.js.*/, '') : '/';
  var page = {};
  if (window.disqus_config) { window.disqus_config.call({page: page}); }
  var frame = document.createElement('iframe');
  frame.title = 'Comments'; frame.width = '100%'; frame.height = '480';
  frame.src = root + 'embed/comments/?base=default&f=' + encodeURIComponent(window.disqus_shortname)
    + '&t_i=' + encodeURIComponent(page.identifier) + '&t_u=' + encodeURIComponent(page.url);
  var place = document.getElementById('disqus_thread');
  if (place) { place.appendChild(frame); }
})();
"""


class Disqus:
    """The comment server: forums by name, roots of the papers' sites by forum."""

    def __init__(self, editions: Mapping[str, Edition], roots: Mapping[str, str]) -> None:
        self._editions = editions
        self._roots = roots

    def answer(self, request: PaperRequest, now: datetime) -> PaperAnswer:
        """Answer one request for the loader, the embed page or the API."""
        match request.path:
            case "/embed.js":
                return PaperAnswer(_EMBED_SCRIPT.encode(), "text/javascript; charset=utf-8")
            case "/embed/comments/":
                return self._embed(request.query, now)
            case "/api/3.0/threads/details.json" | "/api/3.0/threads/listPosts.json":
                return self._api(request, now)
            case "/robots.txt":
                return PaperAnswer(b"User-agent: *\nDisallow:\n", "text/plain; charset=utf-8")
        return _reply(_NO_ENDPOINT, "Endpoint not valid", 404)

    def _find(self, forum: str, key: str, now: datetime) -> PublishedPiece | None:
        """Find a thread by `ident:…`, `link:…` or its number."""
        edition = self._editions.get(forum)
        if edition is None:
            return None
        if key.startswith("link:"):
            link = key.removeprefix("link:").partition("?")[0]
            article = edition.find(link.removeprefix(self._roots[forum]), now)
        else:
            number = key.removeprefix("ident:").removeprefix(f"{forum}-")
            article = edition.by_number.get(int(number)) if number.isdecimal() else None
        if article is None or article.piece.thread is None or article.published_at > now:
            return None
        return None if article.has(Flag.IN_PAGE) else article

    def _embed(self, query: Mapping[str, str], now: datetime) -> PaperAnswer:
        forum = query.get("f", "")
        identifier, link = query.get("t_i", ""), query.get("t_u", "")
        key = f"ident:{identifier}" if identifier else f"link:{link}"
        article = self._find(forum, key, now)
        if article is None:
            return _embed_page({"code": _BAD_ARGUMENT, "response": "Thread not found"}, [])
        posts = article.posts(now)
        depths = _depths(posts)
        rows = [
            self._post(article, post) | {"depth": depths[post.number]}
            for post in posts[::-1][:EMBED_POSTS]
        ]
        has_more = len(posts) > EMBED_POSTS
        data = {
            "cursor": {
                "hasPrev": False,
                "prev": None,
                "total": len(posts),
                "hasNext": has_more,
                "next": "2:0:0" if has_more else None,
            },
            "code": _OK,
            "order": "desc",
            "response": {"posts": rows, "thread": self._thread(article, now)},
        }
        return _embed_page(data, posts)

    def _api(self, request: PaperRequest, now: datetime) -> PaperAnswer:
        query = request.query
        if not query.get("api_key"):
            return _reply(_BAD_KEY, "Invalid API key", 401)
        article = self._find(query.get("forum", ""), query.get("thread", ""), now)
        if article is None:
            return _reply(_BAD_ARGUMENT, "Invalid argument, 'thread': Unable to find thread", 400)
        if request.path.endswith("details.json"):
            return _reply(_OK, self._thread(article, now))
        return self._list_posts(article, query, now)

    def _list_posts(
        self, article: PublishedPiece, query: Mapping[str, str], now: datetime
    ) -> PaperAnswer:
        limit = query.get("limit", "25")
        if not limit.isdecimal() or not 0 < int(limit) <= MAX_POSTS:
            return _reply(_BAD_ARGUMENT, f"Invalid argument, 'limit': at most {MAX_POSTS}", 400)
        start = query.get("cursor", "0:0:0").partition(":")[0]
        if not start.isdecimal():
            return _reply(_BAD_ARGUMENT, "Invalid argument, 'cursor'", 400)
        posts = [post for post in article.posts(now) if not post.is_deleted]
        if query.get("order", "desc") == "desc":
            posts.reverse()
        shown = posts[int(start) : int(start) + int(limit)]
        end = int(start) + len(shown)
        has_more = end < len(posts)
        cursor = {
            "hasPrev": int(start) > 0,
            "hasNext": has_more,
            "more": has_more,
            "next": f"{end}:0:0" if has_more else None,
            "total": None,
        }
        return _reply(_OK, [self._post(article, post) for post in shown], cursor=cursor)

    def _thread(self, article: PublishedPiece, now: datetime) -> dict[str, Any]:
        n_posts = sum(not post.is_deleted for post in article.posts(now))
        return {
            "id": str(article.number),
            "forum": article.paper.key,
            "title": article.piece.title,
            "link": self._roots[article.paper.key] + article.path,
            "identifiers": [identifier(article)],
            "isClosed": article.is_closed(now),
            "posts": n_posts,
            "createdAt": _stamp(article.published_at),
        }

    def _post(self, article: PublishedPiece, post: Post) -> dict[str, Any]:
        row: dict[str, Any] = {
            "id": str(_post_id(article, post.number)),
            "thread": str(article.number),
            "forum": article.paper.key,
            "parent": None if post.parent is None else _post_id(article, post.parent),
            "createdAt": _stamp(article.published_at + post.delay),
            "message": "".join(f"<p>{html.escape(line)}</p>" for line in post.text.split("\n")),
            "raw_message": post.text,
            "likes": post.likes,
            "dislikes": 0,
            "points": post.likes,
            "isApproved": True,
            "isDeleted": post.is_deleted,
            "isEdited": post.is_edited,
            "author": _author(post.name),
        }
        if post.is_deleted:
            row |= {"message": "", "raw_message": "", "author": {"isAnonymous": True, "name": ""}}
        return row


def identifier(article: PublishedPiece) -> str:
    """Return the name of a piece's thread within its forum."""
    return f"{article.paper.key}-{article.number}"


def _post_id(article: PublishedPiece, number: int) -> int:
    return article.number * 1000 + number


def _author(name: str) -> dict[str, Any]:
    username = "".join(letter for letter in name.lower() if letter.isalnum())
    number = zlib.crc32(username.encode())
    return {
        "id": str(number),
        "username": username,
        "name": name,
        "profileUrl": f"https://disqus.com/by/{username}/",
        "rep": 1 + number % 40 / 10,
        "isAnonymous": False,
        "isPrivate": number % 7 == 0,
        "isPrimary": True,
        "joinedAt": f"{2012 + number % 12}-0{1 + number % 9}-1{number % 10}T08:30:00",
    }


def _depths(posts: Sequence[Post]) -> dict[int, int]:
    depths: dict[int, int] = {}
    for post in posts:
        depths[post.number] = 0 if post.parent is None else depths.get(post.parent, 0) + 1
    return depths


def _stamp(moment: datetime) -> str:
    """Write a time as Disqus does: UTC without saying so."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _reply(code: int, response: object, status: int = 200, **more: object) -> PaperAnswer:
    document = {**more, "code": code, "response": response}
    return PaperAnswer(json.dumps(document, ensure_ascii=False).encode(), _JSON, status)


def _embed_page(data: Mapping[str, object], posts: Sequence[Post]) -> PaperAnswer:
    block = json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
    listed = "".join(
        f"<li><b>{html.escape(post.name)}</b><p>{html.escape(post.text)}</p></li>"
        for post in posts
        if not post.is_deleted
    )
    return page(
        '<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>Disqus Comments</title></head>'
        f'<body><div id="layout"><ul>{listed}</ul></div>\n'
        f'<script type="text/json" id="disqus-threadData">{block}</script></body></html>\n'
    )
