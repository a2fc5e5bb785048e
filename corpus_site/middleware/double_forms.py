"""A form that is sent twice, by a double click, is worked on once; both times it has one answer.

Django's token is drawn anew for each page, so the same bytes with the same token come from the same
form as it was shown. Forms that are sent in parts of a page (htmx) may be sent again as they are.
Whichever web process a form reaches, of whichever machine, the database says who works on it.

Browsers draw the boundary of an upload anew each time, so its fields are compared, and digests of
its files, which are made while these are read on their way to the disk.
"""

import json
import time
from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from corpus_site.accounts import sent_forms
from corpus_site.accounts.sent_forms import FormKey

# How often the answer to a form is looked for that another thread or process works on.
LOOK_SECONDS = 0.1
_FORM = "application/x-www-form-urlencoded"
_UPLOAD = "multipart/form-data"


class DoubleFormsMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        key = _key(request)
        if key is None:
            return self._get_response(request)
        if not sent_forms.take(key, timezone.now()):
            answer_of_first = _waited_for(key)
            if answer_of_first is not None:
                return answer_of_first
        answer = self._get_response(request)
        kept = answer if isinstance(answer, HttpResponse) and answer.status_code < 500 else None
        sent_forms.leave(key, kept, timezone.now())
        return answer


def _waited_for(key: FormKey) -> HttpResponse | None:
    """Wait for the answer of who took a form; None where it is to be worked on here."""
    ends = time.monotonic() + key.worked_on.total_seconds()
    while time.monotonic() < ends:
        now = timezone.now()
        is_worked_on, answer = sent_forms.answer_of(key, now)
        if answer is not None or (not is_worked_on and sent_forms.take(key, now)):
            return answer
        time.sleep(LOOK_SECONDS)
    return None


def _key(request: HttpRequest) -> FormKey | None:
    """Tell a form as it was shown to a person from all others; None where it may be sent again."""
    if (
        request.method != "POST"
        or "HX-Request" in request.headers
        or not _is_form(request)
        or not request.user.is_authenticated
    ):
        return None
    digests = _Digests()
    if request.content_type == _UPLOAD:
        request.upload_handlers.insert(0, digests)
    try:
        fields = request.POST
    except OSError:  # the browser went away
        return None
    if not fields.get("csrfmiddlewaretoken"):
        return None
    place = f"{request.user.pk} {request.get_full_path()} ".encode(errors="replace")
    if request.content_type == _FORM:
        return FormKey.of(place + request.body)
    said = json.dumps([list(fields.lists()), digests.files]).encode()
    return FormKey.of(place + said, has_file=bool(digests.files))


def _is_form(request: HttpRequest) -> bool:
    """Tell forms that can be read: files go to the disk, all else is held in memory."""
    if request.content_type != _FORM:
        return request.content_type == _UPLOAD
    return int(request.META.get("CONTENT_LENGTH") or 0) <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE


class _Digests(FileUploadHandler):
    """Notes field, name and digest of each file that goes by, and hands its bytes on."""

    def __init__(self) -> None:
        super().__init__()
        self.files: list[tuple[str, str | None, str]] = []

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self._digest = blake2b(digest_size=32)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:  # noqa: ARG002 (Django's)
        self._digest.update(raw_data)
        return raw_data

    def file_complete(self, file_size: int) -> None:  # noqa: ARG002 (Django's)
        self.files.append((self.field_name, self.file_name, self._digest.hexdigest()))
