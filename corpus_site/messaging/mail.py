"""Messages by e-mail: HTML and text, one click to end them, the same Message-ID at each try.

Unsubscribing by one click: RFC 8058, RFC 2369. Automatic mail says so (RFC 3834), so that nobody's
absence note answers it.
"""

import hashlib
import smtplib
import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import Self
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend

from corpus_site.accounts.mails import can_send
from corpus_site.messaging.addresses import unsubscribe_address
from corpus_site.messaging.attempts import Attempt
from corpus_site.messaging.content import Content
from corpus_site.messaging.models import Message

NO_SERVER = (
    "No mail can leave: this site knows no mail server. "
    "An admin sets EMAIL_URL, as docs/running.md says."
)
_TAKEN = 250
_PERMANENT = 500  # SMTP: from here on the server has said no for good (RFC 5321, 4.2.1)
_SENTENCE_CHARS = 300


def message_id(key: str) -> str:
    """Return the Message-ID of a message: the same at each try, and told apart from other sites."""
    digest = hashlib.sha256(f"{settings.SITE_URL} {key}".encode()).hexdigest()[:32]
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    return f"<{digest}@{host}>"


def to_mail(message: Message, connection: BaseEmailBackend | None = None) -> EmailMultiAlternatives:
    """Make the mail of a message."""
    content = Content.of(message.content)
    end = unsubscribe_address(message)
    mail = EmailMultiAlternatives(
        subject=" ".join(content.title.split()),
        body=f"{content.text()}\nTell me of this no more: {end}\n",
        from_email=settings.DEFAULT_FROM_EMAIL,
        to=[message.channel.address],
        connection=connection,
        headers={
            "Message-ID": message_id(message.key),
            "List-Unsubscribe": f"<{end}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    mail.attach_alternative(content.html(end), "text/html")
    return mail


class MailCarrier:
    """Hands mails over, a batch on one connection; use it as a context manager."""

    def __init__(self) -> None:
        self._connection: BaseEmailBackend | None = None
        self._trouble: Attempt | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._connection is not None:
            self._connection.close()

    def send(self, message: Message) -> Attempt:
        """Hand one mail over; once the server is found away nobody waits for it again."""
        if self._trouble is not None:
            return self._trouble
        begun = time.monotonic()
        attempt = self._send(message)
        if attempt.is_ours:
            self._trouble = attempt
        elapsed = round((time.monotonic() - begun) * 1000)
        return replace(attempt, elapsed_ms=elapsed)

    def _send(self, message: Message) -> Attempt:
        if not can_send():
            return Attempt(NO_SERVER, is_ours=True)
        try:
            if self._connection is None:
                self._connection = _opened()
        except (OSError, smtplib.SMTPException) as error:
            return Attempt(_said(error), _code(error), is_ours=True)
        try:
            to_mail(message, self._connection).send()
        except (OSError, smtplib.SMTPException) as error:
            return self._refused(error)
        except ValueError as error:  # a header that cannot be written
            return Attempt(_cut(str(error)), is_final=True)
        server = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
        sentence = f"The mail server {server} has taken it for {message.channel.address}."
        return Attempt(_cut(sentence), _TAKEN, is_taken=True)

    def _refused(self, error: Exception) -> Attempt:
        """Judge what the server said; a connection that has broken is opened anew next time."""
        code = _code(error)
        if isinstance(error, smtplib.SMTPRecipientsRefused):
            code, words = next(iter(error.recipients.values()))
            said = words.decode(errors="replace") if isinstance(words, bytes) else str(words)
            sentence = _cut(f"The mail server refuses this address: {code} {said}")
            return Attempt(sentence, code, is_final=code >= _PERMANENT)
        is_broken = code is None
        if is_broken:
            self._connection = None
        return Attempt(_said(error), code, is_ours=is_broken)


def _opened() -> BaseEmailBackend:
    """Connect to the mail server; a connection whose log-in is refused is not left open."""
    with ExitStack() as left:
        connection = get_connection()
        left.callback(_close, connection)
        connection.open()
        left.pop_all()
    return connection


def _close(connection: BaseEmailBackend) -> None:
    with suppress(OSError, smtplib.SMTPException):
        connection.close()


def _code(error: Exception) -> int | None:
    return error.smtp_code if isinstance(error, smtplib.SMTPResponseException) else None


def _said(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        words = error.smtp_error
        said = words.decode(errors="replace") if isinstance(words, bytes) else str(words)
        return _cut(f"The mail server says {error.smtp_code} {said}")
    server = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    return _cut(f"The mail server {server} cannot be used: {error or type(error).__name__}.")


def _cut(sentence: str) -> str:
    return " ".join(sentence.split())[:_SENTENCE_CHARS]
