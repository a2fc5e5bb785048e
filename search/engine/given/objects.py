"""JSONL: an object a line, with running text under a key, or sentences of tokens as exported here.

Keys are understood as the columns of a table are. RFC 8259; jsonlines.org.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from search.engine.given.columns import TEXT, field_of, note, own_values, text_of
from search.engine.given.lines import Line
from search.engine.given.texts import GivenText, Problem, Understood
from search.engine.index.lexicon.spacing import guess_spaces

SENTENCES = "sentences"  # of files in the form of `search.engine.exchange.json_lines`
_IS_SPACED = 3  # its place in a token there
_MAX_KEYS = 10_000  # that are remembered: each line may have others


def read_objects(
    lines: Iterable[Line], chosen: Mapping[str, str], told: Understood
) -> Iterator[GivenText | Problem]:
    """Read a text a line; empty lines are passed over."""
    known: dict[str, str] = {}
    for number, line in lines:
        if isinstance(line, Problem):
            yield line
        elif line.strip():
            yield _read(line, number, known, chosen, told)


def _read(
    line: str,
    number: int,
    known: dict[str, str],
    chosen: Mapping[str, str],
    told: Understood,
) -> GivenText | Problem:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        return Problem(number, f"not JSON: {error.msg} at character {error.pos + 1}")
    except (RecursionError, ValueError):  # too deep; a number of more than 4,300 digits
        return Problem(number, "not JSON that can be read")
    if not isinstance(record, dict):
        return Problem(number, "not a JSON object ({…})")
    values: dict[str, Any] = {}
    for key, value in record.items():
        if key not in known:
            if len(known) >= _MAX_KEYS:
                known.clear()
            known[key] = field_of(key, chosen)
            note(told, key, TEXT if key == SENTENCES else known[key])
        if known[key] and value not in (None, ""):
            values.setdefault(known[key], value)
    if TEXT not in values and isinstance(record.get(SENTENCES), list):
        values[TEXT] = _running(record[SENTENCES])
    if not isinstance(values.get(TEXT), str) or not values[TEXT].strip():
        return Problem(number, "the object has no text: a string under “text”, “body” or “content”")
    others = ((key, value) for key, value in record.items() if not known.get(key))
    return text_of(values, number, own_values(others, told))


def _running(sentences: list[Any]) -> str:
    """Put the tokens of sentences together, with the white space that is said or guessed."""
    tokens = list(chain.from_iterable(one for one in sentences if isinstance(one, list)))
    words = [str(one[0] if isinstance(one, list) and one else one) for one in tokens]
    if all(isinstance(one, list) and len(one) > _IS_SPACED for one in tokens):
        spaces = [bool(one[_IS_SPACED]) for one in tokens]
    else:
        spaces = guess_spaces(words)
    return "".join(f" {word}" if space else word for word, space in zip(words, spaces, strict=True))
