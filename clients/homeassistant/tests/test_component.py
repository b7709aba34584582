"""The integration, loaded against stubs of Home Assistant."""

import asyncio
import dataclasses
import json
import re
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path

from . import stubs

stubs.install()

from custom_components import open_metocean  # noqa: E402
from custom_components.open_metocean import api, config_flow, sensor, weather  # noqa: E402
from custom_components.open_metocean.const import FORECAST_HOURS  # noqa: E402

FOLDER = Path(__file__).parent.parent / "custom_components" / "open_metocean"
NOW = stubs.clock["now"]
LANGUAGES = ["de", "en", "es", "fr", "ja", "pt", "zh-Hans"]
DATA = {
    "url": "https://weather.example",
    "api_key": "key",
    "latitude": 48.38,
    "longitude": -4.5,
    "provider": "jtwc",
}
OPTIONS = {"wind_limit": 22.0, "wave_limit": 2.0}


def conditions(hour: int) -> dict:
    """Wind and waves that grow by the hour, from 5 m/s and 1 m; no gust."""
    return {
        "Winds_10m_Intensity": 5 + hour,
        "Winds_10m_Direction": 270.0,
        "Gust_10m": None,
        "Waves_Significant_Height": 1 + hour / 4,
        "Waves_Mean_Direction": 260.0,
        "Waves_Mean_Period": 9.0,
        "Sea_Surface_Temperature": 11.5,
        "Temperature_2m": 9.0,
        "Pressure": 1008.5,
        "Precipitation": 0.0 if hour < 3 else 8.0,
        "Cloud_Cover": 50,
    }


def reply(method, url, body, _headers):
    """The answers of a service, of the form of the real ones."""
    path = url.split("weather.example")[1].split("?")[0]
    if path == "/MetOcean":
        results = [
            {"coordinates": point, "conditions": conditions(hour)} for hour, point in enumerate(body["points"])
        ]
        provenance = [{"credit": "NOAA", "notice": "Old."}, {"credit": "NOAA"}]
        return 200, {"status": "SUCCESS", "result": {"results": results, "meta": {"provenance": provenance}}}
    if path == "/tides":
        return 200, {
            "station": {"name": "Brest"},
            "datum": "LAT",
            "attribution": "TICON",
            "now": {"time": "2026-01-01T00:10:00Z", "height_m": 5.3, "trend": "rising"},
            "extremes": [
                {"time": "2026-01-01T00:05:00Z", "type": "low", "height_m": 1.0},
                {"time": "2026-01-01T01:40:00Z", "type": "high", "height_m": 5.94},
                {"time": "2026-01-01T08:05:00Z", "type": "low", "height_m": 1.58},
            ],
        }
    near = {"time": 1767290400, "distance_km": 200.0}
    return 200, {
        "results": [{"id": "AL01", "name": "ANA", "now": {"distance_km": 900.0}, "closest": near}],
        "without_forecast": [
            {"id": "AL90", "name": None, "is_active": True, "km": 400},
            {"id": "AL91", "name": None, "is_active": False, "km": 10},
            {"id": "AL92", "name": None, "is_active": True},
        ],
    }


def refusing(status):
    return lambda *_asked: (status, None)


def weather_alone(method, url, *rest):
    """No station is near, and the service has no bulletins of storms."""
    if "/tides" in url:
        return 404, None
    return (503, None) if "/storms" in url else reply(method, url, *rest)


async def entities(answer=reply, platform=sensor):
    """The entities of a platform by key, set up as Home Assistant does it."""
    hass = stubs.Hass(stubs.Session(answer))
    entry = stubs.Entry(DATA, OPTIONS)
    assert await open_metocean.async_setup_entry(hass, entry)
    added = []
    await platform.async_setup_entry(hass, entry, added.extend)
    return added, hass, entry


