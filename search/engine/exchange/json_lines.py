"""JSONL: a text a line, as an object with its columns and its sentences of tokens.

Input → output: ``{"id": …, "publication": …, …, "sentences": [[["It", "it", "PRP"], …], …]}`` ↔
texts. A token is a list of word, lemma and tag, with a fourth member where white space is known:
true if it stood before the token. On reading lemma and tag may be missing, a token may be a plain
string, or an object with the keys ``word``, ``lemma``, ``pos`` and ``space_before``.

The format holds everything. Other keys are passed over and named in the report.

References
----------
RFC 8259 for a line; jsonlines.org for the lines.
"""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import Any

from search.engine.exchange.errors import BadTextError, CorpusFileError
from search.engine.exchange.source import Source, numbered_lines
from search.engine.exchange.texts import (
    COLUMN_NAMES,
    COLUMNS,
    CorpusText,
    ReadingReport,
    Token,
    attributes_of,
    checked_token,
    columns_of,
)

MAX_LINE_BYTES = 1 << 29  # a line is a whole text
SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
SENTENCES = "sentences"
TOKEN_MEMBERS = (*COLUMNS, "space_before")


def read_json_lines(source: Source, report: ReadingReport) -> Iterator[CorpusText]:
    """Read a file text by text; empty lines are passed over.

    Raises
    ------
    CorpusFileError
    """
    known: dict[Token, Token] = {}
    for number, line in numbered_lines(source, MAX_LINE_BYTES):
        if not line.strip():
            continue
        try:
            yield _read_text(line, known, report)
        except BadTextError as error:
            raise CorpusFileError(source.name, number, str(error)) from error


def _read_text(line: str, known: dict[Token, Token], report: ReadingReport) -> CorpusText:
    record = _read_object(line)
    sentences = record.pop(SENTENCES, None)
    if not isinstance(sentences, list) or not all(isinstance(s, list) for s in sentences):
        raise BadTextError("“sentences” is not a list of lists of tokens")
    attributes = {name: _column(name, value) for name, value in record.items() if value is not None}
    members = [_members(token) for token in chain.from_iterable(sentences)]
    tokens = [_token(member, known, report) for member in members]
    edges = [0]
    for sentence in sentences:
        edges.append(edges[-1] + len(sentence))
    return CorpusText(
        columns=columns_of(attributes, report),
        tokens=tokens,
        sentence_starts=[start for start, end in pairwise(edges) if end > start],
        space_before=_spaces([member[3] for member in members]),
    )


def _read_object(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadTextError(f"not JSON: {error.msg} at character {error.pos + 1}") from error
    except RecursionError as error:
        raise BadTextError("not JSON that can be read: too deep") from error
    except ValueError as error:  # a number of more than 4,300 digits
        raise BadTextError("not JSON that can be read: a number of too many digits") from error
    if not isinstance(record, dict):
        raise BadTextError("not a JSON object ({…})")
    if SURROGATE.search(line):
        _check_characters(record)
    return record


def _check_characters(record: dict[str, Any]) -> None:
    """Refuse half a pair of surrogates, which only escapes can bring."""
    try:
        json.dumps(record, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise BadTextError("half of a surrogate pair, which is no character") from error


def _column(name: str, value: Any) -> str:
    """Return a column as a string; other columns may be anything and are not kept."""
    if isinstance(value, str):
        return value
    if name in COLUMN_NAMES and not isinstance(value, int):
        raise BadTextError(f"“{name}” is not a string")
    return str(value)


def _members(token: Any) -> list[Any]:
    """Return word, lemma, tag and space of a token, None for those it does not have."""
    if isinstance(token, list):
        if len(token) == len(TOKEN_MEMBERS):
            return token
        if 0 < len(token) < len(TOKEN_MEMBERS):
            return [*token, None, None, None][: len(TOKEN_MEMBERS)]
    if isinstance(token, str):
        return [token, None, None, None]
    if isinstance(token, dict):
        return [token.get(name) for name in TOKEN_MEMBERS]
    raise BadTextError(f'a token is not like ["word", "lemma", "tag"]: {str(token)[:60]}')


def _token(member: list[Any], known: dict[Token, Token], report: ReadingReport) -> Token:
    """Return the token; equal ones are one object."""
    token = (member[0] or "", member[1] or "", member[2] or "")
    found = known.get(token) if all(type(value) is str for value in token) else None
    if found is None:
        if not all(isinstance(value, str) for value in token):
            raise BadTextError(f"word, lemma and tag are not strings: {str(member[:3])[:60]}")
        found = known[token] = checked_token(token, report)
    return found


def _spaces(values: list[Any]) -> list[bool] | None:
    if all(value is None for value in values):
        return None
    if not all(isinstance(value, bool) for value in values):
        raise BadTextError("white space is not true or false for every token, or for none")
    return [False, *values[1:]]


def write_json_lines(texts: Iterable[CorpusText]) -> Iterator[str]:
    """Write a line for each text."""
    for text in texts:
        spaces = text.space_before
        tokens: list[list[Any]] = [list(token) for token in text.tokens]
        if spaces is not None:
            tokens = [[*token, bool(space)] for token, space in zip(tokens, spaces, strict=True)]
        record: dict[str, Any] = dict(attributes_of(text.columns))
        record[SENTENCES] = [tokens[start:end] for start, end in text.sentences]
        yield json.dumps(record, ensure_ascii=False) + "\n"
