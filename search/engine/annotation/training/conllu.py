"""Read CoNLL-U treebanks with offsets: gzipped file in, documents of paragraphs of sentences out.

Columns used: 2 FORM, 3 LEMMA, 5 XPOS (Penn tags) or 4 UPOS (universal tags), 10 MISC
(`SpaceAfter=No`); comment lines `# newdoc`, `# newpar` and `# text`. Needed by training and by the
quality gates only, never at run time. Format: universaldependencies.org/format.html.
"""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

GENRE_PREFIX = "GUM_"
# Which column holds the tags, from 0.
UPOS, XPOS = 3, 4


@dataclass(slots=True)
class GoldToken:
    """One syntactic word with its place in the paragraph's text."""

    start: int
    end: int
    form: str
    lemma: str
    tag: str


@dataclass(slots=True)
class GoldParagraph:
    """A paragraph's text and its sentences, each a list of tokens with offsets into that text."""

    document: str
    text: str = ""
    sentences: list[list[GoldToken]] = field(default_factory=list)

    @property
    def genre(self) -> str:
        """GUM's genre (`GUM_news_…` is `news`); empty for other treebanks."""
        return self.document.split("_")[1] if self.document.startswith(GENRE_PREFIX) else ""


def read_paragraphs(path: Path, tag_column: int = XPOS) -> list[GoldParagraph]:
    """Read a gzipped CoNLL-U file into paragraphs.

    Parameters
    ----------
    path
        File ending in `.conllu.gz`.
    tag_column
        `XPOS` for the tags of the treebank's own language, `UPOS` for the universal ones.

    Returns
    -------
    list of GoldParagraph
        In file order. The text is rebuilt from the forms and `SpaceAfter=No`; a sentence that
        begins no paragraph continues the text of the one before it.
    """
    paragraphs: list[GoldParagraph] = []
    document = ""
    opens_paragraph = True
    for lines in _blocks(path):
        for line in lines:
            if line.startswith("# newdoc"):
                document = line.partition("=")[2].strip()
                opens_paragraph = True
            elif line.startswith("# newpar") and not line.startswith("# newpar_block"):
                opens_paragraph = True
        if opens_paragraph:
            paragraphs.append(GoldParagraph(document))
            opens_paragraph = False
        _append_sentence(paragraphs[-1], lines, tag_column)
    for paragraph in paragraphs:
        paragraph.text = paragraph.text.rstrip()
    return paragraphs


def _blocks(path: Path) -> Iterator[list[str]]:
    lines: list[str] = []
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for raw in stream:
            line = raw.rstrip("\n")
            if line:
                lines.append(line)
            elif lines:
                yield lines
                lines = []
    if lines:
        yield lines


def _append_sentence(paragraph: GoldParagraph, lines: list[str], tag_column: int) -> None:
    tokens: list[GoldToken] = []
    text = paragraph.text
    range_end = 0
    space_after_range = True
    for line in lines:
        if line.startswith("#"):
            continue
        columns = line.split("\t")
        identifier, form = columns[0], columns[1]
        if "." in identifier:
            continue
        has_space = "SpaceAfter=No" not in columns[9]
        if "-" in identifier:
            range_end = int(identifier.partition("-")[2])
            space_after_range = has_space
            continue
        if int(identifier) <= range_end:
            has_space = space_after_range and int(identifier) == range_end
        start = len(text)
        tokens.append(GoldToken(start, start + len(form), form, columns[2], columns[tag_column]))
        text += form + (" " if has_space else "")
    paragraph.text = text
    paragraph.sentences.append(tokens)
