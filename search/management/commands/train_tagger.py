"""`manage.py train_tagger --language CODE TREEBANK.conllu …`: learn a language from treebanks.

Without a language, `manage.py train_tagger DATA` builds the shipped model files anew (developers
only).
"""

from argparse import ArgumentParser
from pathlib import Path
from subprocess import CalledProcessError
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from extraction.text.language_model import UNKNOWN
from extraction.text.language_names import LANGUAGES, language_name
from presentation.wording.figures import counted, grouped, percent, size
from presentation.wording.times import span
from search.apps import languages_folder
from search.engine.annotation.languages import SHIPPED
from search.engine.annotation.learning.learn import (
    Accuracy,
    held_out,
    learn,
    measure,
    report,
    write_language,
)
from search.engine.annotation.learning.treebank import Treebank, TreebankError, read_treebank


class Command(BaseCommand):
    help = (
        "Learn tags and lemmas of a language from Universal Dependencies treebanks: "
        "train_tagger --language CODE TREEBANK.conllu [MORE.conllu]. Without a language: build the "
        "shipped taggers from a folder of treebanks and word tables (developers only)."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "data",
            type=Path,
            nargs="+",
            help="CoNLL-U files, gzipped or not; without --language the folder of training data",
        )
        parser.add_argument("--language", metavar="CODE", help="ISO 639-1 code, such as nl")
        parser.add_argument(
            "--out", type=Path, help="Without --language: folder to write to instead of the package"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        data: list[Path] = options["data"]
        out: Path | None = options["out"]
        code: str | None = options["language"]
        if code is not None:
            if out:
                raise CommandError("--out is for the shipped taggers; a language has its folder.")
            self._learn(code, data)
        elif len(data) > 1:
            raise CommandError("One folder, please; for treebanks of a language add --language.")
        else:
            self._build_shipped(data[0], out)

    def _learn(self, code: str, paths: list[Path]) -> None:
        if code in SHIPPED:
            raise CommandError(f"{language_name(code)} has the tagger that ships.")
        if code not in LANGUAGES or code == UNKNOWN:
            raise CommandError(f"“{code}” is no code of ISO 639-1 (two letters, such as nl).")
        started = monotonic()
        try:
            treebank = read_treebank(paths)
            self._tell_treebank(treebank)
            known, unseen = held_out(treebank.sentences)
            self.stdout.write("Learning from nine of ten sentences, to measure with the tenth.")
            accuracy = measure(learn(known, self._say), unseen)
            self._tell_accuracy(accuracy)
            self.stdout.write("Learning from all of them.")
            learnt = learn(treebank.sentences, self._say)
        except TreebankError as error:
            raise CommandError(str(error)) from error
        folder = languages_folder() / code
        try:
            n_bytes = write_language(
                folder,
                learnt,
                {"files": [path.name for path in paths]} | report(treebank, accuracy),
            )
        except OSError as error:
            raise CommandError(f"{folder} cannot be written: {error.strerror}.") from error
        name = language_name(code)
        self.stdout.write(
            f"{name} stands in {folder} ({size(n_bytes)}), after {span(monotonic() - started)}. "
            f"Texts in {name} are tagged from now on; those in the index are due again, and are "
            "tagged anew by and by while workers run."
        )

    def _say(self, sentence: str) -> None:
        self.stdout.write(f"  {sentence}")

    def _tell_treebank(self, treebank: Treebank) -> None:
        n_sentences = counted(len(treebank.sentences), "sentence")
        said = [f"{n_sentences}, {counted(treebank.n_tokens, 'token')} to learn from"]
        if treebank.n_multiword:
            said.append(counted(treebank.n_multiword, "multiword token"))
        if treebank.n_empty_nodes:
            said.append(f"{counted(treebank.n_empty_nodes, 'empty node')} passed over")
        self.stdout.write("; ".join(said) + ".")
        for reason, found in treebank.left_out.items():
            self.stdout.write(
                f"Left out: {counted(found.n, 'sentence')} with {reason} (first: {found.place})."
            )
        if treebank.n_beyond:
            self.stdout.write(
                f"Not read: {counted(treebank.n_beyond, 'sentence')} beyond the first "
                f"{grouped(treebank.n_tokens)} tokens."
            )

    def _tell_accuracy(self, found: Accuracy) -> None:
        lemmas = (
            f"lemmas {_share(found.n_lemmas_right, found.n_lemmas)}"
            if found.n_lemmas
            else "the treebank says no lemmas, so every word is its own"
        )
        self.stdout.write(
            f"Held out: {counted(found.n_sentences, 'sentence')}, "
            f"{counted(found.n_words, 'word')}: tags {_share(found.n_tags_right, found.n_words)} "
            f"right (words that were never seen: {_share(found.n_unknown_right, found.n_unknown)} "
            f"of {grouped(found.n_unknown)}); {lemmas}."
        )

    def _build_shipped(self, data: Path, out: Path | None) -> None:
        try:
            # Training needs python-crfsuite, which is no dependency of the running site.
            from search.engine.annotation.training import train  # noqa: PLC0415 (see above)
        except ImportError as error:
            raise CommandError("Training needs the development dependencies.") from error
        missing = [name for name in train.TRAINING_FILES if not (data / name).exists()]
        if missing:
            raise CommandError(f"{data} holds no {', '.join(missing)}.")
        if out and not out.is_dir():
            raise CommandError(f"{out} is no folder.")
        try:
            train.main(data, out) if out else train.main(data)
        except CalledProcessError as error:
            raise CommandError("Training stopped; see the message above.") from error
        self.stdout.write("Trained.")


def _share(right: int, all_of_them: int) -> str:
    return percent(right / all_of_them, 1) if all_of_them else "none"
