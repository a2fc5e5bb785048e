"""Questions and answers over two streams: a JSON object a line in, one a line out, in order.

A line that cannot be answered is answered by its fault and never ends the conversation.
"""

import json
import sys
import time
import traceback
from collections.abc import Iterator
from typing import BinaryIO

from search.engine.concordance.sorting import TooManyHitsError
from search.engine.index.errors import CorpusIndexError
from search.engine.query.errors import QueryError
from search.engine.workbench.answers import answer
from search.engine.workbench.corpus import Corpus
from search.engine.workbench.errors import RequestError
from search.engine.workbench.fields import MAX_REQUEST_BYTES
from search.engine.workbench.requests import read_request
from search.engine.workbench.written_values import Answer


def converse(corpus: Corpus, questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer lines until there are no more; each answer is sent off at once."""
    for line in _lines(questions):
        answers.write(_answer_line(corpus, line.rstrip(b"\r\n")))
        answers.flush()


def _lines(questions: BinaryIO) -> Iterator[bytes]:
    """Yield lines; of one that is too long only the beginning, one byte over the limit."""
    while line := questions.readline(MAX_REQUEST_BYTES + 1):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = questions.readline(MAX_REQUEST_BYTES)
        yield line


def _answer_line(corpus: Corpus, line: bytes) -> bytes:
    """Answer a question, or say what is wrong with it."""
    started = time.perf_counter()
    mark: Answer = {}
    try:
        request = read_request(line)
        mark = {} if request.mark is None else {"id": request.mark}
        corpus.refresh()
        return _written(mark | answer(corpus, request), started)
    except Exception as error:  # noqa: BLE001 (one question must not take the others with it)
        return _written(mark | _fault(error), started)


def _written(given: Answer, started: float) -> bytes:
    timed = given | {"ms": round(1000 * (time.perf_counter() - started), 3)}
    return json.dumps(timed, ensure_ascii=False).encode(errors="replace") + b"\n"


def _fault(error: Exception) -> Answer:
    match error:
        case RequestError():
            return {"error": error.message, "position": error.position}
        case QueryError():
            return {
                "error": error.message,
                "position": error.position,
                "expected": list(error.expected),
                "suggestion": error.suggestion,
            }
        case TooManyHitsError():
            message = f"{error.n_hits} hits are too many to sort; sort by new, old or a sample."
            return {"error": message, "position": None}
        case CorpusIndexError():
            return {"error": f"The index cannot be read: {error}.", "position": None}
        case _:
            traceback.print_exception(error, file=sys.stderr)
            return {"error": f"Something went wrong: {error!r}.", "position": None}
