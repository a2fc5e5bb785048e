"""The writer's side of the lexicon: numbers for tokens, new entries gathered until a commit.

Input → output: (word, lemma, tag) triples → type numbers; ``take_block`` → the entries that are
new.
"""

from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from search.engine.index.errors import TooManyTagsError
from search.engine.index.lexicon.folding import lower, strip_accents
from search.engine.index.lexicon.growing import GrowingArray
from search.engine.index.lexicon.lexicon import TAG_LIMIT, Lexicon, LexiconBlock, LexiconSize
from search.engine.index.lexicon.spacing import CLINGS_LEFT, CLINGS_RIGHT, clinging
from search.engine.index.lexicon.strings import encode_strings

FORM_LIMIT = 512  # code points; longer "words" are base64 or broken markup, and are cut


class _Numbers(dict[str, int]):
    """Strings to numbers; an unknown string gets the next number."""

    def __init__(self, known: list[str], on_new: Callable[[str], None] | None = None) -> None:
        super().__init__(zip(known, range(len(known)), strict=True))
        self.count = len(known)
        self.new: list[str] = []
        self._on_new = on_new

    def __missing__(self, string: str) -> int:
        clean = _clean(string)
        if clean != string:
            return self[clean]
        number = self[string] = self.count
        self.count += 1
        self.new.append(string)
        if self._on_new is not None:
            self._on_new(string)
        return number

    def absorb(self, strings: list[str]) -> None:
        """Take over strings that another writer has numbered."""
        self.update(zip(strings, range(self.count, self.count + len(strings)), strict=True))
        self.count += len(strings)


def _clean(string: str) -> str:
    """Make a string storable: no line feeds or lone surrogates, bounded length."""
    if len(string) <= FORM_LIMIT and string.isascii() and "\n" not in string:
        return string
    flat = string[:FORM_LIMIT].replace("\n", " ")
    return flat.encode(errors="replace").decode()


