"""Exact reposts: a body → a 128-bit digest.

Two copies share it whatever their quotes, case and white space. It comes before any comparison of
sentences (ALG-5, step 8) and needs no candidate search.
"""

import hashlib

from dedup.similarity.sentences import normalize_sentence

DIGEST_BYTES = 16


def text_digest(text: str) -> str:
    """Digest of the normalised body.

    Returns
    -------
    str
        BLAKE2b (RFC 7693) of 128 bits over the UTF-8 bytes of `normalize_sentence` of the whole
        text, as 32 hexadecimal digits; the empty string for a text of white space only, since empty
        texts are not copies of each other.
    """
    normalized = normalize_sentence(text)
    if not normalized:
        return ""
    body = normalized.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(body, digest_size=DIGEST_BYTES).hexdigest()
