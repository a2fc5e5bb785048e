"""`make bench-comments`: readers' comments that stand in a page, against gold labels.

Needs ../shared (the development pages of its README); SHARED_DATA_DIR names another folder. Gold is
`tests/data/comments/gold.jsonl`, one page a line, its comments in page order as
`[digest of the text, its first words, author, date, index of the parent or -1]`; the texts stay
where the pages are. A comment is found when the text that was read equals a gold text once all
white space is taken out, counted as often as it stands there. `half` splits the pages by site: the
reader was written with `dev` in sight, `held` was looked at when it was done. A date is right to
the minute (or the day, where the page names no more); one written as an age ("3 hours ago"), which
gold marks with `~`, within six weeks, since months are rounded.
`seen` is the moment such a page was fetched. Pages
without comments (other stories' comments, pingbacks, forms, teasers) count against precision.

`fresh.jsonl` labels pages of sites that gold does not name, written before the reader saw them;
`fresh-a` was read and mended first, `fresh-b` then, once. `layouts.jsonl` labels pages made after
the public markup of systems and home-made lists, one page a layout, `layouts-a` and `layouts-b`
likewise, `layouts-c` half of a set of 24, `layouts-e` 20 in 17 languages, `layouts-f` 16 in 15; all
of them were written before the reader saw one.
BENCH_COMMENTS_LABELS=file and BENCH_COMMENTS_PAGES=folder add labels of pages that lie elsewhere
(`<page>.html.gz`); pages that are not there are left out, and how many is said.
"""

import gzip
import hashlib
import json
import os
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("SHARED_DATA_DIR", ROOT.parent / "shared"))
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from extraction.html.extract_page import extract_page  # noqa: E402 (the path comes first)
from extraction.html.page import PageComment, PageInput  # noqa: E402

LABELS = ROOT / "tests" / "data" / "comments"
SEEN = datetime(2026, 2, 1, tzinfo=UTC)  # after the last of the pages
_DAY_CHARACTERS = len("2024-01-01")


@dataclass(slots=True)
class Score:
    """Counts of one group of pages."""

    pages: int = 0
    whole: int = 0
    gold: int = 0
    read: int = 0
    found: int = 0
    right: Counter = field(default_factory=Counter)
    asked: Counter = field(default_factory=Counter)

    def line(self, name):
        fields = " ".join(
            f"{name} {_share(self.right[name], self.asked[name])}"
            for name in ("author", "date", "parent")
        )
        return (
            f"{name:24} {self.pages:4} pages {self.whole:4} whole {self.gold:5} comments"
            f"  recall {_share(self.found, self.gold)}  precision {_share(self.found, self.read)}"
            f"  {fields}"
        )


def _share(part, whole):
    return f"{part / whole:6.1%}" if whole else "     –"


def digest(text):
    return hashlib.blake2b("".join(text.split()).encode(), digest_size=6).hexdigest()


def main(argv):
    pages = SHARED / "data/extraction/pages"
    if not pages.exists():
        print(f"not run: no extraction data at {SHARED} (SHARED_DATA_DIR names the folder)")
        return 0
    scores, left_out = measure(pages, argv[1:])
    for name in sorted(scores):
        print(scores[name].line(name))
    if left_out:
        print(f"left out: {left_out} pages that are not there")
    return 0


def measure(pages, halves):
    """Scores by half and system, and the count of pages that are not there; all halves if none."""
    scores = defaultdict(Score)
    left_out = 0
    for folder, gold in _labelled(pages):
        if gold["half"] not in (halves or [gold["half"]]):
            continue
        path = _path(folder, gold["page"])
        if not path.exists():
            left_out += 1
            continue
        read = _read(path, gold)
        for name in (gold["half"], f"system {gold['system']}"):
            _count(scores[name], gold["comments"], read)
        _tell(gold, read)
    return scores, left_out


def _labelled(pages):
    """Each label with the folder of its page."""
    files = [(pages, LABELS / "gold.jsonl"), (pages, LABELS / "fresh.jsonl")]
    files.append((LABELS / "layouts", LABELS / "layouts.jsonl"))
    if extra := os.environ.get("BENCH_COMMENTS_LABELS"):
        files.append((Path(os.environ.get("BENCH_COMMENTS_PAGES", pages)), Path(extra)))
    for folder, labels in files:
        for line in labels.read_text(encoding="utf-8").splitlines():
            yield folder, json.loads(line)


def _path(folder, page):
    """Where a page is; those of the tests are not packed."""
    plain = folder / f"{page}.html"
    return plain if plain.exists() else folder / f"{page}.html.gz"


def _read(path, gold):
    seen = datetime.fromisoformat(gold["seen"]).replace(tzinfo=UTC) if "seen" in gold else SEEN
    body = path.read_bytes()
    if path.suffix == ".gz":
        body = gzip.decompress(body)
    return extract_page(PageInput(body=body, fetched_at=seen), now=seen).comments


def _pairs(gold, read):
    """Gold comments with the comment read for them or None; equal texts in page order."""
    by_text = defaultdict(list)
    for comment in read:
        by_text[digest(comment.text)].append(comment)
    return [(one, by_text[one[0]].pop(0) if by_text[one[0]] else None) for one in gold]


def _count(score, gold, read):
    pairs = _pairs(gold, read)
    found = [pair for pair in pairs if pair[1] is not None]
    score.pages += 1
    score.whole += len(found) == len(gold) == len(read)
    score.gold += len(gold)
    score.read += len(read)
    score.found += len(found)
    ids = {index: comment.id for index, (_, comment) in enumerate(pairs) if comment is not None}
    for one, comment in found:
        for name, is_right in _fields(one, comment, ids).items():
            score.asked[name] += 1
            score.right[name] += is_right


def _fields(one, comment: PageComment, ids):
    _, _, author, date, parent = one
    return {
        "author": _plain(author) == _plain(comment.author),
        "date": _is_same_date(date, comment.posted_at),
        "parent": ids.get(parent, "") == comment.parent if parent in ids or parent < 0 else True,
    }


def _plain(name):
    return " ".join(name.split()).strip("~ :").casefold()


def _is_same_date(gold, moment):
    if not gold or moment is None:
        return not gold and moment is None
    if gold.startswith("~"):
        wanted = datetime.fromisoformat(gold[1:]).replace(tzinfo=UTC)
        return abs(moment - wanted) <= timedelta(days=46)
    said = moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M")
    return said[: len(gold)] == gold if len(gold) > _DAY_CHARACTERS else said[:10] == gold


def _tell(gold, read):
    """With BENCH_COMMENTS=page name (or "all"): what was missed, invented, or wrong in a field."""
    wanted = os.environ.get("BENCH_COMMENTS", "")
    if not wanted or (wanted != "all" and wanted not in gold["page"]):
        return
    pairs = _pairs(gold["comments"], read)
    ids = {index: comment.id for index, (_, comment) in enumerate(pairs) if comment is not None}
    known = {id(comment) for _, comment in pairs if comment is not None}
    for one, comment in pairs:
        wrong = (
            ["missed"]
            if comment is None
            else [name for name, right in _fields(one, comment, ids).items() if not right]
        )
        if wrong:
            has = comment and (comment.author, str(comment.posted_at), comment.parent)
            print(gold["page"], *wrong, one[1:], has or "")
    for comment in read:
        if id(comment) not in known:
            print(gold["page"], "invented", (comment.author, comment.text[:200]))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
