"""What can go wrong in the index, and who deals with it."""


class CorpusIndexError(Exception):
    """Parent of all errors of this package; never raised itself."""


class IndexLockedError(CorpusIndexError):
    """Raised by the writer when another process holds the index; the caller tries again later."""


class DamagedFileError(CorpusIndexError):
    """Raised on reading a file that is cut short or altered; the reader leaves that segment out.

    Parameters
    ----------
    name : str
        File name inside the index folder.
    reason : str
        What is wrong with it, for an administrator.
    """

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason


class TokenLineError(CorpusIndexError):
    """Raised on reading a vertical file; the caller shows it and imports nothing.

    Parameters
    ----------
    line : int
        Number of the line in its file, from 1.
    reason : str
        What is wrong with it.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class TooManyTagsError(TokenLineError):
    """Raised by the writer when a document would need a tag number above what a column holds.

    Of a vertical file ``line`` is that of the text's tag; otherwise it is 0.
    """
