"""What is wrong with a query, said to its author: where, what, and what was expected."""


class QueryError(Exception):
    """Raised by parsing and planning; views show it at the query field.

    Parameters
    ----------
    message : str
        One sentence for the author of the query.
    position : int
        0-based number of the character the message is about.
    expected : tuple of str
        What could stand there instead, in words; may be empty.

    Attributes
    ----------
    suggestion : str
        A query near the one given that can be read; empty if none was found.
    """

    def __init__(self, message: str, position: int = 0, expected: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
        self.expected = expected
        self.suggestion = ""


class QueryTooExpensiveError(QueryError):
    """Raised while a query runs when it would cost more than its limit; views offer ways out."""


class QueryCancelledError(Exception):
    """Raised while a query runs when its caller has asked it to stop."""
