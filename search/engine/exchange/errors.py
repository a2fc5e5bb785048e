"""What is wrong with a corpus file, said to whoever wants to load it."""


class CorpusFileError(Exception):
    """Raised by all readers: the file, the line and the reason; nothing of the file is to be kept.

    Parameters
    ----------
    name : str
        Of the file, as the user gave it.
    line : int
        1-based line of the mistake; where a file ends too early, its last line.
    reason : str
        One phrase.
    """

    def __init__(self, name: str, line: int, reason: str) -> None:
        super().__init__(f"{name}:{line}: {reason}")
        self.name = name
        self.line = line
        self.reason = reason


class BadTextError(ValueError):
    """Raised where a reason is known but not the line; readers make a CorpusFileError of it."""
