"""Log lines without a stack trace, for what is refused and not broken.

Scanners ask any machine under any name; forty lines for each would bury what matters.
"""

import logging


class WithoutTrace(logging.Filter):
    """Keep the sentence and drop the trace."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = None
        record.exc_text = None
        return True
