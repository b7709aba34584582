"""The client and a running service (``METOCEAN_URL``, ``METOCEAN_KEY``), in the demo world of 2026-01-01."""

from __future__ import annotations

import datetime as dt
import io
import math
import os
import re
import unittest
import unittest.mock
from pathlib import Path

import open_metocean as om

URL, KEY = os.environ.get("METOCEAN_URL"), os.environ.get("METOCEAN_KEY")
NOW = dt.datetime(2026, 1, 1)

try:
    import numpy
    import pandas
except ImportError:
    pandas = numpy = None  # type: ignore[assignment]


def places(count: int) -> list[dict[str, object]]:
    return [
        {
            "latitude": (index * 37 % 1200) / 10 - 60,
            "longitude": (index * 61 % 3400) / 10 - 170,
            "timestamp": NOW,
        }
        for index in range(count)
    ]


@unittest.skipUnless(URL, "needs METOCEAN_URL")
class Service(unittest.TestCase):
    def setUp(self) -> None:
        self.client = om.Client(str(URL), KEY)

    @unittest.skipUnless(pandas, "needs pandas")
    def test_a_frame_comes_back_with_its_index_and_columns(self) -> None:
        sea = {"lat": 48.5, "lon": -8.0, "time": pandas.Timestamp("2026-01-01"), "name": "sea"}
        land = {"lat": 47.0, "lon": 3.0, "time": pandas.Timestamp("2026-01-01"), "name": "land"}
        given = pandas.DataFrame([sea, land], index=["a", "b"])
        answer = self.client.points(given, ["wave", "wind"])
        self.assertEqual(list(answer.index), ["a", "b"])
        self.assertEqual(list(answer.columns[:4]), ["lat", "lon", "time", "name"])
        row = self.client.points([{name: sea[name] for name in ("lat", "lon", "time")}], ["wave", "wind"])[0]
        for name in answer.columns[4:]:
            self.assertEqual(answer.loc["a", name], row[name])
        self.assertTrue(math.isnan(answer.loc["b", "Waves_Significant_Height"]))

    def test_models_answer_side_by_side(self) -> None:
        at = [{"latitude": 31.3, "longitude": -42.7, "timestamp": NOW + dt.timedelta(days=5)}]
        plain = self.client.points(at, ["wind"])
        by_model = self.client.points(at, ["wind"], models=["best", "demo-early", "demo-late", "best"])
        self.assertEqual(list(by_model), ["best", "demo-early", "demo-late"])
        name = "Winds_10m_Intensity"
        self.assertEqual(by_model["best"][0][name], plain[0][name])
        self.assertEqual(len({rows[0][name] for rows in by_model.values()}), 3)

    def test_more_members_of_an_ensemble_exceed_the_lower_limit(self) -> None:
        at = [{"latitude": 31.3, "longitude": -42.7, "timestamp": NOW + dt.timedelta(days=day)} for day in (1, 5)]
        limits = [{"output": "Winds_10m_Intensity", "over": over} for over in (2, 11.32)]
        answer = self.client.ensemble(at, ["wind"], thresholds=limits, members=True)
        numbers = answer["meta"]["members"]
        for result in answer["results"]:
            speed = result["conditions"]["Winds_10m_Intensity"]
            self.assertEqual(len(speed["values"]), len(numbers))
            low, high = (over["members"] for over in speed["over"])
            self.assertGreaterEqual(low, high)
            self.assertEqual(low, sum(value > 2 for value in speed["values"]))
        self.assertIn("not calibrated", answer["meta"]["caution"])

    def test_a_box_has_the_same_numbers_as_plain_lists(self) -> None:
        edges = {"latitude": (48, 49), "longitude": (-9, -8), "time": (NOW, NOW + dt.timedelta(hours=6))}
        with unittest.mock.patch("open_metocean.client.has_xarray", return_value=False):
            plain = self.client.box("current", **edges)
            self.assertEqual(self.client.box_task("current", **edges).result(), plain)
            names = ["demo-early", "demo-late"]
            by_model = self.client.box("current", models=names, **edges)
            self.assertEqual(self.client.box_task("current", models=names, **edges).result(), by_model)
        self.assertEqual(list(by_model), names)
        self.assertEqual(by_model["demo-late"]["latitude"], plain["latitude"])
        self.assertEqual(plain["timestamp"][0], "2026-01-01T00:00:00Z")
        speeds = plain["Currents_Speed"]
        self.assertEqual(
            (len(speeds), len(speeds[0]), len(speeds[0][0])),
            (len(plain["timestamp"]), len(plain["latitude"]), len(plain["longitude"])),
        )
        dataset = self.client.box("current", **edges)
        if isinstance(dataset, dict):
            self.skipTest("needs xarray and netCDF4")
        values = dataset["Currents_Speed"]
        self.assertEqual(values.dims, ("time", "latitude", "longitude"))
        numpy.testing.assert_allclose(values.values, numpy.array(speeds, dtype=float), atol=1e-6)
        self.assertEqual(str(dataset["time"].values[0])[:19], "2026-01-01T00:00:00")

    def test_15_000_places_with_progress_and_the_numbers_of_points(self) -> None:
        asked = places(15_000)
        told: list[float] = []
        task = self.client.points_task(asked, ["wind"], name="many")
        rows = task.result(on_progress=told.append)
        self.assertEqual(len(rows), 15_000)
        self.assertEqual(told, sorted(told))
        self.assertEqual(told[-1], 1)
        self.assertGreater(len(told), 2)
        some = slice(14_000, 14_050)
        self.assertEqual(rows[some], self.client.points(asked[some], ["wind"]))
        self.assertTrue(task.file("text/csv").startswith("latitude [°],longitude [°],timestamp,".encode()))
        task.delete()
        with self.assertRaises(om.NotFound):
            task.state()

    def test_a_task_is_cancelled_while_it_runs(self) -> None:
        task = self.client.points_task(places(50_000), ["wind", "wave", "current", "temp"])
        progress = task.progress()
        next(progress)
        task.cancel()
        with self.assertRaises(om.TaskCancelled):
            task.result()
        self.assertIn(task.id, [entry["task_id"] for entry in self.client.tasks("FAILURE")])

    def test_a_file_is_as_estimated_and_the_same_by_a_task(self) -> None:
        area = {"type": "box", "latitude": [47, 48], "longitude": [-7, -6]}
        asked = (area, ["wind", "pressure"], (NOW, NOW + dt.timedelta(hours=6)))
        estimate = self.client.file_estimate(*asked, step_hours=3)
        self.assertEqual((estimate["steps"], estimate["at_once"]), (3, True))
        grib = self.client.file(*asked, step_hours=3)
        self.assertEqual((grib[:4], grib[-4:], grib.count(b"GRIB")), (b"GRIB", b"7777", 9))
        self.assertLess(abs(len(grib) - estimate["bytes"]), 0.5 * len(grib))
        told: list[float] = []
        task = self.client.file_task(*asked, step_hours=3, name="a file")
        self.assertEqual(task.result(on_progress=told.append), grib)
        self.assertEqual(told[-1], 1)
        self.assertEqual(self.client.file(*asked, format="netcdf")[:3], b"CDF")

    def test_storms_departures_and_watches_have_answers(self) -> None:
        """What the README does not show."""
        self.assertGreater(len(self.client.storms("jtwc")), 0)
        vessel = {"latitude": 15, "longitude": 140, "course_deg": 90, "speed_kt": 12}
        self.assertIn("without_forecast", self.client.storm_approach(vessel=vessel))
        route = [{"latitude": 48.5, "longitude": -5.2}, {"latitude": 48.5, "longitude": -8}]
        days = (NOW, NOW + dt.timedelta(days=1))
        sweep = self.client.evaluate_departures(route, {"kind": "fixed", "speed_kt": 12}, days, 12)
        self.assertEqual(len(sweep.result()["results"]), 3)
        for read in (self.client.watches(), list(self.client.alerts())):
            self.assertIsInstance(read, list)

    def test_weather_windows_are_counted(self) -> None:
        place = {"type": "point", "latitude": 48.5, "longitude": -8}
        limits = [{"quantity": "Waves_Significant_Height", "max": 2}]
        asked = (place, limits, (NOW, NOW + dt.timedelta(days=2)))
        rows = self.client.workability(*asked, window_hours=6)["results"]
        self.assertEqual([row["hours"] for row in rows], [48, 48])
        self.assertEqual(self.client.workability_task(*asked, window_hours=6).result()["results"], rows)

    def test_the_snippets_of_the_readme_run(self) -> None:
        text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
        snippets = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        self.assertGreater(len(snippets), 4)
        scope: dict[str, object] = {}
        for index, snippet in enumerate(snippets):
            if "pandas" in snippet and pandas is None:
                continue
            source = snippet.replace('"http://127.0.0.1:3000"', repr(URL)).replace('"mo_…"', repr(KEY))
            with unittest.mock.patch("sys.stdout", io.StringIO()):
                exec(compile(source, f"README.md, snippet {index}", "exec"), scope)


if __name__ == "__main__":
    unittest.main()
