"""A service that answers as a list of replies says, on loopback."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class FakeService:
    """Sends ``replies`` in their order: (status, headers, body), or ``CUT``: half of a reply."""

    CUT = "cut"

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.requests: list[dict[str, Any]] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                length = int(self.headers.get("content-length", 0))
                body = self.rfile.read(length)
                service.requests.append(
                    {
                        "line": f"{self.command} {self.path}",
                        "headers": {name.lower(): value for name, value in self.headers.items()},
                        "body": json.loads(body) if body else None,
                    }
                )
                reply = service.replies.pop(0)
                if reply == FakeService.CUT:
                    self.send_response(200)
                    self.send_header("content-length", "1000")
                    self.end_headers()
                    self.wfile.write(b'{"task_id"')
                    self.close_connection = True
                    return
                status, headers, content = reply
                text = content if isinstance(content, bytes) else json.dumps(content).encode()
                self.send_response(status)
                for name, value in {"content-length": str(len(text)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_DELETE = handle_any

            def log_message(self, *_args: Any) -> None:
                """Quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> FakeService:
        self._thread.start()
        return self

    def __exit__(self, *_error: Any) -> None:
        self._server.shutdown()
        self._server.server_close()
