"""What can be wrong with a request to the program: raised by reading it, told in its answer."""


class RequestError(Exception):
    """Raised by reading a request; the answer carries its message.

    Parameters
    ----------
    message : str
        One sentence.
    position : int or None
        0-based character (or byte, in a line that is not UTF-8) it is about.
    """

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.position = position


class CommandError(Exception):
    """Raised by commands that cannot be carried out; the program ends with its message."""