class LexiconBuilder:
    """Gives numbers to tokens and values, starting from what a lexicon holds."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._variants: list[int] = []
        self._new_types: list[int] = []
        self._forms = _Numbers(lexicon.forms.all(), self._add_variants)
        self._values = _Numbers(lexicon.values.all())
        self._tags = _Numbers(lexicon.tags.all())
        self._tag_of_type: GrowingArray[np.uint8] = GrowingArray(np.uint8)
        self._pending_tags: list[int] = []
        self._clinging_of_type: GrowingArray[np.uint8] = GrowingArray(np.uint8)
        self._pending_clinging: list[int] = []
        self._types = _Types(self._add_type)
        self._load_types(lexicon)

    def types(self, tokens: Iterable[tuple[str, str, str]]) -> list[int]:
        """Return the type number of each token, adding unknown ones.

        Raises
        ------
        TooManyTagsError
            If there would be more than 255 different tags.
        """
        return list(map(self._types.__getitem__, tokens))

    def type_of(self, token: tuple[str, str, str]) -> int:
        """Return the type number of one token, adding it when unknown."""
        return self._types[token]

    def value(self, string: str) -> int:
        """Return the number of a document value, adding it when unknown."""
        return self._values[string]

    def tags_of(self, types: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
        """Return the tag number of each type."""
        self._flush()
        return self._tag_of_type.view()[types]

    def guess_spaces(self, types: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
        """Return before which tokens of a text white space stood, judged by punctuation."""
        self._flush()
        clinging = self._clinging_of_type.view()[types]
        spaces: npt.NDArray[np.bool_] = (clinging & CLINGS_LEFT) == 0
        spaces[1:] &= (clinging[:-1] & CLINGS_RIGHT) == 0
        spaces[:1] = False
        return spaces

    def _flush(self) -> None:
        """Put what is known of new types into the arrays by type."""
        if self._pending_tags:
            self._tag_of_type.extend(np.array(self._pending_tags, dtype=np.uint8))
            self._clinging_of_type.extend(np.array(self._pending_clinging, dtype=np.uint8))
            self._pending_tags, self._pending_clinging = [], []

    def take_block(self) -> LexiconBlock | None:
        """Return what came in since the last call, None if nothing did."""
        if not (self._forms.new or self._new_types or self._values.new or self._tags.new):
            return None
        block = LexiconBlock(
            forms=encode_strings(self._forms.new),
            variants=np.array(self._variants, dtype=np.uint32),
            types=np.array(self._new_types, dtype=np.uint32),
            values=encode_strings(self._values.new),
            tags=encode_strings(self._tags.new),
        )
        for numbers in (self._forms, self._values, self._tags):
            numbers.new = []
        self._variants = []
        self._new_types = []
        return block

    def absorb(self, lexicon: Lexicon, before: LexiconSize) -> None:
        """Take over what another writer has added to the lexicon since it had a size."""
        view = lexicon.view()
        size = view.size
        self._forms.absorb([view.form(i) for i in range(before.n_forms, size.n_forms)])
        self._values.absorb([view.value(i) for i in range(before.n_values, size.n_values)])
        self._tags.absorb([view.tag(i) for i in range(before.n_tags, size.n_tags)])
        new = slice(before.n_types, size.n_types)
        words = list(map(view.form, view.words[new].tolist()))
        lemmas = map(view.form, view.lemmas[new].tolist())
        tags = map(view.tag, view.tags[new].tolist())
        self._types.update(
            zip(zip(words, lemmas, tags, strict=True), range(new.start, new.stop), strict=True)
        )
        self._types.count = size.n_types
        self._add_columns(view.tags[new], words)

    def _load_types(self, lexicon: Lexicon) -> None:
        view = lexicon.view()
        forms, tags = lexicon.forms.all(), lexicon.tags.all()
        words = list(map(forms.__getitem__, view.words.tolist()))
        lemmas = map(forms.__getitem__, view.lemmas.tolist())
        names = map(tags.__getitem__, view.tags.tolist())
        triples = zip(words, lemmas, names, strict=True)
        self._types.update(zip(triples, range(view.size.n_types), strict=True))
        self._types.count = view.size.n_types
        self._add_columns(view.tags, words)

    def _add_columns(self, tags: npt.NDArray[np.uint32], words: list[str]) -> None:
        self._tag_of_type.extend(tags.astype(np.uint8))
        self._clinging_of_type.extend(np.array(list(map(clinging, words)), dtype=np.uint8))

    def _add_variants(self, form: str) -> None:
        """Give numbers to the variants of a new form; they are forms themselves."""
        at = len(self._variants)
        own = self._forms.count - 1
        self._variants.extend((own, own, own))
        small, plain = lower(form), strip_accents(form)
        if small == form == plain:
            return
        lower_number = self._forms[small]
        if form.isascii():
            self._variants[at : at + 3] = (lower_number, own, lower_number)
        else:
            others = (self._forms[plain], self._forms[strip_accents(small)])
            self._variants[at : at + 3] = (lower_number, *others)

    def _add_type(self, token: tuple[str, str, str]) -> None:
        word, lemma, tag = token
        number = self._tags[tag]
        if number >= TAG_LIMIT:
            raise TooManyTagsError(0, f"{tag!r} would make more than {TAG_LIMIT} tags")
        self._new_types.extend((self._forms[word], self._forms[lemma], number))
        self._pending_tags.append(number)
        self._pending_clinging.append(clinging(word))


class _Types(dict[tuple[str, str, str], int]):
    """Tokens to type numbers; an unknown triple gets the next number."""

    def __init__(self, on_new: Callable[[tuple[str, str, str]], None]) -> None:
        super().__init__()
        self.count = 0
        self._on_new = on_new

    def __missing__(self, token: tuple[str, str, str]) -> int:
        self._on_new(token)
        number = self.count
        self[token[0], token[1], token[2]] = number
        self.count += 1
        return number
