"""The integration, loaded against stubs of Home Assistant, on a running service at METOCEAN_URL with METOCEAN_KEY."""

import json
import os
import unittest

from . import stubs

stubs.install()

from custom_components import open_metocean  # noqa: E402
from custom_components.open_metocean import sensor, weather  # noqa: E402

URL, KEY = os.environ["METOCEAN_URL"], os.environ["METOCEAN_KEY"]


def ask(path, body=None):
    return stubs.over_http("POST" if body else "GET", URL + path, body, {"x-api-key": KEY})


class OnARunningService(unittest.IsolatedAsyncioTestCase):
    async def test_the_numbers_are_those_of_the_service(self):
        data = {"url": URL, "api_key": KEY, "latitude": 48.3, "longitude": -5.2, "provider": "jtwc"}
        hass = stubs.Hass(stubs.Session(stubs.over_http))
        entry = stubs.Entry(data, {"wind_limit": 1.0, "wave_limit": 20.0})
        await open_metocean.async_setup_entry(hass, entry)
        added = []
        await sensor.async_setup_entry(hass, entry, added.extend)
        states = {one.entity_description.key: one.native_value for one in added}
        place = {"latitude": 48.3, "longitude": -5.2}
        body = {"points": [{**place, "timestamp": "2026-01-01T00:00:00Z"}], "variables": ["wind", "wave", "sst"]}
        values = ask("/MetOcean", body)[1]["result"]["results"][0]["conditions"]
        self.assertEqual(states["wind_speed"], values["Winds_10m_Intensity"])
        self.assertEqual(states["wind_direction"], values["Winds_10m_Direction"])
        self.assertEqual(states["wave_height"], values["Waves_Significant_Height"])
        self.assertEqual(states["sea_temperature"], values["Sea_Surface_Temperature"])
        tide = ask("/tides?lat=48.3&lon=-5.2&kind=tide")[1]
        self.assertEqual(states["tide_height"], tide["now"]["height_m"])
        self.assertIn(states["next_high_water"].strftime("%Y-%m-%dT%H:%M:%SZ"), json.dumps(tide["extremes"]))
        self.assertGreater(states["nearest_storm"], 0)
        self.assertEqual((states["hours_to_wind_limit"], states["hours_to_wave_limit"]), (0, None))
        self.assertIn("Not for navigation.", added[0].attribution)
        places = []
        await weather.async_setup_entry(hass, entry, places.extend)
        self.assertGreater(len(places[0]._async_forecast_hourly()), 100)

    async def test_a_wrong_key(self):
        hass = stubs.Hass(stubs.Session(stubs.over_http))
        data = {"url": URL, "api_key": "wrong", "latitude": 48.3, "longitude": -5.2, "provider": "jtwc"}
        with self.assertRaises(stubs.ConfigEntryAuthFailed):
            await open_metocean.async_setup_entry(hass, stubs.Entry(data, {}))
