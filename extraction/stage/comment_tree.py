"""Readers' comments of an article as a tree: replies point to what they answer."""

from extraction.models import Article, Comment
from feeds.work.row_updates import update_rows

MAX_DEPTH = 32_767  # what the column holds


def link_parents(article: Article) -> None:
    """Point replies to their parents: a parent may have come with an earlier or a later page."""
    rows = list(
        Comment.objects.filter(article=article).only(
            "remote_id", "remote_parent_id", "parent", "depth"
        )
    )
    by_remote = {row.remote_id: row for row in rows}
    parents = {row.remote_id: row.remote_parent_id for row in rows}
    depths = _open_circles(parents)
    changed: list[Comment] = []
    for row in rows:
        parent = by_remote.get(parents[row.remote_id])
        place = (parent.pk if parent else None, min(depths[row.remote_id], MAX_DEPTH))
        if (row.parent_id, row.depth) != place:
            row.parent_id, row.depth = place
            changed.append(row)
    update_rows(changed, ["parent", "depth"])


def _open_circles(parents: dict[str, str]) -> dict[str, int]:
    """Count the depths of comments by their parents; linear in their number.

    Parents in a circle are a mistake of the sender: the first comment of it loses its parent.
    """
    order = {name: number for number, name in enumerate(parents)}
    depths: dict[str, int] = {}
    for start in order:
        line: dict[str, None] = {}
        name = start
        while name in order and name not in depths and name not in line:
            line[name] = None
            name = parents[name]
        way = list(line)
        if name in line:
            circle = way[way.index(name) :]
            first = min(circle, key=order.__getitem__)
            parents[first] = ""
            place = len(way) - len(circle) + circle.index(first)
            # From the comment that stands at the top now, round the circle, then down the way.
            way = (
                way[: len(way) - len(circle)]
                + way[place + 1 :]
                + way[len(way) - len(circle) : place + 1]
            )
        for below in reversed(way):
            depths[below] = depths.get(parents[below], -1) + 1
    return depths
