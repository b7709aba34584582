"""A task: its progress, its result, its end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Callable, Iterator

from .errors import ConnectionFailed, HttpError, succeeded

if TYPE_CHECKING:
    from .transport import Transport

#: Pause between two questions for the state where no events come, seconds.
_POLL_S = 1.0

#: Streams without an event after which the state is read instead: something in between holds events back.
_EMPTY_STREAMS = 2


class Task:
    """A task of the service. Results stay for seven days.

    :ivar id: for :meth:`Client.task`, also from another process.
    """

    def __init__(
        self,
        transport: Transport,
        task_id: str,
        shape: Callable[[dict[str, Any]], Any] = lambda result: result,
    ) -> None:
        self.id = task_id
        self._transport = transport
        self._shape = shape

    def __repr__(self) -> str:
        return f"Task({self.id!r})"

    def state(self) -> dict[str, Any]:
        """The state now: ``status`` (PENDING, SUCCESS or FAILURE), ``progress`` (0..1), ``queue_position``
        and more; of an ended task the whole envelope with its result."""
        return self._transport.send("GET", f"/task/{self.id}").json()

    def progress(self, events: bool = True) -> Iterator[float]:
        """Progress (0..1, never going back) until the task has ended, whether with success or not.

        It comes by server-sent events; where these are refused or do not arrive, or with ``events=False``, the
        state is read once a second.
        """
        told, empty = -1.0, 0
        while True:
            streams, heard = events and empty < _EMPTY_STREAMS, False
            try:
                for name, entry in self._entries(streams):
                    heard = True
                    if entry["progress"] > told:
                        told = entry["progress"]
                        yield told
                    if name == "end":
                        return
            except ConnectionFailed:
                pass
            # The stream was cut, refused, or ended because the server restarts.
            if streams:
                empty = 0 if heard else empty + 1
            self._transport.sleep(_POLL_S)

    def _entries(self, events: bool) -> Iterator[tuple[str, dict[str, Any]]]:
        if events:
            try:
                for name, data in self._transport.events(f"/task/{self.id}/events"):
                    if name in ("progress", "end"):
                        yield name, json.loads(data)
                return
            except HttpError as error:
                if error.status not in (429, 503):
                    raise
        listed = self._transport.send("GET", "/user/tasks", query={"limit": 100}).json()["results"]
        for entry in listed:
            if entry["task_id"] == self.id:
                yield ("progress" if entry["status"] == "PENDING" else "end"), entry
                return
        state = self.state()
        ended = state["status"] != "PENDING"
        yield ("end" if ended else "progress"), {"progress": 1.0 if ended else state["progress"]}

    def result(self, on_progress: Callable[[float], None] | None = None, events: bool = True) -> Any:
        """Waits for the end.

        :param on_progress: called with the progress, 0..1, whenever it changes.
        :returns: what the operation without a task returns.
        :raises RequestFailed: where the task failed; :class:`TaskCancelled` where it was cancelled.
        :raises Expired: where the result is not kept any longer.
        """
        return self._shape(succeeded(self.wait(on_progress, events).state()))

    def wait(self, on_progress: Callable[[float], None] | None = None, events: bool = True) -> Task:
        """Waits for the end, whether with success or not; then :meth:`file` has the result in other formats.

        :param on_progress: called with the progress, 0..1, whenever it changes.
        """
        for progress in self.progress(events):
            if on_progress:
                on_progress(progress)
        return self

    def file(self, media_type: str) -> bytes:
        """The result of a task that has succeeded as a file.

        :raises RequestFailed: where it failed or was cancelled.
        :raises UnexpectedReply: where the reply is of another type.
        :param media_type: ``text/csv``, ``application/x-netcdf``, ``application/vnd.apache.arrow.stream``;
            of boxes and files ``application/x-grib2`` too.
        """
        return self._transport.send("GET", f"/task/{self.id}", accept=media_type).body

    def cancel(self) -> None:
        """Ends the task; again has no effect.

        :raises Conflict: where it has succeeded.
        """
        self._transport.send("POST", f"/cancel_task/{self.id}")

    def delete(self) -> None:
        """Removes an ended task with its result; cancels a pending one."""
        self._transport.send("DELETE", f"/task/{self.id}")
