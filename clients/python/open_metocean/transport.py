"""HTTP with the standard library: replies, waits and retries."""

from __future__ import annotations

import email.utils
import gzip
import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, Mapping

from .errors import ConnectionFailed, RetryableError, UnexpectedReply, http_error, succeeded

JSON = "application/json"

#: Pauses before a request is repeated whose connection failed, seconds.
_RECONNECT_S = (0.5, 1.0, 2.0)

#: Waited where a 429 or 503 names no time, seconds.
_DEFAULT_WAIT_S = 5.0

_CUT = (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError, EOFError, OSError)


@dataclass
class Reply:
    """A whole reply. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """:raises UnexpectedReply: for a body that is not JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            raise UnexpectedReply("The reply is not JSON: something in between has answered") from None

    def of_type(self, media_type: str) -> Reply:
        """The reply itself, if it is of this type.

        :raises RequestFailed: for the envelope of a failure.
        :raises UnexpectedReply: for any other type.
        """
        if not self.headers.get("content-type", "").startswith(media_type):
            body = self.json()
            if isinstance(body, dict) and body.get("status") == "FAILURE":
                succeeded(body)
            raise UnexpectedReply(f"The service answered JSON in place of {media_type}")
        return self


@dataclass
class Transport:
    """Sends requests to one service.

    429 and 503 are waited for as ``Retry-After`` says, at most ``max_wait_s`` in all for one request. A
    connection that fails or is cut is tried again three times: every POST has an ``Idempotency-Key``, so that
    nothing is made twice.

    :param timeout_s: of a connection without any byte, seconds.
    :param sleep: waits for some seconds; tests give their own.
    """

    url: str
    key: str | None
    timeout_s: float = 120.0
    max_wait_s: float = 120.0
    sleep: Callable[[float], None] = time.sleep
    opener: urllib.request.OpenerDirector = field(
        default_factory=lambda: urllib.request.build_opener(_SameHost())
    )

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        accept: str = JSON,
    ) -> Reply:
        """Sends a request until it has a reply.

        :raises HttpError: for a status other than 2xx.
        :raises RequestFailed, UnexpectedReply: where another type than JSON was asked for, as :meth:`Reply.of_type`.
        :raises ConnectionFailed: where no connection lasted until the reply was whole.
        """
        headers = self._headers(accept)
        data = None
        if body is not None:
            data = json.dumps(body, allow_nan=False).encode()
            headers["content-type"] = JSON
        if method == "POST":
            headers["idempotency-key"] = str(uuid.uuid4())
        waited, cuts = 0.0, 0
        while True:
            try:
                reply = self._once(method, path, data, query, headers)
                return reply if accept == JSON else reply.of_type(accept)
            except RetryableError as error:
                pause = _DEFAULT_WAIT_S if error.retry_after_s is None else error.retry_after_s
                if waited + pause > self.max_wait_s:
                    raise
                waited += pause
            except ConnectionFailed:
                if cuts == len(_RECONNECT_S):
                    raise
                pause = _RECONNECT_S[cuts]
                cuts += 1
            self.sleep(pause)

    def events(self, path: str) -> Iterator[tuple[str, str]]:
        """Name and data of each server-sent event, as they come, until the stream ends.

        :raises ConnectionFailed: where the stream is cut; then the caller reads the state and opens it again.
        """
        request = self._request("GET", path, None, None, self._headers("text/event-stream"))
        with self._open(request) as stream:
            name, data = "message", []
            try:
                for raw in stream:
                    line = raw.decode().rstrip("\r\n")
                    if line.startswith("event:"):
                        name = line[len("event:"):].strip()
                    elif line.startswith("data:"):
                        data.append(line[len("data:"):].strip())
                    elif not line:
                        if data:
                            yield name, "\n".join(data)
                        name, data = "message", []
            except _CUT as error:
                raise ConnectionFailed(str(error)) from error

    def _headers(self, accept: str) -> dict[str, str]:
        headers = {"accept": accept, "accept-encoding": "gzip", "user-agent": "open-metocean-python/0.2"}
        if accept == "text/event-stream":
            del headers["accept-encoding"]
        if self.key:
            headers["x-api-key"] = self.key
        return headers

    def _request(
        self,
        method: str,
        path: str,
        data: bytes | None,
        query: Mapping[str, Any] | None,
        headers: dict[str, str],
    ) -> urllib.request.Request:
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        target = self.url.rstrip("/") + path + ("?" + urllib.parse.urlencode(given) if given else "")
        return urllib.request.Request(target, data, headers, method=method)

    def _open(self, request: urllib.request.Request) -> Any:
        try:
            return self.opener.open(request, timeout=self.timeout_s)
        except urllib.error.HTTPError as error:
            with error:
                raise _refused(error) from None
        except _CUT as error:
            raise ConnectionFailed(f"{request.host}: {error}") from error

    def _once(
        self,
        method: str,
        path: str,
        data: bytes | None,
        query: Mapping[str, Any] | None,
        headers: dict[str, str],
    ) -> Reply:
        request = self._request(method, path, data, query, headers)
        with self._open(request) as reply:
            try:
                # Shorter than its Content-Length: IncompleteRead.
                body = reply.read()
                received = {name.lower(): value for name, value in reply.headers.items()}
                if received.get("content-encoding") == "gzip":
                    body = gzip.decompress(body)
            except _CUT as error:
                raise ConnectionFailed(f"{request.host}: the reply was cut: {error}") from error
            return Reply(reply.status, received, body)


class _SameHost(urllib.request.HTTPRedirectHandler):
    """The key never follows a redirect to another host."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # type: ignore[no-untyped-def]
        if urllib.parse.urlsplit(newurl).netloc != urllib.parse.urlsplit(req.full_url).netloc:
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _refused(error: urllib.error.HTTPError) -> Exception:
    try:
        body = error.read()
        if error.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        parsed = json.loads(body)
        detail = parsed.get("detail", parsed.get("error", parsed)) if isinstance(parsed, dict) else parsed
    except (ValueError, *_CUT):
        detail = error.reason
    wait = _seconds(error.headers.get("retry-after"))
    return http_error(error.code, detail, error.headers.get("x-request-id"), wait)


def _seconds(retry_after: str | None) -> float | None:
    """Seconds of a Retry-After, which is a number or a date."""
    if retry_after is None:
        return None
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        try:
            return max(0.0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())
        except (TypeError, ValueError):
            return None


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
