"""An object store on this machine for tests: moto's S3 server, with a bucket for each test."""

import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import requests
from moto.server import ThreadedMotoServer

KEYS = ("test-key", "test-secret")


@contextmanager
def s3_server() -> Iterator[str]:
    """Run a server; gives its address."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    try:
        yield f"http://{host}:{port}"
    finally:
        server.stop()


def new_bucket(endpoint: str) -> str:
    """Make an empty bucket; returns its name."""
    name = f"archive-{uuid.uuid4().hex}"
    requests.put(f"{endpoint}/{name}", timeout=10).raise_for_status()
    return name
