"""Secrets that must be shown again to others, such as passwords at newspapers: sealed at rest.

Fernet (AES-128 in CBC mode with HMAC-SHA256, of the `cryptography` package). The first key of
`SECRETS_KEYS` seals, all of them open; without any a key is derived from the secret key of the
site. Rotation: put a new key first, run `manage.py rotate_secrets`, then take the old one away.
"""

import base64
import hashlib
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

_CONTEXT = b"broadsheet secrets at rest"


class SecretLostError(ValueError):
    """A sealed text that none of the present keys opens."""


def seal(text: str) -> str:
    """Encrypt a text under the first key."""
    return _keys(tuple(settings.SECRETS_KEYS), settings.SECRET_KEY).encrypt(text.encode()).decode()


def unseal(sealed: str) -> str:
    """Give the text back; raises `SecretLostError` where its key is gone or it was changed."""
    try:
        return _keys(tuple(settings.SECRETS_KEYS), settings.SECRET_KEY).decrypt(sealed).decode()
    except InvalidToken:
        raise SecretLostError("No key of this installation opens the secret.") from None


def reseal(sealed: str) -> str:
    """Encrypt under the first key what another one has sealed."""
    return seal(unseal(sealed))


@lru_cache(maxsize=4)
def _keys(named: tuple[str, ...], site_key: str) -> MultiFernet:
    """Make the keys of each name; a passphrase of any length becomes a key (SHA-256)."""
    texts = [*named, site_key]
    return MultiFernet([Fernet(_key_of(text)) for text in texts])


def _key_of(text: str) -> bytes:
    digest = hashlib.sha256(_CONTEXT + b"\0" + text.encode()).digest()
    return base64.urlsafe_b64encode(digest)
