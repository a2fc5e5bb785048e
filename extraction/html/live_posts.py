"""Posts of a live blog as its JSON-LD describes them (schema.org `liveBlogUpdate`).

A post is described like an article of its own, but it is none: its headline and date are not the
page's. What all posts say is the text of the page.
"""

from typing import Any

# The longest live blogs of a day of polls or war have several hundred.
_MAX_POSTS = 1_000


def live_posts(node: dict[str, Any]) -> list[dict[str, Any]]:
    """List the posts of a node, in its order; none for what is no live blog."""
    value = node.get("liveBlogUpdate") or ()
    items = value if isinstance(value, list) else [value]
    return [item for item in items[:_MAX_POSTS] if isinstance(item, dict)]


def with_posts(body: str, posts: list[tuple[str, str]]) -> str:
    """Text of a live blog: what its node says itself, then each post's headline and text.

    Parameters
    ----------
    body
        `articleBody` of the page's article; some publishers put all posts there too.
    posts
        Headline and text of each post; a post without text is a headline for a picture, say.

    Returns
    -------
    str
        Lines; what the body holds already is not said again.
    """
    parts = [body] if body else []
    for headline, text in posts:
        if text and text not in body:
            parts.extend(part for part in (headline, text) if part)
    return "\n".join(parts)
