from datetime import timedelta

import pytest

from corpus_site.newsstand.pieces import Flag, PaperPiece, Post, Thread, read_pieces
from corpus_site.newsstand.revisions import Fate, Revision

STORY = """title: Rain: at last
section: news
author: A. Visser; B. Zulu
standfirst: It rained.
age: 26h
flags: hidden

It rained
on Monday.

## Then

> “Wet,” he said.

=== +3h
title: It rained and
rained

1: It rained on Tuesday.
-2:
+: Then came
the sun.

=== +3d gone
---
closes 90m
1 Oom Gert +5m 3
Two
lines.

2<1 Nomsa D +1h 0 edited
An answer.
"""


def write(folder, text, name="rain"):
    paper = folder / "karoo"
    paper.mkdir(exist_ok=True)
    (paper / f"{name}.txt").write_text(text, encoding="utf-8")


def test_read_pieces_reads_every_part(tmp_path):
    write(tmp_path, STORY)

    assert read_pieces("karoo", tmp_path) == (
        PaperPiece(
            paper="karoo",
            slug="rain",
            title="Rain: at last",
            section="news",
            authors=("A. Visser", "B. Zulu"),
            standfirst="It rained.",
            paragraphs=("It rained on Monday.", "## Then", "> “Wet,” he said."),
            age=timedelta(hours=26),
            flags=frozenset({Flag.HIDDEN}),
            thread=Thread(
                posts=(
                    Post(1, None, "Oom Gert", timedelta(minutes=5), "Two\nlines.", 3),
                    Post(2, 1, "Nomsa D", timedelta(hours=1), "An answer.", 0, is_edited=True),
                ),
                closes_after=timedelta(minutes=90),
            ),
            revisions=(
                Revision(
                    timedelta(hours=3),
                    changes=(
                        ("title", "It rained and rained"),
                        ("1", "It rained on Tuesday."),
                        ("-2", ""),
                        ("+", "Then came the sun."),
                    ),
                ),
                Revision(timedelta(days=3), Fate.GONE),
            ),
        ),
    )


def test_read_pieces_takes_the_body_of_another_piece(tmp_path):
    write(tmp_path, STORY)
    write(tmp_path, "title: Reën\nsection: news\nreserve: 2\ntext-of: karoo/rain\n", "reen")

    rain, reen = read_pieces("karoo", tmp_path)

    assert (reen.paragraphs, reen.reserve, reen.thread) == (rain.paragraphs, 2, None)


def test_revision_counts_the_paragraphs_as_they_stood(tmp_path):
    write(tmp_path, STORY)
    [rain] = read_pieces("karoo", tmp_path)

    revised = rain.revisions[0]

    assert revised.paragraphs(rain.paragraphs) == (
        "It rained on Tuesday.",
        "> “Wet,” he said.",
        "Then came the sun.",
    )
    assert revised.head("title", rain.title) == "It rained and rained"
    assert revised.head("standfirst", rain.standfirst) == rain.standfirst


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title: A\nsection: b\n\nText.", "rain.txt: a piece has an age or a place"),
        ("title: A\nsection: b\nage: 1h\nreserve: 3\n\nText.", "an age or a place"),
        ("title: A\nage: 1h\n\nText.", "rain.txt: 'section'"),
        ("title: A\nsection: b\nage: 1y\n\nText.", "rain.txt: 'y'"),
        ("title: A\nsection: b\nage: 1h\n\nText.\n---\nopen\nHello", "no head of a comment"),
        ("title: A\nsection: b\nage: 1h\n\nText.\n=== 3h", "no head of a revision"),
        ("title: A\nsection: b\nage: 1h\n\nText.\n=== +3h lost", "'lost' is not a valid Fate"),
        ("title: A\nsection: b\nage: 1h\n\nText.\n=== +3h\nHello", "no change of a revision"),
    ],
)
def test_read_pieces_names_the_file_that_is_wrong(tmp_path, text, message):
    write(tmp_path, text)

    with pytest.raises(ValueError, match=message):
        read_pieces("karoo", tmp_path)
