"""The way that the planner chose for a pattern, as `explain` says it."""

from dataclasses import dataclass
from enum import StrEnum

from search.engine.query.ast import Token
from search.engine.query.conditions.token_conditions import TokenCondition
from search.engine.query.language.to_cql import token_to_cql


class Way(StrEnum):
    """What is gone through to find the hits."""

    POSTINGS = "postings"  # of one token: nothing else is touched
    COUNTED_ROW = "counted row"  # all tokens of a row compared, without positions
    SCANNED_ROW = "scanned row"  # the same with edges or other conditions on the match
    RAREST_OF_ROW = "rarest token of a row"
    TWO_ROWS = "two rows with a gap"
    EQUAL_TOKENS = "lists of two tokens"
    MEET = "meet and union"
    TABLE = "table of tokens"
    REGIONS = "regions"
    LONGEST_ROWS = "longest rows"  # of one token
    FILLED_REGIONS = "regions filled from begin to end"
    STEP_BY_STEP = "step by step"  # as CQP does it
    FIRST_TOKENS = "automaton from its first tokens"
    FIRST_TAGS = "automaton from the tags of its first tokens"
    OPENINGS = "automaton from begins of regions"
    BACK_FROM_RARER = "automaton from a rarer token"
    NOTHING = "nothing"  # the pattern contradicts itself


@dataclass(frozen=True, slots=True)
class ChosenWay:
    """How a pattern is run.

    Attributes
    ----------
    way
        What is gone through.
    why
        A sentence.
    n_places
        Positions or regions of the whole corpus that are looked at first, at most.
    token
        In CQL the token that is looked up; empty where there is none.
    """

    way: Way
    why: str
    n_places: int
    token: str = ""

    def __str__(self) -> str:
        token = f" {self.token}" if self.token else ""
        places = "1 place" if self.n_places == 1 else f"{self.n_places:,} places"
        return f"{self.way.value}{token}, {places}: {self.why}"


def token_of(condition: TokenCondition) -> str:
    """Write a compiled condition as a token in CQL."""
    return token_to_cql(Token(condition.condition))
