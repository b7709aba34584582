"""Stubs of the parts of Home Assistant, aiohttp and voluptuous that the integration imports, so that it is loaded and run without
them. They do as little as the tests need, and state what the integration may call: they are no replacement for a test in
Home Assistant itself."""

from __future__ import annotations

import asyncio
import json
import sys
import types
import urllib.error
import urllib.request
from datetime import datetime, timezone
from typing import Any


class Names:
    """A class of constants: each attribute is its own name."""

    def __init__(self, *names: str) -> None:
        for name in names:
            setattr(self, name, name)


class Described:
    """A description with any fields."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)


class UpdateFailed(Exception):
    """Raised by a coordinator."""


class ConfigEntryAuthFailed(Exception):
    """Raised by a coordinator."""


class AbortFlow(Exception):
    """Raised by a flow that has nothing to do."""


class Coordinator:
    def __init__(self, hass: Any, logger: Any, *, config_entry: Any, name: str, update_interval: Any) -> None:
        self.hass, self.config_entry, self.update_interval = hass, config_entry, update_interval

    async def async_config_entry_first_refresh(self) -> None:
        self.data = await self._async_update_data()


class CoordinatorEntity:
    def __init__(self, coordinator: Any) -> None:
        self.coordinator, self.hass = coordinator, coordinator.hass


class Entity:
    """An entity whose properties are `_attr_…` unless the integration defines them."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self, f"_attr_{name}")


class Flow:
    """A flow as it is called by Home Assistant."""

    hass: Any
    config_entry: Any
    configured: frozenset = frozenset()

    def __init_subclass__(cls, **_domain: Any) -> None:
        super().__init_subclass__()

    async def async_set_unique_id(self, unique_id: str) -> None:
        self.unique_id = unique_id

    def _abort_if_unique_id_configured(self) -> None:
        if self.unique_id in self.configured:
            raise AbortFlow("already_configured")

    def async_show_form(self, **form: Any) -> dict:
        return {"type": "form", **form}

    def async_create_entry(self, **entry: Any) -> dict:
        return {"type": "create_entry", **entry}

    def async_update_reload_and_abort(self, entry: Any, *, data: dict) -> dict:
        entry.data = data
        return {"type": "abort", "reason": "reauth_successful"}


class Marker(str):
    """A key of a schema."""

    def __new__(cls, name: str, default: Any = None) -> "Marker":
        marker = super().__new__(cls, name)
        marker.default = default
        return marker


class Session:
    """The part of aiohttp's session that the integration uses. @param reply Answers a request by status and JSON."""

    def __init__(self, reply: Any) -> None:
        self.reply, self.asked = reply, []

    def request(self, method: str, url: str, *, json: Any, headers: dict) -> "Reply":
        self.asked.append((method, url, json, headers))
        return Reply(self.reply, method, url, json, headers)


class Reply:
    def __init__(self, reply: Any, *asked: Any) -> None:
        self._reply, self._asked = reply, asked

    async def __aenter__(self) -> "Reply":
        self.status, self._body = await asyncio.to_thread(self._reply, *self._asked)
        return self

    async def __aexit__(self, *_error: Any) -> None:
        return None

    async def json(self) -> Any:
        return self._body


