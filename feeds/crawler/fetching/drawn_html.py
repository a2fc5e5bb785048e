"""HTML as a browser drew it, with the place of each element in an attribute of our own.

The archive keeps it so; whoever reads a page gets it without, as its scripts have made it.
"""

import re

# "left top width height", whole pixels of the document, from its upper left corner.
BOX_ATTRIBUTE = "data-broadsheet-box"
_BOX = re.compile(rb' data-broadsheet-box="[-0-9 ]*"')


def without_boxes(html: bytes) -> bytes:
    """Take the places of elements out; what has none stays as it is."""
    return _BOX.sub(b"", html)