class Sensors(unittest.IsolatedAsyncioTestCase):
    async def states(self, answer=reply):
        added, _hass, _entry = await entities(answer)
        return {one.entity_description.key: one for one in added}

    async def test_values(self):
        states = await self.states()
        expected = {
            "wind_speed": 5,
            "wind_direction": 270.0,
            "gust": None,
            "wave_height": 1.0,
            "wave_direction": 260.0,
            "wave_period": 9.0,
            "tide_height": 5.3,
            "next_high_water": datetime(2026, 1, 1, 1, 40, tzinfo=timezone.utc),
            "next_low_water": datetime(2026, 1, 1, 8, 5, tzinfo=timezone.utc),
            "sea_temperature": 11.5,
            "nearest_storm": 400,
            # 22 kn are 11.3 m/s: first exceeded at 07:00, seen from 00:10. The waves exceed 2 m at 05:00.
            "hours_to_wind_limit": 6.8,
            "hours_to_wave_limit": 4.8,
        }
        self.assertEqual({key: one.native_value for key, one in states.items()}, expected)

    async def test_attributes(self):
        states = await self.states()
        self.assertEqual(states["next_high_water"].extra_state_attributes, {"height_m": 5.94})
        self.assertEqual(states["tide_height"].extra_state_attributes["station"], "Brest")
        self.assertEqual(states["nearest_storm"].extra_state_attributes["storm"], "AL90")
        self.assertFalse(states["nearest_storm"].extra_state_attributes["has_forecast"])
        self.assertEqual(states["wind_speed"].attribution, "Old. NOAA Not for navigation.")

    async def test_what_is_not_there_is_unknown_and_not_zero(self):
        states = await self.states(weather_alone)
        self.assertEqual(states["wind_speed"].native_value, 5)
        for key in ("tide_height", "next_high_water", "next_low_water", "gust", "nearest_storm"):
            self.assertIsNone(states[key].native_value, key)
            self.assertEqual(states[key].extra_state_attributes, {})

    async def test_ids_are_distinct_and_each_has_a_name(self):
        states = await self.states()
        self.assertEqual(len({one.unique_id for one in states.values()}), len(states))
        for one in states.values():
            self.assertEqual(one.entity_description.translation_key, one.entity_description.key)

    async def test_a_state_follows_the_clock_between_two_updates(self):
        states = await self.states()
        try:
            stubs.clock["now"] = NOW + timedelta(hours=5)
            self.assertEqual(states["wind_speed"].native_value, 10)
            self.assertEqual(states["hours_to_wave_limit"].native_value, 0)
            stubs.clock["now"] = NOW + timedelta(hours=FORECAST_HOURS + 5)
            self.assertIsNone(states["wind_speed"].native_value)
            self.assertIsNone(states["hours_to_wind_limit"].native_value)
        finally:
            stubs.clock["now"] = NOW


class Weather(unittest.IsolatedAsyncioTestCase):
    async def test_now_and_the_hours_ahead(self):
        (place,), _hass, _entry = await entities(platform=weather)
        self.assertEqual(place.condition, "partlycloudy")
        now = (place.native_temperature, place.native_pressure, place.native_wind_speed, place.wind_bearing)
        self.assertEqual(now, (9.0, 1008.5, 5, 270.0))
        hours = place._async_forecast_hourly()
        self.assertEqual(len(hours), FORECAST_HOURS)
        self.assertEqual(hours[0]["datetime"], "2026-01-01T01:00:00+00:00")
        self.assertEqual([hours[1]["condition"], hours[2]["condition"]], ["partlycloudy", "pouring"])
        self.assertEqual(hours[2]["native_wind_speed"], 8)

    def test_words(self):
        def word(is_day=True, **values):
            hour = api.Hour(NOW, *[None] * 11)
            return weather.condition_of(dataclasses.replace(hour, **values), is_day)

        self.assertEqual(word(cloud_percent=0), "sunny")
        self.assertEqual(word(False, cloud_percent=0), "clear-night")
        self.assertEqual(word(cloud_percent=90), "cloudy")
        self.assertEqual(word(cloud_percent=0, wind_m_s=14), "windy")
        self.assertEqual(word(cloud_percent=90, wind_m_s=14), "windy-variant")
        self.assertEqual(word(rain_mm_h=0.2, wind_m_s=20), "rainy")
        self.assertIsNone(word())


class Service(unittest.IsolatedAsyncioTestCase):
    async def test_three_requests_with_the_key(self):
        _added, hass, _entry = await entities()
        asked = sorted((method, url.split("?")[0]) for method, url, _body, _headers in hass.session.asked)
        base = DATA["url"]
        self.assertEqual(
            asked, [("GET", f"{base}/tides"), ("POST", f"{base}/MetOcean"), ("POST", f"{base}/storms/approach")]
        )
        self.assertEqual({headers["x-api-key"] for *_rest, headers in hass.session.asked}, {"key"})

    async def test_failures_have_the_meaning_that_home_assistant_gives_them(self):
        for status, error in [
            (401, stubs.ConfigEntryAuthFailed),
            (403, stubs.ConfigEntryAuthFailed),
            (429, stubs.UpdateFailed),
            (503, stubs.UpdateFailed),
        ]:
            with self.assertRaises(error):
                await entities(refusing(status))

        def broken(*_asked):
            raise OSError("no route to host")

        failed = {"status": "FAILURE", "error": "No data"}
        for answer in (broken, lambda *_asked: (200, failed)):
            with self.assertRaises(stubs.UpdateFailed):
                await entities(answer)

    async def test_unloading_and_new_limits(self):
        _added, hass, entry = await entities()
        self.assertEqual(hass.forwarded, ["SENSOR", "WEATHER"])
        await entry.listeners[0](hass, entry)
        self.assertEqual(hass.reloaded, ["one"])
        self.assertTrue(await open_metocean.async_unload_entry(hass, entry))
        self.assertEqual(hass.forwarded, [])


