"""Languages that an installation has learnt itself: one folder each, read anew when it changes.

`FOLDER/CODE/language.json` names the files of the model beside it; it is written last and replaced
by rename, so whoever reads finds one model or the other. What `learning` writes, this reads.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from search.engine.annotation.lemmatizer import CACHED_PAIRS, LemmaTable
from search.engine.annotation.model import VERSION, TaggerModel
from search.engine.annotation.seen_tagger import SeenTagger
from search.engine.annotation.tagset import UNIVERSAL_TAGS

MANIFEST = "language.json"
# Of the manifest, and of the arrays that it names; folders of others are passed over.
FORMAT = [1, VERSION]
LONGEST_ENDING = 6  # letters by which lemmas of unknown words are made

# More languages than people of one installation bring; each takes some 20 MB while it tags.
_KEPT_MODELS = 8
# These keep their letters; of names only the ending changes.
_UNCHANGED = frozenset({"SYM", "X"})
_NAME = "PROPN"


@dataclass(frozen=True, slots=True)
class OwnLanguage:
    """What the manifest of one language says; `digest` changes with any byte of its model."""

    code: str
    digest: str
    folder: Path
    tagger_file: str
    lemma_file: str
    n_bytes: tuple[int, int]
    is_turned: bool

    def is_whole(self) -> bool:
        """Whether both files are there in their lengths: copies may be on their way, or cut."""
        paths = [self.folder / self.tagger_file, self.folder / self.lemma_file]
        try:
            return tuple(path.stat().st_size for path in paths) == self.n_bytes
        except OSError:
            return False

    def tagger(self) -> SeenTagger:
        """Return the process's tagger of this model, read at its first use."""
        return _model(self).tagger

    def lemmas(self, words: Sequence[str], tags: Sequence[str]) -> list[str]:
        """Return the lemmas of a tagged sentence: in small letters but for names."""
        return list(map(_model(self).lemma, words, tags))


class OwnModel:
    """A tagger and a table of lemmas that were learnt from one treebank.

    Where words change at their beginnings, as in isiZulu, the table is `is_turned`: it holds forms
    and lemmas from the last letter to the first, so that its rules of endings are of beginnings.
    """

    def __init__(self, tagger: TaggerModel, table: LemmaTable, *, is_turned: bool) -> None:
        self._table = table
        self._is_turned = is_turned
        self.lemma = lru_cache(CACHED_PAIRS)(self._lemma)
        self._seen_tags = lru_cache(CACHED_PAIRS)(self._tags_in_table)
        self.tagger = SeenTagger(tagger, self._seen_tags)

    def knows(self, word: str) -> bool:
        """Whether the sentences that were learnt from have a word, in whatever letters."""
        return bool(self._seen_tags(word.lower().replace("’", "'")))

    def _tags_in_table(self, form: str) -> tuple[str, ...]:
        turned, find = self._turn(form), self._table.find
        return tuple(tag for tag in UNIVERSAL_TAGS if find(turned, tag) is not None)

    def _turn(self, form: str) -> str:
        return form[::-1] if self._is_turned else form

    def _lemma(self, word: str, tag: str) -> str:
        if tag in _UNCHANGED:
            return word
        form = word.lower().replace("’", "'")
        turned = self._turn(form)
        found = self._table.find(turned, tag)
        if tag == _NAME:
            found = found and self._turn(found)
            if found is None or found == form:
                return word
            return word[: len(found)] if word.lower().startswith(found) else found.capitalize()
        for length in range(min(LONGEST_ENDING, len(turned) - 1), -1, -1):
            if found is not None:
                break
            found = self._table.find_by_ending(turned, turned[len(turned) - length :], tag)
        return self._turn(found) if found else form


_where: list[Callable[[], Path]] = []


def look_in(folder: Callable[[], Path]) -> None:
    """Say where the folders of languages lie; asked each time, and it need not exist."""
    _where[:] = [folder]


def own_languages() -> Mapping[str, OwnLanguage]:
    """Return the installation's own languages by code, as their folders are now."""
    found = map(_as_it_is, _manifests())
    return {language.code: language for language in found if language is not None}


def unusable_folders() -> list[Path]:
    """Return the folders whose model is of another version, or not whole."""
    return [path.parent for path in _manifests() if _as_it_is(path) is None]


def _manifests() -> list[Path]:
    try:
        return sorted(_where[0]().glob(f"*/{MANIFEST}")) if _where else []
    except OSError:
        return []


def own_language(code: str) -> OwnLanguage | None:
    """Return the installation's own language of a code, None where it has none."""
    return _as_it_is(_where[0]() / code / MANIFEST) if _where and code.isalpha() else None


def taggers_in_memory() -> list[SeenTagger]:
    """Return the taggers of own languages that this process has read."""
    return [_model(language).tagger for language in own_languages().values() if language in _read]


def _as_it_is(manifest: Path) -> OwnLanguage | None:
    try:
        state = manifest.stat()
    except OSError:
        return None
    found = _parsed(manifest, (state.st_mtime_ns, state.st_size, state.st_ino))
    return found if found is not None and found.is_whole() else None


@lru_cache(_KEPT_MODELS * 4)
def _parsed(manifest: Path, state: tuple[int, int, int]) -> OwnLanguage | None:
    """Read a manifest in one state of its file; None where it is none of ours."""
    del state
    try:
        said = json.loads(manifest.read_text(encoding="utf-8"))
        if said["format"] != FORMAT or said["code"] != manifest.parent.name:
            return None
        return OwnLanguage(
            said["code"],
            said["digest"],
            manifest.parent,
            said["tagger"],
            said["lemmas"],
            (said["bytes"][0], said["bytes"][1]),
            bool(said["turned"]),
        )
    except (OSError, ValueError, KeyError, IndexError, TypeError):
        return None


_read: dict[OwnLanguage, OwnModel] = {}


def _model(language: OwnLanguage) -> OwnModel:
    found = _read.get(language)
    if found is None:
        found = OwnModel(
            TaggerModel.load(language.folder / language.tagger_file),
            LemmaTable.load(language.folder / language.lemma_file),
            is_turned=language.is_turned,
        )
        while len(_read) >= _KEPT_MODELS:
            _read.pop(next(iter(_read)), None)
        _read[language] = found
    return found
