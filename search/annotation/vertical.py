"""Vertical text: one token a line, attributes between tabs, as corpus tools read and write it.

Grammar: a document is `<doc …>` lines with `<s>` sentences inside; a token line is word, tag,
lemma. `<g/>` (glue) says that no space stood between two tokens. Tabs and line feeds cannot occur
in tokens. Format: Sketch Engine and CWB documentation.
"""

from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape, quoteattr

from search.annotation.annotate import AnnotatedText


def vertical_lines(annotated: AnnotatedText, attributes: Mapping[str, str]) -> Iterator[str]:
    """Write a text as vertical lines without their line feeds.

    Parameters
    ----------
    annotated
        The tokens and sentences.
    attributes
        Of the `<doc>` line, in order, such as id, publication, date.
    """
    written = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items())
    yield f"<doc{written}>"
    spaces = annotated.space_before()
    for first, last in annotated.sentences:
        yield "<s>"
        for place in range(first, last):
            token = annotated.tokens[place]
            if place > first and not spaces[place]:
                yield "<g/>"
            yield f"{escape(token.word)}\t{token.tag}\t{escape(token.lemma)}"
        yield "</s>"
    yield "</doc>"