def over_http(method: str, url: str, body: Any, headers: dict) -> tuple:
    """Asks a real service."""
    data = None if body is None else json.dumps(body).encode()
    asked = urllib.request.Request(url, data, {**headers, "content-type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(asked, timeout=120) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as error:
        return error.code, None


class Hass:
    """Home Assistant at a place and a time."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.config = Described(location_name="Home", latitude=48.38, longitude=-4.5)
        self.forwarded: list = []
        self.reloaded: list = []
        self.entries: dict = {}
        self.config_entries = self

    async def async_forward_entry_setups(self, _entry: Any, platforms: list) -> None:
        self.forwarded.extend(platforms)

    async def async_unload_platforms(self, _entry: Any, platforms: list) -> bool:
        self.forwarded = [one for one in self.forwarded if one not in platforms]
        return True

    async def async_reload(self, entry_id: str) -> None:
        self.reloaded.append(entry_id)

    def async_get_entry(self, entry_id: str) -> Any:
        return self.entries[entry_id]


class Entry:
    """A configured place."""

    entry_id = "one"
    title = "Brest"

    def __init__(self, data: dict, options: dict) -> None:
        self.data, self.options, self.listeners = data, options, []

    def add_update_listener(self, listener: Any) -> Any:
        self.listeners.append(listener)
        return listener

    def async_on_unload(self, _end: Any) -> None:
        return None


#: The time of all tests.
clock = {"now": datetime(2026, 1, 1, 0, 10, tzinfo=timezone.utc)}


def _module(name: str, **content: Any) -> None:
    module = types.ModuleType(name)
    module.__dict__.update(content)
    sys.modules[name] = module
    parent, _, last = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], last, module)


def install() -> None:
    """Makes the stubs importable under the names of the real modules."""
    for name in ("homeassistant", "homeassistant.components", "homeassistant.helpers", "homeassistant.util"):
        _module(name)
    _module(
        "homeassistant.const",
        **{f"CONF_{name.upper()}": name for name in ("api_key", "latitude", "longitude", "name", "url")},
        Platform=Names("SENSOR", "WEATHER"),
        DEGREE="°",
        UnitOfLength=Names("METERS", "KILOMETERS"),
        UnitOfSpeed=Names("METERS_PER_SECOND"),
        UnitOfTemperature=Names("CELSIUS"),
        UnitOfTime=Names("HOURS", "SECONDS"),
        UnitOfPressure=Names("HPA"),
        UnitOfPrecipitationDepth=Names("MILLIMETERS"),
    )
    _module("homeassistant.core", HomeAssistant=Hass, callback=lambda function: function)
    _module("homeassistant.exceptions", ConfigEntryAuthFailed=ConfigEntryAuthFailed)
    _module(
        "homeassistant.config_entries",
        ConfigEntry=Entry,
        ConfigFlow=Flow,
        OptionsFlow=Flow,
        ConfigFlowResult=dict,
    )
    _module("homeassistant.helpers.aiohttp_client", async_get_clientsession=lambda hass: hass.session)
    _module(
        "homeassistant.helpers.update_coordinator",
        DataUpdateCoordinator=Coordinator,
        CoordinatorEntity=CoordinatorEntity,
        UpdateFailed=UpdateFailed,
    )
    _module("homeassistant.helpers.entity_platform", AddEntitiesCallback=object)
    _module(
        "homeassistant.helpers.device_registry",
        DeviceEntryType=Names("SERVICE"),
        DeviceInfo=lambda **fields: fields,
    )
    _module(
        "homeassistant.helpers.config_validation",
        latitude=float,
        longitude=float,
    )
    _module("homeassistant.helpers.sun", is_up=lambda _hass, time: 8 <= time.hour < 17)
    _module("homeassistant.util.dt", utcnow=lambda: clock["now"])
    _module(
        "homeassistant.components.sensor",
        SensorDeviceClass=Names("WIND_SPEED", "DISTANCE", "DURATION", "TIMESTAMP", "TEMPERATURE"),
        SensorStateClass=Names("MEASUREMENT"),
        SensorEntity=Entity,
        SensorEntityDescription=Described,
    )
    _module(
        "homeassistant.components.weather",
        Forecast=dict,
        WeatherEntityFeature=Names("FORECAST_HOURLY"),
        SingleCoordinatorWeatherEntity=type("SingleCoordinatorWeatherEntity", (CoordinatorEntity, Entity), {}),
    )
    _module("aiohttp", ClientError=type("ClientError", (Exception,), {}))
    _module(
        "voluptuous",
        Schema=lambda schema: schema,
        Required=Marker,
        Optional=Marker,
        UNDEFINED=object(),
        All=lambda *checks: checks,
        Coerce=lambda kind: kind,
        Range=lambda **bounds: bounds,
        In=lambda choices: choices,
    )
