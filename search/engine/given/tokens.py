"""Words of files that are cut into tokens, put together to running text again."""

from dataclasses import dataclass, field
from itertools import pairwise

from search.engine.given.texts import MAX_TEXT_BYTES, FileProblem
from search.engine.index.lexicon.spacing import guess_spaces


@dataclass(slots=True)
class RunningText:
    """Tokens of a text as they come, and where its paragraphs end.

    White space is known where the file marks it at all; else it is guessed from the signs.
    """

    words: list[str] = field(default_factory=list)
    is_glued: list[bool] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    marks_space: bool = False
    n_characters: int = 0

    def add(self, word: str, *, is_glued: bool) -> None:
        """Add a token; `is_glued` says that no white space stands before it."""
        self.words.append(word)
        self.is_glued.append(is_glued)
        self.n_characters += len(word) + 1
        if self.n_characters > MAX_TEXT_BYTES:
            raise FileProblem(f"a text of more than {MAX_TEXT_BYTES:,} characters")

    def end_paragraph(self) -> None:
        if self.words and (not self.ends or self.ends[-1] < len(self.words)):
            self.ends.append(len(self.words))

    def joined(self) -> str:
        """Give the text, a paragraph a line."""
        if self.marks_space:
            spaces = [not glued for glued in self.is_glued]
        else:
            spaces = guess_spaces(self.words)
        parts = [
            f" {word}" if space else word for word, space in zip(self.words, spaces, strict=True)
        ]
        edges = [0, *self.ends, len(parts)]
        lines = ("".join(parts[a:b]).strip() for a, b in pairwise(edges))
        return "\n".join(filter(None, lines))
