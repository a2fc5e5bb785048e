"""Text for XML: what it cannot hold becomes a space."""

import re

# XML 1.0, production 2; a text may have any of them.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def clean(text: str) -> str:
    return _NOT_XML.sub(" ", text)
