"""Forms on their way, known to all web processes: a row for each, whose digest only one can write.

Who wrote it works on the form and leaves its answer, sealed by what was sent: a row alone tells
nobody what a form or its answer held. A row of a process that died is free after a while, and the
sweep removes what nobody waits for any more.
"""

import json
from base64 import b64decode, b64encode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from http import HTTPStatus

from cryptography.fernet import Fernet
from django.db import IntegrityError, transaction
from django.http import HttpResponse

from corpus_site.accounts.models import SentForm

# As long as a question may wait for its turn and work.
WORKED_ON = timedelta(seconds=20)
# From the answer on: two clicks are half a second apart, and a page must load before a third.
KEPT = timedelta(seconds=2)
# The same of what has a file: a view writes 1 GB to its folder, and the second copy takes as long
# on its way as the first, where a proxy reads it whole. Faults are forgotten as those of others.
WORKED_ON_WITH_FILE = KEPT_WITH_FILE = timedelta(minutes=1)
FORGOTTEN_AFTER = timedelta(minutes=1)
# Nearly all lead to another page; a page of a form's faults has some 50 kB.
MOST_ANSWER_BYTES = 500_000


@dataclass(frozen=True, slots=True)
class FormKey:
    """A form as it was shown to a person and sent: the row's digest, and what seals its answer."""

    digest: str
    seal: bytes
    has_file: bool = False

    @classmethod
    def of(cls, said: bytes, *, has_file: bool = False) -> "FormKey":
        """Make the key of all that tells a form from others, a secret of the page among it."""
        digest = blake2b(said, digest_size=16, person=b"digest").hexdigest()
        return cls(digest, blake2b(said, digest_size=32, person=b"seal").digest(), has_file)

    @property
    def worked_on(self) -> timedelta:
        """How long who took the form may work on it."""
        return WORKED_ON_WITH_FILE if self.has_file else WORKED_ON

    def kept(self, answer: HttpResponse) -> timedelta:
        """How long an answer is kept for who sends the form again."""
        has_begun = self.has_file and answer.status_code == HTTPStatus.FOUND
        return KEPT_WITH_FILE if has_begun else KEPT


def take(key: FormKey, now: datetime) -> bool:
    """Take a form to work on; False where another does, or has done it a moment ago."""
    until = now + key.worked_on
    try:
        with transaction.atomic():
            SentForm.objects.create(digest=key.digest, until=until)
    except IntegrityError:
        free = SentForm.objects.filter(digest=key.digest, until__lt=now)
        return bool(free.update(until=until, answer=None))
    return True


def leave(key: FormKey, answer: HttpResponse | None, now: datetime) -> None:
    """Leave the answer to a form for who sent it again; None lets it be worked on again."""
    sealed = _sealed(key, answer) if answer is not None else None
    until = now + key.kept(answer) if answer is not None and sealed else now
    SentForm.objects.filter(digest=key.digest).update(answer=sealed, until=until)


def answer_of(key: FormKey, now: datetime) -> tuple[bool, HttpResponse | None]:
    """Look whether a form is still worked on, and for its answer; False, None where it is free."""
    row = SentForm.objects.filter(digest=key.digest).first()
    if row is None or row.until < now:
        return False, None
    if row.answer is None:
        return True, None
    return False, _opened(key, bytes(row.answer))


def forget(now: datetime) -> None:
    """Remove forms that nobody waits for any more."""
    SentForm.objects.filter(until__lt=now - FORGOTTEN_AFTER).delete()


def _fernet(key: FormKey) -> Fernet:
    return Fernet(urlsafe_b64encode(key.seal))


def _sealed(key: FormKey, answer: HttpResponse) -> bytes | None:
    if len(answer.content) > MOST_ANSWER_BYTES:
        return None
    said = {
        "status": answer.status_code,
        "headers": list(answer.items()),
        "cookies": [cookie.OutputString() for cookie in answer.cookies.values()],
        "content": b64encode(answer.content).decode(),
    }
    return _fernet(key).encrypt(json.dumps(said).encode())


def _opened(key: FormKey, sealed: bytes) -> HttpResponse:
    said = json.loads(_fernet(key).decrypt(sealed))
    made = HttpResponse(
        b64decode(said["content"]), status=said["status"], headers=dict(said["headers"])
    )
    for cookie in said["cookies"]:
        made.cookies.load(cookie)
    return made
