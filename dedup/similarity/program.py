"""``python -m dedup.similarity cluster FILE``: near-duplicates of a file, without the site.

A file of texts in order of arrival in, one JSON object a line out: `id`, `cluster` (the id of its
earliest text) and `event` (the id of the earliest text about the same event).
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from dedup.similarity.events.of_file import events
from dedup.similarity.near import signature
from dedup.similarity.near_clusters import NearDuplicates, sentence_clusters
from dedup.similarity.text_file import BadLineError, FileText, read_texts
from extraction.text.digest import text_digest

Clusters = list[str]


def by_shingles(texts: Iterable[FileText]) -> Clusters:
    """Cluster by weighted 3-grams, in one pass."""
    found = NearDuplicates()
    names: Clusters = []
    for number, text in enumerate(texts):
        names.append(text.id)
        found.add(number, signature(text.text), text_digest(text.text))
    return [names[found.cluster_of(number)] for number in range(len(names))]


def by_sentences(texts: Iterable[FileText]) -> Clusters:
    """Cluster by shared sentences, the original method."""
    kept = list(texts)
    return [kept[first].id for first in sentence_clusters([text.text for text in kept])]


METHODS: dict[str, Callable[[Iterable[FileText]], Clusters]] = {
    "shingles": by_shingles,
    "sentences": by_sentences,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; 0 when all went well, 2 for a file that cannot be read."""
    options = _parser().parse_args(arguments)
    try:
        texts = list(read_texts(options.file))
    except (BadLineError, OSError) as error:
        sys.stderr.write(f"{options.file}: {error}\n")
        return 2
    clusters = METHODS[options.method](texts)
    place_of = {text.id: place for place, text in enumerate(texts)}
    found = events(
        [(text.title, text.text) for text in texts], [place_of[cluster] for cluster in clusters]
    )
    for text, cluster, event in zip(texts, clusters, found, strict=True):
        row = {"id": text.id, "cluster": cluster, "event": texts[event].id}
        sys.stdout.write(json.dumps(row) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m dedup.similarity")
    commands = parser.add_subparsers(dest="command", required=True)
    cluster = commands.add_parser("cluster", help="name the cluster of each text of a file")
    cluster.add_argument("file", type=Path, help="JSON lines with id and text, .gz or not")
    cluster.add_argument("--method", choices=METHODS, default="shingles")
    return parser
