"""What must be told again, and not read in the database: sealed by a key that lies beside it.

Text → sealed text. Passwords of people and tokens of programs are digests and need none of this;
what we ourselves show to others (a webhook's secret, a chat's address, a site's log-in) does. The
keys are `SECRETS_KEYS`, the first of which seals and all of which open, so that one can be changed:
put the new key first, run `manage.py reseal_secrets`, take the old key away. Without the setting a
key is made once and kept in the data folder. Fernet: AES-128-CBC with HMAC-SHA256.
"""

import os
from functools import lru_cache
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

KEY_FILE = "secrets_key"


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
    return _fernet_of(tuple(settings.SECRETS_KEYS), Path(settings.DATA_DIR))


@lru_cache(maxsize=4)
def _fernet_of(keys: tuple[str, ...], folder: Path) -> MultiFernet:
    try:
        return MultiFernet([Fernet(key) for key in keys or (_kept_key(folder / KEY_FILE),)])
    except ValueError as error:
        raise ImproperlyConfigured(f"SECRETS_KEYS: {error}") from error


def _kept_key(path: Path) -> str:
    """Read this data folder's own key; the first who needs one makes it, whole at once."""
    if not path.exists():
        draft = path.with_name(f"{KEY_FILE}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_bytes(Fernet.generate_key())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # another process was quicker
        finally:
            draft.unlink()
    return path.read_text().strip()
