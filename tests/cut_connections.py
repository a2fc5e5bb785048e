"""A line to a site that kills some connections of exports in the middle."""

import socket
import threading
from urllib.parse import urlsplit


class CutConnections:
    """Stands between a client and a site.

    ``left`` are the bytes that the next exports get before they are killed, None for all.
    """

    def __init__(self, site: str, left: list[int | None]) -> None:
        self._site = urlsplit(site)
        self._left = left
        self._server = socket.create_server(("127.0.0.1", 0))
        self.site = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        self.n_killed = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                inside, _ = self._server.accept()
            except OSError:
                return
            place = (self._site.hostname or "", self._site.port or 0)
            with inside, socket.create_connection(place) as out:
                question = inside.recv(1 << 16)
                # One question a connection, whatever the client would keep open.
                out.sendall(question.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1))
                self._relay(out, inside, is_export=b"/search/export/" in question)

    def _relay(self, out: socket.socket, inside: socket.socket, *, is_export: bool) -> None:
        left = self._left.pop(0) if is_export and self._left else None
        while piece := out.recv(1 << 12):
            if left is not None and len(piece) >= left:
                inside.sendall(piece[:left])
                self.n_killed += 1
                return
            left = None if left is None else left - len(piece)
            inside.sendall(piece)

    def close(self) -> None:
        self._server.close()
