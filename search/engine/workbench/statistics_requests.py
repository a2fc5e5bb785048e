"""How to count: what a request says of frequencies, collocates and trend.

Input → output: the fields of a request → ``StatisticsRequest``. A module of its own, since whoever
asks a new process for lines alone is answered sooner without the statistics.
"""

from dataclasses import dataclass

from search.engine.statistics.collocation.association import MEASURES
from search.engine.statistics.collocation.collocates import ATTRIBUTES as COLLOCATE_ATTRIBUTES
from search.engine.statistics.collocation.collocates import CollocateRequest
from search.engine.statistics.counting.attribute_values import ATTRIBUTES
from search.engine.statistics.counting.hit_values import Key, parse_key
from search.engine.statistics.counting.periods import Unit
from search.engine.statistics.counting.windows import FARTHEST, Window
from search.engine.statistics.frequency import MOST_KEYS, FrequencyOrder, RowsWanted
from search.engine.workbench.errors import RequestError
from search.engine.workbench.fields import Fields

MAX_ROWS = 1_000_000
DEFAULT_ROWS = 50
DEFAULT_WINDOW = "5,5"
NODE = "node"


@dataclass(frozen=True, slots=True)
class FrequencyRequest:
    """Count the hits by up to three keys, see `search.engine.statistics.counting.hit_values`."""

    keys: tuple[Key, ...]
    wanted: RowsWanted


@dataclass(frozen=True, slots=True)
class StatisticsRequest:
    """How to count by values, in windows and over time."""

    frequency: FrequencyRequest
    collocates: CollocateRequest
    unit: Unit


def read_statistics(fields: Fields) -> StatisticsRequest:
    """Read ``freq``, ``colloc`` and ``trend``.

    Raises
    ------
    RequestError
    """
    return StatisticsRequest(
        frequency=_frequency(fields.inner("freq")),
        collocates=_collocates(fields.inner("colloc")),
        unit=_unit(fields.inner("trend")),
    )


def _frequency(fields: Fields) -> FrequencyRequest:
    """Read ``{"by": "lemma", "slot": "r1"}``; ``by`` may be a list and hold places itself."""
    slot = fields.text("slot", NODE)
    names = fields.texts("by") or ("word",)
    if len(names) > MOST_KEYS:
        raise RequestError(f"“freq.by” names more than {MOST_KEYS} things to count by.")
    request = FrequencyRequest(
        keys=tuple(_key(name, slot) for name in names),
        wanted=RowsWanted(
            limit=fields.whole("limit", DEFAULT_ROWS, most=MAX_ROWS),
            order=FrequencyOrder(
                fields.choice("order", tuple(FrequencyOrder), FrequencyOrder.HITS)
            ),
            least=fields.whole("min", 1),
            with_texts=fields.flag("with_texts"),
        ),
    )
    fields.finish()
    return request


def _key(name: str, slot: str) -> Key:
    text = f"{slot}.{name}" if slot != NODE and name in ATTRIBUTES else name
    try:
        return parse_key(text)
    except ValueError as error:
        raise RequestError(f"“freq”: {error}") from None


def _collocates(fields: Fields) -> CollocateRequest:
    """Read ``{"by": "lemma", "window": "5,5", "measure": "ll"}``; a window is also a number."""
    request = CollocateRequest(
        attribute=fields.choice("by", COLLOCATE_ATTRIBUTES, "lemma"),
        window=_window(fields),
        measure=fields.choice("measure", tuple(MEASURES), "ll"),
        least=fields.whole("min", CollocateRequest().least),
        limit=fields.whole("limit", DEFAULT_ROWS, most=MAX_ROWS),
        with_punctuation=fields.flag("with_punctuation"),
    )
    fields.finish()
    return request


def _window(fields: Fields) -> Window:
    try:
        if fields.is_number("window"):
            side = fields.whole("window", 0, 1, FARTHEST)
            return Window.around(side, side)
        return Window.parse(fields.text("window", DEFAULT_WINDOW))
    except ValueError as error:
        raise RequestError(f"“colloc.window”: {error}") from None


def _unit(fields: Fields) -> Unit:
    unit = Unit(fields.choice("by", tuple(Unit), Unit.MONTH))
    fields.finish()
    return unit
