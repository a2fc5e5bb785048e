"""An object store on this machine for tests: moto's S3 server, with a bucket for each test."""

import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

import requests
from moto.core import DEFAULT_ACCOUNT_ID
from moto.s3.models import s3_backends
from moto.server import ThreadedMotoServer

KEYS = ("test-key", "test-secret")


class S3Server:
    """A server on a port of its own, which can be away for a moment; what it holds outlasts that.

    What it holds is all that this process's servers hold.
    """

    def __init__(self) -> None:
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self._port = 0

    def __enter__(self) -> Self:
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=self._port, verbose=False)
        self._server.start()
        _, self._port = self._server.get_host_and_port()
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.stop()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def restart(self) -> None:
        self.__exit__()
        self.__enter__()

    def objects(self, bucket: str) -> dict[str, bytes]:
        """Everything that a bucket holds, by name."""
        backend = s3_backends[DEFAULT_ACCOUNT_ID]["aws"]
        return {name: key.value for name, key in backend.buckets[bucket].keys.items()}


@contextmanager
def s3_server() -> Iterator[str]:
    """Run a server; gives its address."""
    with S3Server() as server:
        yield server.endpoint


def new_bucket(endpoint: str) -> str:
    """Make an empty bucket; returns its name."""
    name = f"archive-{uuid.uuid4().hex}"
    requests.put(f"{endpoint}/{name}", timeout=10).raise_for_status()
    return name
