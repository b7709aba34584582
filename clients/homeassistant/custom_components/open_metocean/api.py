"""Requests to an Open MetOcean service, and what its answers mean. Nothing here depends on Home Assistant."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from aiohttp import ClientError

VARIABLES = ["wind", "gust", "wave", "sst", "temp", "pressure", "rain", "cloud"]

KNOTS_PER_M_S = 3600 / 1852

#: Longest wait for one reply, seconds. A place that nobody asked for recently takes the service some seconds.
TIMEOUT_S = 60


class ServiceError(Exception):
    """The service does not answer as it should."""


class AuthError(ServiceError):
    """The service does not accept the key."""


class LimitError(ServiceError):
    """The key has reached its limit of requests."""


@dataclass(frozen=True)
class Hour:
    """Weather of one hour. Directions are those that wind and waves come FROM, degrees. None is a value that does not
    exist, as on land."""

    time: datetime
    wind_m_s: float | None
    wind_from: float | None
    gust_m_s: float | None
    wave_m: float | None
    wave_from: float | None
    wave_period_s: float | None
    sea_c: float | None
    air_c: float | None
    pressure_hpa: float | None
    rain_mm_h: float | None
    cloud_percent: float | None


@dataclass(frozen=True)
class Water:
    """A high or low water. Height in metres above the datum of the station."""

    time: datetime
    height_m: float


@dataclass(frozen=True)
class Tide:
    """The tide of the nearest station by water."""

    station: str
    datum: str
    attribution: str
    height_m: float | None
    trend: str | None
    waters: tuple[tuple[str, Water], ...]

    def after(self, kind: str, now: datetime) -> Water | None:
        """The next high or low water."""
        return next((water for one, water in self.waters if one == kind and water.time >= now), None)


@dataclass(frozen=True)
class Storm:
    """A tropical cyclone and its distance now, km. `forecast` is False where nobody says where it goes."""

    name: str
    distance_km: float
    forecast: bool
    closest_km: float | None
    closest_at: datetime | None


@dataclass(frozen=True)
class Answers:
    """What the service says of a place. `tide` is None where no station is near, and there are no storms
    where the service has no bulletins."""

    hours: tuple[Hour, ...]
    credits: tuple[str, ...]
    notices: tuple[str, ...]
    tide: Tide | None
    storms: tuple[Storm, ...]

    def current(self, now: datetime) -> Hour | None:
        """The hour that is nearest to now."""
        near = [hour for hour in self.hours if abs(hour.time - now) <= timedelta(minutes=30)]
        return min(near, key=lambda hour: abs(hour.time - now), default=None)

    def hours_until(self, quantity: str, limit: float, now: datetime) -> float | None:
        """Hours from now until a quantity exceeds a limit; 0 while it does; None if it stays below as far as the
        forecast goes. Hours without a value are passed over."""
        begun = now - timedelta(minutes=30)
        for hour in self.hours:
            value = getattr(hour, quantity)
            if hour.time >= begun and value is not None and value > limit:
                return max(0.0, round((hour.time - now).total_seconds() / 3600, 1))
        return None


class Api:
    """A service, asked over a session of aiohttp."""

    def __init__(self, session: Any, url: str, key: str | None) -> None:
        self._session = session
        self._url = url.rstrip("/")
        self._headers = {"x-api-key": key} if key else {}

    async def answers(
        self, latitude: float, longitude: float, provider: str, now: datetime, hours: int
    ) -> Answers:
        """Everything that the integration shows of a place, as it is now."""
        place = {"latitude": latitude, "longitude": longitude}
        weather, tide, storms = await asyncio.gather(
            self._weather(place, now, hours), self._tide(place), self._storms(place, provider)
        )
        meta = weather.get("meta", {})
        provenance = meta.get("provenance", [])
        return Answers(
            hours=tuple(_hour(row) for row in weather["results"]),
            credits=_distinct(entry.get("credit") for entry in provenance),
            notices=_distinct(entry.get("notice") for entry in provenance),
            tide=None if tide is None else _tide(tide),
            storms=() if storms is None else _storms_of(storms),
        )

    async def check(self, latitude: float, longitude: float, now: datetime) -> None:
        """Asks for one hour. Raises ServiceError."""
        await self._weather({"latitude": latitude, "longitude": longitude}, now, 0)

    async def _weather(self, place: dict, now: datetime, hours: int) -> dict:
        first = now.astimezone(timezone.utc).replace(minute=0, second=0, microsecond=0)
        points = [{**place, "timestamp": _instant(first + timedelta(hours=hour))} for hour in range(hours + 1)]
        reply = await self._ask("POST", "/MetOcean", {"points": points, "variables": VARIABLES})
        if reply.get("status") != "SUCCESS":
            raise ServiceError(f"{self._url} has no weather: {reply.get('error')}")
        return reply["result"]

    async def _tide(self, place: dict) -> dict | None:
        query = f"/tides?lat={place['latitude']}&lon={place['longitude']}&kind=tide"
        return await self._ask("GET", query, absent=(404, 503))

    async def _storms(self, place: dict, provider: str) -> dict | None:
        vessel = {**place, "course_deg": 0, "speed_kt": 0}
        body = {"provider": provider, "vessel": vessel}
        return await self._ask("POST", "/storms/approach", body, absent=(503,))

    async def _ask(self, method: str, path: str, body: Any = None, absent: tuple = ()) -> Any:
        """The JSON of a reply; None for a status of `absent`. Raises ServiceError."""
        try:
            return await asyncio.wait_for(self._answer(method, path, body, absent), TIMEOUT_S)
        except asyncio.TimeoutError as error:
            raise ServiceError(f"{self._url} does not answer within {TIMEOUT_S} s") from error
        except (ClientError, OSError, ValueError) as error:
            raise ServiceError(f"{self._url} does not answer: {error}") from error

    async def _answer(self, method: str, path: str, body: Any, absent: tuple) -> Any:
        async with self._session.request(method, self._url + path, json=body, headers=self._headers) as reply:
            if reply.status in (401, 403):
                raise AuthError(f"{self._url} does not accept the key")
            if reply.status == 429:
                raise LimitError(f"{self._url} has no more requests for this key at the moment")
            if reply.status in absent:
                return None
            if reply.status != 200:
                raise ServiceError(f"{self._url} answers {path.split('?')[0]} with status {reply.status}")
            return await reply.json()


def _instant(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def _time(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)


def _distinct(texts: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text))


def _hour(row: dict) -> Hour:
    value = row["conditions"].get
    return Hour(
        time=_time(row["coordinates"]["timestamp"]),
        wind_m_s=value("Winds_10m_Intensity"),
        wind_from=value("Winds_10m_Direction"),
        gust_m_s=value("Gust_10m"),
        wave_m=value("Waves_Significant_Height"),
        wave_from=value("Waves_Mean_Direction"),
        wave_period_s=value("Waves_Mean_Period"),
        sea_c=value("Sea_Surface_Temperature"),
        air_c=value("Temperature_2m"),
        pressure_hpa=value("Pressure"),
        rain_mm_h=value("Precipitation"),
        cloud_percent=value("Cloud_Cover"),
    )


def _tide(reply: dict) -> Tide:
    now = reply.get("now") or {}
    return Tide(
        station=reply["station"]["name"],
        datum=reply["datum"],
        attribution=reply["attribution"],
        height_m=now.get("height_m"),
        trend=now.get("trend"),
        waters=tuple(
            (water["type"], Water(_time(water["time"]), water["height_m"])) for water in reply["extremes"]
        ),
    )


def _storms_of(reply: dict) -> tuple[Storm, ...]:
    """Storms, the nearest first."""
    storms = [
        Storm(
            name=storm["name"] or storm["id"],
            distance_km=storm["now"]["distance_km"],
            forecast=True,
            closest_km=storm["closest"]["distance_km"],
            closest_at=datetime.fromtimestamp(storm["closest"]["time"], timezone.utc),
        )
        for storm in reply["results"]
        if storm.get("now")
    ] + [
        Storm(storm["name"] or storm["id"], storm["km"], False, None, None)
        for storm in reply["without_forecast"]
        if storm["is_active"] and storm.get("km") is not None
    ]
    return tuple(sorted(storms, key=lambda storm: storm.distance_km))
