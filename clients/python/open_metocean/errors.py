"""What may go wrong. Every error of this package is a :class:`MetOceanError`."""

from __future__ import annotations

from typing import Any


class MetOceanError(Exception):
    """The base of all errors of this package."""


class ConnectionFailed(MetOceanError):
    """The service could not be reached, or the connection was cut before the reply was whole."""


class UnexpectedReply(MetOceanError):
    """What came is no answer of the service: the page of a captive portal."""


class RequestFailed(MetOceanError):
    """The service took the request, but could not process it (envelope ``FAILURE``), or a task ended so.

    :ivar task_id: id of the request.
    """

    def __init__(self, message: str, task_id: str | None = None) -> None:
        super().__init__(message)
        self.task_id = task_id


class TaskCancelled(RequestFailed):
    """The task was cancelled by its owner."""


class HttpError(MetOceanError):
    """A reply whose status is not 2xx.

    :ivar status: HTTP status.
    :ivar detail: what the service says of it, text or a list of issues.
    :ivar request_id: value of ``X-Request-Id``, for questions to the operator.
    """

    def __init__(self, status: int, detail: Any, request_id: str | None = None) -> None:
        super().__init__(f"{status}: {detail}")
        self.status = status
        self.detail = detail
        self.request_id = request_id


class AuthenticationError(HttpError):
    """401 or 403: no key, or one that is unknown, expired or revoked."""


class NotFound(HttpError):
    """404: unknown, or of another owner."""


class Conflict(HttpError):
    """409: not possible in the present state, as to cancel a task that has succeeded."""


class Expired(HttpError):
    """410: the result was there, and is not kept any longer."""


class TooLarge(HttpError):
    """413: the body is larger than the operation allows."""


class ValidationError(HttpError):
    """422: the request breaks a rule.

    :ivar issues: list of ``{"type", "loc", "msg"}``; ``loc`` is a path such as ``["body", "points", 0,
        "latitude"]``.
    """

    def __init__(self, status: int, detail: Any, request_id: str | None = None) -> None:
        super().__init__(status, detail, request_id)
        self.issues: list[dict[str, Any]] = detail if isinstance(detail, list) else []

    def __str__(self) -> str:
        if not self.issues:
            return super().__str__()
        shown = "; ".join(
            f"{'.'.join(str(part) for part in issue.get('loc', []))}: {issue.get('msg')}"
            for issue in self.issues[:5]
        )
        more = len(self.issues) - 5
        return f"{self.status}: {shown}" + (f"; and {more} more" if more > 0 else "")


class RetryableError(HttpError):
    """A reply that says when to ask again.

    :ivar retry_after_s: seconds of ``Retry-After``; None where the reply has none.
    """

    retry_after_s: float | None = None


class RateLimited(RetryableError):
    """429: more requests than the key may send, for longer than the client was allowed to wait."""


class Unavailable(RetryableError):
    """503: overload or an outage, for longer than the client was allowed to wait."""


class StorageFull(HttpError):
    """507: the owner's results fill their quota; the detail says what to delete."""


#: What the service says of a task that its owner has cancelled.
_CANCELLED = "Task cancelled by user"

_BY_STATUS: dict[int, type[HttpError]] = {
    401: AuthenticationError,
    403: AuthenticationError,
    404: NotFound,
    409: Conflict,
    410: Expired,
    413: TooLarge,
    422: ValidationError,
    429: RateLimited,
    503: Unavailable,
    507: StorageFull,
}


def succeeded(envelope: dict[str, Any]) -> dict[str, Any]:
    """The result in an envelope.

    :raises RequestFailed: for the envelope of a failure.
    """
    if envelope.get("status") == "FAILURE":
        error = TaskCancelled if envelope["error"] == _CANCELLED else RequestFailed
        raise error(envelope["error"], envelope.get("task_id"))
    return envelope["result"]


def http_error(status: int, detail: Any, request_id: str | None, retry_after_s: float | None) -> HttpError:
    """The error of a status."""
    error = _BY_STATUS.get(status, HttpError)(status, detail, request_id)
    if isinstance(error, RetryableError):
        error.retry_after_s = retry_after_s
    return error
