"""What the client does where the service is busy, refuses, or is cut off."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import unittest
from typing import Any

import open_metocean as om
from open_metocean.tables import instant

from .fake_service import FakeService

PLACES = [{"lat": 48.5, "lon": -5.2, "time": dt.datetime(2026, 1, 1)}]
CONDITIONS = {"Winds_10m_Intensity": 7.5, "Winds_10m_Direction": None}
POINTS = {
    "task_id": ["t"],
    "status": "SUCCESS",
    "result": {
        "results": [
            {
                "coordinates": {"latitude": 48.5, "longitude": -5.2, "timestamp": "2026-01-01T00:00:00Z"},
                "conditions": CONDITIONS,
            }
        ]
    },
}
OK = (200, {}, POINTS)


def busy(status: int, **headers: str) -> tuple[int, dict[str, str], Any]:
    return status, {name.replace("_", "-"): value for name, value in headers.items()}, {"detail": "busy"}


class Faults(unittest.TestCase):
    def client(self, service: FakeService, **options: Any) -> om.Client:
        self.slept: list[float] = []
        return om.Client(service.url, "mo_key", sleep=self.slept.append, **options)

    def test_waits_for_429_and_503_as_long_as_they_say(self) -> None:
        past = busy(503, retry_after="Thu, 01 Jan 2015 00:00:00 GMT")
        with FakeService(busy(429, retry_after="7"), past, busy(503), OK) as service:
            rows = self.client(service).points(PLACES, ["wind"])
        self.assertEqual(self.slept, [7, 0, 5])
        self.assertEqual(rows, [{**POINTS["result"]["results"][0]["coordinates"], **CONDITIONS}])

    def test_sends_the_same_request_again_under_the_same_idempotency_key(self) -> None:
        with FakeService(busy(503, retry_after="1"), FakeService.CUT, OK) as service:
            self.client(service).points(PLACES, ["wind"])
        keys = {request["headers"]["idempotency-key"] for request in service.requests}
        self.assertEqual((len(service.requests), len(keys)), (3, 1))
        first = service.requests[0]
        self.assertEqual(first["headers"]["x-api-key"], "mo_key")
        self.assertEqual(
            first["body"]["points"],
            [{"latitude": 48.5, "longitude": -5.2, "timestamp": "2026-01-01T00:00:00Z"}],
        )

    def test_does_not_wait_longer_than_it_may_in_all(self) -> None:
        with FakeService(busy(429, retry_after="40"), busy(429, retry_after="40")) as service:
            with self.assertRaises(om.RateLimited) as raised:
                self.client(service, max_wait_s=60).points(PLACES, ["wind"])
        self.assertEqual((self.slept, raised.exception.retry_after_s), ([40], 40))

    def test_gives_up_a_connection_that_is_cut_again_and_again(self) -> None:
        with FakeService(*[FakeService.CUT] * 4) as service:
            with self.assertRaises(om.ConnectionFailed):
                self.client(service).points(PLACES, ["wind"])
        self.assertEqual(self.slept, [0.5, 1, 2])

    def test_names_a_service_that_is_not_there(self) -> None:
        with FakeService() as service:
            client = self.client(service)
        with self.assertRaisesRegex(om.ConnectionFailed, "127.0.0.1"):
            client.limits()

    def test_a_status_has_its_own_error(self) -> None:
        statuses = {
            401: om.AuthenticationError,
            403: om.AuthenticationError,
            404: om.NotFound,
            409: om.Conflict,
            410: om.Expired,
            413: om.TooLarge,
            422: om.ValidationError,
            500: om.HttpError,
            507: om.StorageFull,
        }
        for status, error in statuses.items():
            reply = (status, {"x-request-id": "r"}, {"detail": "no"})
            with self.subTest(status=status), FakeService(reply) as service:
                with self.assertRaises(error) as raised:
                    self.client(service).limits()
                self.assertEqual((raised.exception.status, raised.exception.request_id), (status, "r"))

    def test_says_which_field_was_wrong(self) -> None:
        issue = {"type": "less_than_equal", "loc": ["body", "points", 0, "latitude"], "msg": "too far north"}
        packed = gzip.compress(json.dumps({"detail": [issue]}).encode())
        with FakeService((422, {"content-encoding": "gzip"}, packed)) as service:
            with self.assertRaisesRegex(om.ValidationError, "points.0.latitude: too far north") as raised:
                self.client(service).points(PLACES, ["wind"])
        self.assertEqual(raised.exception.issues, [issue])

    def test_progress_goes_on_where_the_events_are_cut_or_refused(self) -> None:
        def event(name: str, progress: float) -> bytes:
            return f"event: {name}\ndata: {json.dumps({'progress': progress})}\n\n".encode()

        streams = [event("progress", 0.2), event("progress", 0.1) + event("progress", 0.6)]
        listed = {"results": [{"task_id": "t", "status": "PENDING", "progress": 0.8}]}
        cut = {"content-length": "10000"}
        with FakeService(
            (200, cut, streams[0]),
            (200, {}, b": still here\n\nretry: 1000\n\n" + streams[1]),
            busy(429),
            (200, {}, listed),
            (200, {}, event("end", 1)),
        ) as service:
            self.assertEqual(list(self.client(service).task("t").progress()), [0.2, 0.6, 0.8, 1])

    def test_the_state_is_read_where_events_are_held_back(self) -> None:
        def listed(status: str, progress: float) -> tuple[int, dict[str, str], Any]:
            return 200, {}, {"results": [{"task_id": "t", "status": status, "progress": progress}]}

        held = (200, {}, b": held back")
        with FakeService(held, held, listed("PENDING", 0.5), listed("SUCCESS", 1)) as service:
            self.assertEqual(list(self.client(service).task("t").progress()), [0.5, 1])

    def test_neither_a_failure_nor_the_page_of_a_portal_is_a_result(self) -> None:
        page = (200, {"content-type": "text/html"}, b"<html>")
        failed = (200, {}, {"task_id": "t", "status": "FAILURE", "error": "no way"})
        for reply, error, text in ((page, om.UnexpectedReply, "not JSON"), (failed, om.RequestFailed, "no way")):
            with self.subTest(error=error), FakeService(reply, reply) as service:
                with self.assertRaisesRegex(error, text):
                    self.client(service).points(PLACES, ["wind"])
                with self.assertRaises(error):
                    self.client(service).task("t").file("text/csv")

    def test_the_key_does_not_follow_to_another_host(self) -> None:
        with FakeService() as other:
            with FakeService((302, {"location": other.url + "/limits"}, {"detail": "moved"})) as service:
                with self.assertRaises(om.HttpError):
                    self.client(service).limits()
            self.assertEqual(other.requests, [])

    def test_instants_are_utc(self) -> None:
        west = dt.timezone(dt.timedelta(hours=-5))
        self.assertEqual(instant(dt.datetime(2026, 1, 1, 7, 30, 0, 900, west)), "2026-01-01T12:30:00Z")
        self.assertEqual(instant("2026-01-01T00:00:00Z"), "2026-01-01T00:00:00Z")
        for wrong in (None, 0, dt.date(2026, 1, 1)):
            with self.assertRaises(ValueError):
                instant(wrong)

    def test_a_missing_column_is_named(self) -> None:
        with self.assertRaisesRegex(ValueError, "longitude"):
            om.Client("http://127.0.0.1:9").points([{"lat": 1, "time": "2026-01-01T00:00:00Z"}], ["wind"])


if __name__ == "__main__":
    unittest.main()
