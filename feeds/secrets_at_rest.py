"""What must be told again, and not read in the database: sealed by a key that lies beside it.

Text → sealed text. Passwords of people and tokens of programs are digests and need none of this;
what we ourselves show to others (a webhook's secret, a chat's address, a site's log-in) does. The
keys are `SECRETS_KEYS`, the first of which seals and all of which open, so that one can be changed:
put the new key first, run `manage.py reseal_secrets`, take the old key away. Without the setting
the key follows from a `SECRET_KEY` of the environment, which all machines of a site share, else one
is made once and kept in the data folder. Fernet: AES-128-CBC with HMAC-SHA256.
"""

import base64
import os
from functools import lru_cache
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

KEY_FILE = "secrets_key"
_KEY_BYTES = 32  # of Fernet


class SealBrokenError(Exception):
    """Raised for a sealed text that none of the keys opens."""

    def __init__(self) -> None:
        super().__init__(
            "This secret was sealed with a key that is gone (SECRETS_KEYS, or secrets_key in the "
            "data folder): enter it anew."
        )


def seal(text: str) -> str:
    """Seal a text with the present key."""
    return _fernet().encrypt(text.encode()).decode()


def unseal(sealed: str) -> str:
    """Open a sealed text.

    Raises
    ------
    SealBrokenError
    """
    try:
        return _fernet().decrypt(sealed.encode()).decode()
    except InvalidToken:
        raise SealBrokenError from None


def reseal(sealed: str) -> str:
    """Seal a sealed text anew with the present key.

    Raises
    ------
    SealBrokenError
    """
    try:
        return _fernet().rotate(sealed.encode()).decode()
    except InvalidToken:
        raise SealBrokenError from None


def _fernet() -> MultiFernet:
    keys = list(settings.SECRETS_KEYS)
    if settings.SECRET_KEY_IS_GIVEN:
        keys.append(_derived_key(settings.SECRET_KEY))
    path = Path(settings.DATA_DIR) / KEY_FILE
    if not keys:
        _make_key(path)
    # It opens what was sealed before the environment had a key.
    keys += [path.read_text().strip()] if path.exists() else []
    return _fernet_of(tuple(keys))


@lru_cache(maxsize=4)
def _fernet_of(keys: tuple[str, ...]) -> MultiFernet:
    try:
        return MultiFernet([Fernet(key) for key in keys])
    except ValueError as error:
        raise ImproperlyConfigured(f"SECRETS_KEYS: {error}") from error


@lru_cache(maxsize=4)
def _derived_key(secret: str) -> str:
    """Make a key of the site's secret that tells nothing of it (HKDF, RFC 5869)."""
    derived = HKDF(SHA256(), _KEY_BYTES, salt=None, info=b"broadsheet secrets at rest")
    return base64.urlsafe_b64encode(derived.derive(secret.encode())).decode()


def _make_key(path: Path) -> None:
    """Make this data folder's own key, whole at once, unless another process was quicker."""
    if path.exists():
        return
    draft = path.with_name(f"{KEY_FILE}.{os.getpid()}")
    draft.touch(mode=0o600)
    draft.write_bytes(Fernet.generate_key())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
