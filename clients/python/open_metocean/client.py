"""The client."""

from __future__ import annotations

import time
from typing import Any, Callable, Iterator, Sequence

from .tables import Time, beside, dataset_of, has_xarray, instant, point_list, rows_of
from .errors import succeeded
from .tasks import Task
from .transport import Transport

NETCDF = "application/x-netcdf"
GEOJSON = "application/geo+json"

#: Media types of :meth:`Client.file`, by format and packing.
_FILE_TYPES = {
    ("grib2", "simple"): "application/x-grib2",
    ("grib2", "complex"): "application/x-grib2-complex",
    ("netcdf", "simple"): NETCDF,
    ("netcdf", "complex"): NETCDF,
    ("csv", "simple"): "text/csv",
    ("csv", "complex"): "text/csv",
}


class Client:
    """An Open MetOcean service.

    Winds and waves are named by where they come FROM, currents by where they go TO, degrees clockwise from
    true north. Units: m/s, m, s, °C, hPa, %, mm/h, J/kg; depth in metres below sea level. A value that does
    not exist (land, ice, outside the archive) is None, or NaN in tables and datasets; never 0.

    :param url: address of the service.
    :param key: API key.
    :param max_wait_s: replies 429 and 503 are waited for as ``Retry-After`` says, at most so long in all for
        one request.
    :param timeout_s: of a connection without any byte, seconds.
    :param sleep: waits for some seconds; for tests.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        max_wait_s: float = 120.0,
        timeout_s: float = 120.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._transport = Transport(url, key, timeout_s, max_wait_s, sleep)

    # Points

    def points(
        self,
        places: Any,
        variables: Sequence[str],
        *,
        wind_height: float = 10,
        models: Sequence[str] | None = None,
    ) -> Any:
        """Weather at up to 10,000 places, each with its own time.

        :param places: a pandas.DataFrame, or a list of dictionaries, with latitude (degrees north), longitude
            (degrees east) and timestamp (UTC text, datetime; without a zone it is UTC).
        :param variables: current, wind, gust, wave, bathy, sst, extra_wave, rain, mucape, temp, cloud,
            pressure.
        :param wind_height: metres above the surface, 10..100; the fields keep their names ``Winds_10m_*``.
        :param models: names of models, such as gfs, each of which answers alone; best is the answer without
            this parameter.
        :returns: for a DataFrame a DataFrame with the columns of the variables added, index and order kept;
            else a list of dictionaries in the order of the places. Fields as in the table of units in
            README.md. With models a dictionary of these by model.
        """
        body = {"points": point_list(places), "variables": list(variables), "wind_height": wind_height}
        if models is None:
            return beside(places, self._result("/MetOcean", body))
        results = self._result("/MetOcean", {**body, "models": list(models)})["results"]
        names = list(dict.fromkeys(models))
        count = len(results) // len(names)
        return {
            name: beside(places, {"results": results[at * count : (at + 1) * count]})
            for at, name in enumerate(names)
        }

    def points_task(
        self, places: Any, variables: Sequence[str], *, wind_height: float = 10, name: str | None = None
    ) -> Task:
        """The same for up to 200,000 places, as a task; its result is that of :meth:`points`.

        :param name: shown in lists of tasks.
        """
        body = {"points": point_list(places), "variables": list(variables), "wind_height": wind_height}
        return self._task("/MetOcean/async", body, name, lambda result: beside(places, result))

    def ensemble(self, places: Any, variables: Sequence[str], **options: Any) -> dict[str, Any]:
        """What the members of an ensemble say at up to 1,000 places, each with its own time.

        :param places: as in :meth:`points`.
        :param options: ``ensemble`` (name, such as gefs), ``percentiles``, ``thresholds`` (a list of
            ``{"output": "Gust_10m", "over": 17.49}``), ``members`` (True adds the value of each member) and
            ``wind_height``, as in ``POST /MetOcean/ensemble``.
        :returns: ``results`` in the order of the places, each with ``conditions`` of ``members``, ``control``,
            ``mean``, ``spread``, ``percentiles`` and ``over`` for each field, and ``meta`` with the runs, their
            members and what the numbers are not.
        """
        body = {"points": point_list(places), "variables": list(variables), **options}
        return self._result("/MetOcean/ensemble", body)

    # Boxes

    def box(
        self,
        variable: str,
        *,
        latitude: tuple[float, float],
        longitude: tuple[float, float],
        time: Time | tuple[Time, Time],
        models: Sequence[str] | None = None,
    ) -> Any:
        """One variable on the grid of the archive within a box.

        :param variable: current, wind or wave.
        :param latitude: south and north edge, degrees.
        :param longitude: west and east edge, degrees in -180..180; west > east crosses the antimeridian.
        :param time: an instant, to which the grid is interpolated; or two, for all steps between them.
        :returns: with xarray and netCDF4 an ``xarray.Dataset`` with the dimensions time, latitude and
            longitude; else a dictionary with ``latitude``, ``longitude``, ``timestamp`` and lists
            ``[time][latitude][longitude]`` (without time for one instant), missing values None. The speed of
            a current is ``Currents_Speed`` here. With ``models``, as in :meth:`points`, the dataset has a
            coordinate model (a dimension if there are several), and else the answer is a dictionary of these
            by model.
        """
        body = _box(variable, latitude, longitude, time, models)
        if has_xarray():
            return dataset_of(self._transport.send("POST", "/2DMetOcean", body, accept=NETCDF).body)
        return _plain_box(self._result("/2DMetOcean", body))

    def box_task(
        self,
        variable: str,
        *,
        latitude: tuple[float, float],
        longitude: tuple[float, float],
        time: Time | tuple[Time, Time],
        models: Sequence[str] | None = None,
        name: str | None = None,
    ) -> Task:
        """The same for larger boxes, as a task; its result is that of :meth:`box`."""
        body = {**_box(variable, latitude, longitude, time, models), "async": True}
        task = self._task("/2DMetOcean", body, name, _plain_box)
        if has_xarray():
            task._shape = lambda _result: dataset_of(task.file(NETCDF))
        return task

    # Files

    def file(self, area: dict[str, Any], variables: Sequence[str], times: tuple[Time, Time], **options: Any) -> bytes:
        """Several variables of a box, of a storm's surroundings or of a route's corridor in one file.

        :param area: ``{"type": "box", "latitude": [south, north], "longitude": [west, east]}``, ``{"type":
            "storm", "provider": "jtwc", "id": "AL012026", "radius_nm": 300}`` or ``{"type": "route", "waypoints":
            [...], "half_width_nm": 60}``; nautical miles. Nodes farther away are missing.
        :param times: the first and the last instant, at most 31 days apart.
        :param options: ``step_hours`` (1, 2, 3, 4, 6, 8, 12, 24; else all native steps), ``stride`` (1..40, every
            so many rows and columns), ``wind_height`` (metres), ``format`` (grib2, which is the default, netcdf or
            csv) and ``packing`` (simple or complex) of GRIB2.
        :returns: the bytes of the file.
        :raises TooLarge: where only :meth:`file_task` can answer.
        """
        body = _file(area, variables, times, options)
        return self._transport.send("POST", "/files", body, accept=_file_type(body)).body

    def file_estimate(
        self, area: dict[str, Any], variables: Sequence[str], times: tuple[Time, Time], **options: Any
    ) -> dict[str, Any]:
        """How large such a file will be, before it is made.

        :returns: ``bytes`` (about), ``values``, ``steps``, ``rows``, ``columns``, ``fields``, and whether it can be
            answered ``at_once`` and ``as_task``.
        """
        body = {**_file(area, variables, times, options), "estimate": True}
        return self._transport.send("POST", "/files", body).json()["estimate"]

    def file_task(
        self,
        area: dict[str, Any],
        variables: Sequence[str],
        times: tuple[Time, Time],
        *,
        name: str | None = None,
        **options: Any,
    ) -> Task:
        """The same as a task; its result is the bytes of :meth:`file`."""
        body = {**_file(area, variables, times, options), "async": True}
        task = self._task("/files", body, name, lambda result: result)
        task._shape = lambda _result: task.file(_file_type(body))
        return task

    # Tasks

    def task(self, task_id: str) -> Task:
        """A task by its id; its result is that of the service, unchanged."""
        return Task(self._transport, task_id)

    def tasks(self, state: str | None = None) -> Iterator[dict[str, Any]]:
        """All tasks of the key's owner, the newest first.

        :param state: PENDING, SUCCESS or FAILURE.
        """
        return self._pages("/user/tasks" + (f"/{state}" if state else ""))

    # Storms

    def storms(self, provider: str = "jtwc", *, include_invests: bool = True) -> list[dict[str, Any]]:
        """Storms with tracks, wind radii (km) and cones. Times are Unix seconds.

        :param provider: jtwc (JTWC and NHC, 1-minute winds) or jma (10-minute winds).
        """
        query = {"provider": provider, "include_invests": include_invests}
        return self._transport.send("GET", "/storms", query=query).json()["results"]

    def storms_geojson(self, provider: str = "jtwc", *, include_invests: bool = True) -> dict[str, Any]:
        """The same as a GeoJSON FeatureCollection, for ``geopandas.GeoDataFrame.from_features``; its
        coordinates are longitude and latitude of WGS84 (EPSG:4326)."""
        query = {"provider": provider, "include_invests": include_invests}
        return self._transport.send("GET", "/storms", query=query, accept=GEOJSON).json()

    def storm_approach(self, provider: str = "jtwc", **question: Any) -> dict[str, Any]:
        """How storms come near a vessel or a route.

        :param question: ``vessel`` (latitude, longitude, ``course_deg`` true, TO, ``speed_kt``) or ``route``;
            ``method``.
        :returns: ``results``, and ``without_forecast``: storms that may be near, too. Distances in km.
        """
        return self._transport.send("POST", "/storms/approach", {"provider": provider, **question}).json()

    # Tides

    def tide_stations(self, **query: Any) -> list[dict[str, Any]]:
        """Stations with a prediction.

        :param query: ``search`` (part of a name), ``lat`` and ``lon`` (those near by water first), ``bbox``
            ("west,south,east,north"), ``kind`` (tide or stream), ``limit``, ``offset``.
        """
        return self._transport.send("GET", "/tides/stations", query=query).json()["results"]

    def tide(self, station: str | tuple[float, float], **query: Any) -> dict[str, Any]:
        """High and low waters (metres above ``datum``), or slacks and fastest streams (knots), in UTC.

        :param station: id of a station, or latitude and longitude of a place, whose nearest station by water within
            ``within_km`` (40) answers, with ``distance_km`` and ``water_km``.
        :param query: ``start`` and ``end`` (UTC times, or days of the station), ``step`` (minutes between the
            values of ``curve``), ``datum``, and for a place ``kind`` (tide or stream).
        """
        names = {"start": "from", "end": "to"}
        query = {names.get(name, name): value for name, value in query.items()}
        if isinstance(station, str):
            return self._transport.send("GET", f"/tides/{station}", query=query).json()
        latitude, longitude = station
        return self._transport.send("GET", "/tides", query={"lat": latitude, "lon": longitude, **query}).json()

    # Passages

    def evaluate_passage(
        self, route: Sequence[dict[str, Any]], vessel: dict[str, Any], departure: Time, **options: Any
    ) -> dict[str, Any]:
        """What a passage will be like: ETA, weather of each piece, verdict GO, CAUTION or NO.

        :param route: waypoints with latitude, longitude, leg (how it is reached: great_circle or rhumb) and tidal gate.
        :param vessel: ``{"kind": "fixed", "speed_kt": 12}``; also motor and sail.
        :param options: ``limits``, ``storms``, ``include_pieces`` and others of POST /passages/evaluate.
        :returns: ``results`` (a plan) and ``meta``. Speeds whose names end in _kt are knots.
        """
        body = _passage(route, vessel, options, departure=instant(departure))
        return self._result("/passages/evaluate", body)

    def evaluate_departures(
        self,
        route: Sequence[dict[str, Any]],
        vessel: dict[str, Any],
        departures: tuple[Time, Time],
        step_hours: int,
        **options: Any,
    ) -> Task:
        """The same for departures between two instants, every ``step_hours`` (1..24), as a task."""
        first, last = departures
        sweep = {"from": instant(first), "to": instant(last), "step_hours": step_hours}
        body = {**_passage(route, vessel, options, departures=sweep), "async": True}
        return self._task("/passages/evaluate", body, options.get("task_name"), lambda result: result)

    # Weather windows

    def workability(
        self, area: dict[str, Any], limits: Sequence[dict[str, Any]], times: tuple[Time, Time], **options: Any
    ) -> dict[str, Any]:
        """How much of a time is within limits, and how long an operation waits for a window.

        :param area: ``{"type": "point", "latitude": 48, "longitude": -6}``, or ``{"type": "box", "latitude": [south,
            north], "longitude": [west, east], "spacing_deg": 0.5}``.
        :param limits: as ``{"quantity": "Waves_Significant_Height", "max": 2}``, in the names and units of
            :meth:`points`; also ``min`` and ``levels``.
        :param times: the first instant and the end, from 3 years back until 10 days ahead.
        :param options: ``window_hours`` (12), ``step_hours`` (1, 2, 3 or 6) and ``wind_height`` (metres).
        :returns: ``results``, a row for all months and then one a month, and ``meta``.
        :raises ValidationError: where only :meth:`workability_task` can answer.
        """
        return self._result("/workability", _workability(area, limits, times, options))

    def workability_task(
        self,
        area: dict[str, Any],
        limits: Sequence[dict[str, Any]],
        times: tuple[Time, Time],
        *,
        name: str | None = None,
        **options: Any,
    ) -> Task:
        """The same for more places and steps, as a task."""
        body = {**_workability(area, limits, times, options), "async": True}
        return self._task("/workability", body, name, lambda result: result)

    # Watches

    def create_watch(self, name: str, question: dict[str, Any], **options: Any) -> dict[str, Any]:
        """Saves a question that is asked of each new forecast; an alert tells when its answer becomes true.

        :param question: as ``{"kind": "place", "latitude": 48, "longitude": -6, "conditions": [{"quantity":
            "gust_kt", "over": 34}]}``. Quantities have their unit in their name.
        """
        body = {"name": name, "question": question, **options}
        return self._transport.send("POST", "/watches", body).json()

    def watches(self) -> list[dict[str, Any]]:
        """All watches of the key's owner, the newest first."""
        return self._transport.send("GET", "/watches").json()["results"]

    def delete_watch(self, watch_id: str) -> None:
        """Removes a watch; its alerts stay."""
        self._transport.send("DELETE", f"/watches/{watch_id}")

    def alerts(self) -> Iterator[dict[str, Any]]:
        """The alerts of the last 90 days, the newest first."""
        return self._pages("/alerts")

    def limits(self) -> dict[str, Any]:
        """The limits in force."""
        return self._transport.send("GET", "/limits").json()

    def _result(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        return succeeded(self._transport.send("POST", path, body).json())

    def _task(
        self, path: str, body: dict[str, Any], name: str | None, shape: Callable[[dict[str, Any]], Any]
    ) -> Task:
        given = body if name is None else {**body, "task_name": name}
        return Task(self._transport, self._transport.send("POST", path, given).json()["task_id"], shape)

    def _pages(self, path: str) -> Iterator[dict[str, Any]]:
        query: dict[str, Any] = {"limit": 100}
        while True:
            reply = self._transport.send("GET", path, query=query)
            yield from reply.json()["results"]
            cursor = _next_cursor(reply.headers.get("link", ""))
            if cursor is None:
                return
            query["cursor"] = cursor


def _box(
    variable: str, latitude: Any, longitude: Any, time: Any, models: Sequence[str] | None
) -> dict[str, Any]:
    times = [instant(each) for each in time] if isinstance(time, (tuple, list)) else instant(time)
    edges = {"latitude": list(latitude), "longitude": list(longitude), "timestamp": times}
    named = {} if models is None else {"models": list(models)}
    return {"bounding_boxes": [edges], "variable": variable, **named}


def _file(area: Any, variables: Any, times: Any, options: dict[str, Any]) -> dict[str, Any]:
    first, last = times
    given = {"area": area, "variables": list(variables), "from": instant(first), "to": instant(last)}
    return {**given, **options}


def _file_type(body: dict[str, Any]) -> str:
    return _FILE_TYPES[body.get("format", "grib2"), body.get("packing", "simple")]


def _plain_box(result: dict[str, Any]) -> dict[str, Any]:
    boxes = rows_of(result)
    return {box["model"]: box for box in boxes} if "model" in boxes[0] else boxes[0]


def _passage(route: Any, vessel: Any, options: dict[str, Any], **when: Any) -> dict[str, Any]:
    return {"route": list(route), "vessel": vessel, **when, **options}


def _workability(area: Any, limits: Any, times: Any, options: dict[str, Any]) -> dict[str, Any]:
    first, last = times
    return {"area": area, "limits": list(limits), "from": instant(first), "to": instant(last), **options}


def _next_cursor(link: str) -> str | None:
    """The cursor of ``Link: </user/tasks?cursor=…>; rel="next"``."""
    from urllib.parse import parse_qs, urlsplit

    target, _, relation = link.partition(">")
    if 'rel="next"' not in relation:
        return None
    return parse_qs(urlsplit(target.lstrip("<")).query).get("cursor", [None])[0]
