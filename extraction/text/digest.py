"""Exact reposts: a text → a 128-bit digest that copies share whatever their quotes and case.

It decides whether a text has changed, and which articles are the same text.
"""

import hashlib

from extraction.text.comparable import comparable

DIGEST_BYTES = 16  # 128 bits: equal digests are equal texts


def text_digest(text: str) -> str:
    r"""Digest of a normalised text.

    Parameters
    ----------
    text
        A text in stored form (`normalize.normalize_text`).

    Returns
    -------
    str
        BLAKE2b (RFC 7693) of 128 bits, as 32 hexadecimal digits, over the UTF-8 bytes of the text
        after NFKC, case folding, one kind of quotes and single spaces. The empty string for a text
        of white space only: empty texts are not copies of each other.

    Examples
    --------
    >>> text_digest("“Maas”  is sour") == text_digest('"maas" is\nsour')
    True
    """
    normalized = comparable(text)
    if not normalized:
        return ""
    body = normalized.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(body, digest_size=DIGEST_BYTES).hexdigest()
