"""`manage.py sketch LEMMA`: its collocates by grammatical relation, in a terminal or as JSON."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from search.answers.answering import selection_of
from search.answers.sketching import NoSketchError, SketchedWord, sketched_word
from search.asking.request import Texts
from search.engine.index.selection import Selection
from search.engine.sketches.counting import WordPlaces
from search.engine.sketches.examples import ListKey, examples
from search.engine.sketches.sketch import SketchRequest, WordSketch, word_sketch
from search.opened_index import current_snapshot

EXAMPLES = 2  # of each collocate
_COLUMN = 24


class Command(BaseCommand):
    help = "The word sketch of a lemma: collocates by grammatical relation."
    requires_system_checks = ("settings",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("lemma", help="Exactly this lemma")
        parser.add_argument(
            "--pos", default="", type=str.upper, help="NOUN, VERB, ADJ or ADV; most tokens without"
        )
        parser.add_argument("--lang", default="", help="Language of the grammar")
        parser.add_argument("--min", type=int, default=2, help="Fewest hits (default 2)")
        parser.add_argument("--rows", type=int, default=12, help="Collocates of each (default 12)")
        parser.add_argument("--json", action="store_true", help="Print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        selection = selection_of(Texts(), current_snapshot())
        try:
            word = sketched_word(
                selection.snapshot, options["lemma"], options["pos"], options["lang"]
            )
        except NoSketchError as error:
            self._refuse(options["lemma"], error, as_json=options["json"])
        least, rows = max(1, options["min"]), max(0, options["rows"])
        request = SketchRequest(word.lemma, word.word_class, least, rows, is_whole=True)
        sketch = word_sketch(selection, word.grammar, request)
        if options["json"]:
            self.stdout.write(json.dumps(_record(selection, word, sketch), ensure_ascii=False))
        else:
            self.stdout.write(_as_text(sketch))

    def _refuse(self, lemma: str, error: NoSketchError, *, as_json: bool) -> None:
        if as_json:
            record = {
                "lemma": lemma,
                "error": error.message,
                "near": list(error.near),
                "classes": list(error.classes),
            }
            self.stdout.write(json.dumps(record, ensure_ascii=False))
        near = f" Near it: {', '.join(error.near)}." if error.near else ""
        raise CommandError(error.message + near, returncode=1)


def _record(selection: Selection, word: SketchedWord, sketch: WordSketch) -> dict[str, Any]:
    places = WordPlaces(selection, word.grammar, word.word_class, word.lemma)
    wanted: dict[int, list[int]] = {}
    for relation in sketch.relations:
        wanted.setdefault(relation.number, []).extend(row.key for row in relation.collocates)
    lines = examples(places, selection, word.grammar, wanted, EXAMPLES)

    def texts(key: ListKey) -> list[str]:
        return [f"{line.left}{line.node}{line.right}" for line in lines[key]]

    return {
        "lemma": sketch.lemma,
        "pos": sketch.word_class,
        "language": word.grammar.language,
        "n_hits": sketch.n_hits,
        "generation": selection.generation,
        "relations": [
            {
                "name": relation.name,
                "n": relation.n_hits,
                "query": relation.cql(sketch.lemma),
                "collocates": [
                    {
                        "lemma": row.lemma,
                        "n": row.n_hits,
                        "score": round(row.score, 3),
                        "query": relation.cql(sketch.lemma, row.lemma),
                        "examples": texts((relation.number, row.key)),
                    }
                    for row in relation.collocates
                ],
            }
            for relation in sketch.relations
        ],
    }


def _as_text(sketch: WordSketch) -> str:
    lines = [f"{sketch.lemma} ({sketch.word_class}): {sketch.n_hits} hits"]
    for relation in sketch.relations:
        lines += ["", f"{relation.name:<{_COLUMN}} {relation.n_hits:>8}"]
        lines += [
            f"  {row.lemma:<{_COLUMN}} {row.n_hits:>6} {row.score:>6.2f}"
            for row in relation.collocates
        ]
    return "\n".join(lines)
