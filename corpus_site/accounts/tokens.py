"""Tokens of the API: made once, shown once, known by their digest alone.

A token has 256 random bits, so that a plain digest keeps it as safe as a slow one would.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Q

from corpus_site.accounts.models import ApiToken, User

MARK = "bs_"  # lets a token be told from other secrets where one was left by mistake
MOST_TOKENS = 20  # of one person; who needs more has forgotten some
# Writing each use would make every question of a program a write.
USE_WRITTEN_AFTER = timedelta(minutes=1)
_RANDOM_BYTES = 32  # 256 bits: nobody guesses one, so no slow hash is needed
_PREFIX_CHARS = 9  # enough to tell one's own tokens apart in a list
_TOKEN = re.compile(re.escape(MARK) + r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class NewToken:
    """A row and the token itself, which nobody can read again."""

    row: ApiToken
    text: str


class TokenFault(StrEnum):
    """Why a token opens nothing; told to whoever shows it."""

    MALFORMED = "malformed"
    UNKNOWN = "unknown"
    EXPIRED = "expired"
    INACTIVE = "inactive"


def make_token(wanted: ApiToken, now: datetime) -> NewToken:
    """Give a row with owner, name, scope and end its token, and store it."""
    text = MARK + secrets.token_urlsafe(_RANDOM_BYTES)
    wanted.digest, wanted.prefix, wanted.created_at = _digest(text), text[:_PREFIX_CHARS], now
    wanted.save()
    return NewToken(wanted, text)


def find_token(text: str, now: datetime) -> ApiToken | TokenFault:
    """Find the row of a token that may be used, or say why there is none."""
    if not _TOKEN.fullmatch(text):
        return TokenFault.MALFORMED
    token = ApiToken.objects.select_related("owner").filter(digest=_digest(text)).first()
    if token is None:
        return TokenFault.UNKNOWN
    if token.expires_at <= now:
        return TokenFault.EXPIRED
    return token if token.owner.is_active else TokenFault.INACTIVE


def note_use(token: ApiToken, now: datetime) -> None:
    """Write when a token was last used, at most once a minute."""
    if token.last_used_at is not None and now - token.last_used_at < USE_WRITTEN_AFTER:
        return
    long_ago = Q(last_used_at=None) | Q(last_used_at__lte=now - USE_WRITTEN_AFTER)
    ApiToken.objects.filter(long_ago, pk=token.pk).update(last_used_at=now)


def revoke_token(owner: User, pk: int) -> ApiToken | None:
    """Take a token of a person away; None if it is none of theirs."""
    token = ApiToken.objects.filter(owner=owner, pk=pk).first()
    if token is not None:
        ApiToken.objects.filter(pk=token.pk).delete()
    return token


class TokensEnd:
    """Django asks it as a rule of passwords: it refuses none, and hears of every changed one.

    Of one that is only hashed anew at a sign-in Django says nothing.
    """

    def validate(self, password: str, user: User | None = None) -> None:
        """Accept it."""

    def password_changed(self, password: str, user: User) -> None:
        """End the tokens that the owner of the former password has made."""
        del password
        ApiToken.objects.filter(owner=user).delete()

    def get_help_text(self) -> str:
        return "Tokens of the API that were made before end with the new password."


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