class Flow(unittest.IsolatedAsyncioTestCase):
    given = {**DATA, **OPTIONS, "name": "Brest", "url": "https://weather.example/"}

    def flow(self, answer=reply):
        flow = config_flow.OpenMetoceanConfigFlow()
        flow.hass = stubs.Hass(stubs.Session(answer))
        return flow

    async def test_the_form_begins_with_home(self):
        form = await self.flow().async_step_user()
        defaults = {str(marker): marker.default for marker in form["data_schema"]}
        self.assertEqual((defaults["name"], defaults["latitude"], defaults["wind_limit"]), ("Home", 48.38, 22))

    async def test_an_entry(self):
        entry = await self.flow().async_step_user(self.given)
        self.assertEqual(entry, {"type": "create_entry", "title": "Brest", "data": DATA, "options": OPTIONS})

    async def test_problems_are_shown_in_the_form_which_keeps_what_was_given(self):
        for status, problem in [(401, "invalid_auth"), (429, "limit_reached"), (502, "cannot_connect")]:
            form = await self.flow(refusing(status)).async_step_user(self.given)
            self.assertEqual((form["type"], form["errors"]), ("form", {"base": problem}))
            defaults = {str(marker): marker.default for marker in form["data_schema"]}
            self.assertEqual(defaults["api_key"], "key")

    async def test_a_place_is_configured_once(self):
        flow = self.flow()
        flow.configured = frozenset(["https://weather.example 48.380 -4.500"])
        with self.assertRaises(stubs.AbortFlow):
            await flow.async_step_user(self.given)

    async def test_another_key(self):
        flow = self.flow()
        entry = stubs.Entry(DATA, OPTIONS)
        flow.hass.entries["one"] = entry
        flow.context = {"entry_id": "one"}
        self.assertEqual((await flow.async_step_reauth(DATA))["step_id"], "reauth_confirm")
        self.assertEqual((await flow.async_step_reauth_confirm({"api_key": "new"}))["type"], "abort")
        self.assertEqual(entry.data, {**DATA, "api_key": "new"})

    async def test_limits_are_options(self):
        flow = config_flow.OpenMetoceanConfigFlow.async_get_options_flow(None)
        flow.config_entry = stubs.Entry(DATA, OPTIONS)
        form = await flow.async_step_init()
        self.assertEqual({str(marker) for marker in form["data_schema"]}, set(OPTIONS))
        self.assertEqual((await flow.async_step_init(OPTIONS))["data"], OPTIONS)


class Files(unittest.TestCase):
    def texts(self, language):
        return json.loads((FOLDER / "translations" / f"{language}.json").read_text("utf-8"))

    def keys(self, texts, path=""):
        if isinstance(texts, str):
            return {path: sorted(re.findall(r"\{\w+\}", texts))}
        return {key: of for name, text in texts.items() for key, of in self.keys(text, f"{path}.{name}").items()}

    def test_every_language_has_every_text(self):
        english = self.keys(self.texts("en"))
        self.assertEqual(
            sorted(file.stem for file in (FOLDER / "translations").glob("*.json")), LANGUAGES
        )
        for language in LANGUAGES:
            self.assertEqual(self.keys(self.texts(language)), english, language)

    def test_every_sensor_field_and_problem_has_a_text(self):
        texts = self.texts("en")
        keys = {description.key for description, _read in sensor.SENSORS}
        self.assertEqual(set(texts["entity"]["sensor"]), keys)
        form = asyncio.run(Flow().flow().async_step_user())
        self.assertEqual(set(texts["config"]["step"]["user"]["data"]), {str(one) for one in form["data_schema"]})
        self.assertEqual(set(texts["config"]["error"]), {"invalid_auth", "limit_reached", "cannot_connect"})
        self.assertEqual(set(texts["options"]["step"]["init"]["data"]), set(OPTIONS))

    def test_the_manifest_is_that_of_a_custom_integration_with_a_form(self):
        manifest = json.loads((FOLDER / "manifest.json").read_text("utf-8"))
        self.assertEqual(manifest["domain"], FOLDER.name)
        self.assertTrue(manifest["config_flow"])
        self.assertRegex(manifest["version"], r"^\d+\.\d+\.\d+$")
        self.assertEqual(list(manifest), ["domain", "name", *sorted(set(manifest) - {"domain", "name"})])
