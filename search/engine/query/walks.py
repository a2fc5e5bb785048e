"""Walks over a pattern, whatever it is made of: its items, its tokens, how long its matches are."""

from search.engine.query.ast import Alternatives, Edge, Pattern, Region, Repetition, Sequence, Token

# The least and the greatest number of tokens of a match; None for no limit.
Lengths = tuple[int, int | None]


def length_range(pattern: Pattern) -> Lengths:  # noqa: PLR0911 (one case per kind of node)
    """Return the least and the greatest number of tokens of a match; None for no limit."""
    match pattern:
        case Edge():
            return 0, 0
        case Token(is_ahead=True):
            return 0, 0
        case Region(is_empty=is_empty):
            return (0, 0) if is_empty else (1, None)
        case Sequence(items):
            ranges = [length_range(item) for item in items]
            most = [high for _, high in ranges if high is not None]
            total = sum(most) if len(most) == len(ranges) else None
            return sum(low for low, _ in ranges), total
        case Alternatives(choices):
            ranges = [length_range(choice) for choice in choices]
            most = [high for _, high in ranges if high is not None]
            return min(low for low, _ in ranges), max(most) if len(most) == len(ranges) else None
        case Repetition():
            low, high = length_range(pattern.inner)
            if high != 0:
                high = None if high is None or pattern.most is None else high * pattern.most
            return low * pattern.least, high
        case _:
            return 1, 1


def flat_items(pattern: Pattern) -> list[Pattern]:
    """Return the items of a sequence, with sequences inside it opened up."""
    if not isinstance(pattern, Sequence):
        return [pattern]
    return [inner for item in pattern.items for inner in flat_items(item)]


def tokens_of(pattern: Pattern) -> list[Token]:
    """Return the tokens of a pattern in the order of the text."""
    match pattern:
        case Token():
            return [pattern]
        case Sequence(items) | Alternatives(items):
            return [token for item in items for token in tokens_of(item)]
        case Repetition():
            return tokens_of(pattern.inner)
        case _:
            return []
