"""Sensors of a place."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Callable

from homeassistant.components.sensor import (
    SensorDeviceClass,
    SensorEntity,
    SensorEntityDescription,
    SensorStateClass,
)
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import DEGREE, UnitOfLength, UnitOfSpeed, UnitOfTemperature, UnitOfTime
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddEntitiesCallback
from homeassistant.helpers.update_coordinator import CoordinatorEntity
from homeassistant.util import dt as dt_util

from .api import KNOTS_PER_M_S, Answers
from .const import CONF_WAVE_LIMIT, CONF_WIND_LIMIT
from .coordinator import OpenMetoceanCoordinator
from .entity import attribution_of, device_of

#: A state and its attributes, read from answers at a time with the options of the entry. None is an unknown state.
Read = Callable[[Answers, datetime, Any], Any]


def _of_hour(name: str) -> Read:
    def read(answers: Answers, now: datetime, _options: Any) -> Any:
        hour = answers.current(now)
        return (None if hour is None else getattr(hour, name)), {}

    return read


def _tide_height(answers: Answers, _now: datetime, _options: Any) -> Any:
    tide = answers.tide
    if tide is None:
        return None, {}
    names = {"station": tide.station, "datum": tide.datum, "trend": tide.trend, "source": tide.attribution}
    return tide.height_m, names


def _next_water(kind: str) -> Read:
    def read(answers: Answers, now: datetime, _options: Any) -> Any:
        water = answers.tide and answers.tide.after(kind, now)
        return (water.time, {"height_m": water.height_m}) if water else (None, {})

    return read


def _nearest_storm(answers: Answers, _now: datetime, _options: Any) -> Any:
    if not answers.storms:
        return None, {}
    storm = answers.storms[0]
    return storm.distance_km, {
        "storm": storm.name,
        "has_forecast": storm.forecast,
        "closest_km": storm.closest_km,
        "closest_at": storm.closest_at,
    }


def _hours_to_wind_limit(answers: Answers, now: datetime, options: Any) -> Any:
    limit = options[CONF_WIND_LIMIT]
    return answers.hours_until("wind_m_s", limit / KNOTS_PER_M_S, now), {"limit_kt": limit}


def _hours_to_wave_limit(answers: Answers, now: datetime, options: Any) -> Any:
    limit = options[CONF_WAVE_LIMIT]
    return answers.hours_until("wave_m", limit, now), {"limit_m": limit}


def _described(key: str, **more: Any) -> SensorEntityDescription:
    return SensorEntityDescription(key=key, translation_key=key, **more)


def _measured(key: str, device_class: Any, unit: str, decimals: int) -> SensorEntityDescription:
    return _described(
        key,
        device_class=device_class,
        native_unit_of_measurement=unit,
        state_class=SensorStateClass.MEASUREMENT,
        suggested_display_precision=decimals,
    )


def _direction(key: str) -> SensorEntityDescription:
    # A mean of directions is not that of their numbers, so there is no state class, which would make statistics.
    return _described(key, native_unit_of_measurement=DEGREE, suggested_display_precision=0)


_SPEED, _METRES = UnitOfSpeed.METERS_PER_SECOND, UnitOfLength.METERS
_WIND, _LENGTH = SensorDeviceClass.WIND_SPEED, SensorDeviceClass.DISTANCE
_DURATION, _HOURS = SensorDeviceClass.DURATION, UnitOfTime.HOURS

SENSORS: tuple[tuple[SensorEntityDescription, Read], ...] = (
    (_measured("wind_speed", _WIND, _SPEED, 1), _of_hour("wind_m_s")),
    (_direction("wind_direction"), _of_hour("wind_from")),
    (_measured("gust", _WIND, _SPEED, 1), _of_hour("gust_m_s")),
    (_measured("wave_height", _LENGTH, _METRES, 1), _of_hour("wave_m")),
    (_direction("wave_direction"), _of_hour("wave_from")),
    (_measured("wave_period", _DURATION, UnitOfTime.SECONDS, 1), _of_hour("wave_period_s")),
    (_measured("tide_height", _LENGTH, _METRES, 2), _tide_height),
    (_described("next_high_water", device_class=SensorDeviceClass.TIMESTAMP), _next_water("high")),
    (_described("next_low_water", device_class=SensorDeviceClass.TIMESTAMP), _next_water("low")),
    (
        _measured("sea_temperature", SensorDeviceClass.TEMPERATURE, UnitOfTemperature.CELSIUS, 1),
        _of_hour("sea_c"),
    ),
    (_measured("nearest_storm", _LENGTH, UnitOfLength.KILOMETERS, 0), _nearest_storm),
    (_measured("hours_to_wind_limit", _DURATION, _HOURS, 0), _hours_to_wind_limit),
    (_measured("hours_to_wave_limit", _DURATION, _HOURS, 0), _hours_to_wave_limit),
)


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddEntitiesCallback
) -> None:
    """Adds the sensors of an entry."""
    async_add_entities(
        OpenMetoceanSensor(entry.runtime_data, entry, description, read) for description, read in SENSORS
    )


class OpenMetoceanSensor(CoordinatorEntity, SensorEntity):
    """One number of a place."""

    _attr_has_entity_name = True

    def __init__(
        self,
        coordinator: OpenMetoceanCoordinator,
        entry: ConfigEntry,
        description: SensorEntityDescription,
        read: Read,
    ) -> None:
        super().__init__(coordinator)
        self.entity_description = description
        self._entry = entry
        self._read = read
        self._attr_unique_id = f"{entry.entry_id} {description.key}"
        self._attr_device_info = device_of(entry)

    def _now(self) -> tuple[Any, dict[str, Any]]:
        return self._read(self.coordinator.data, dt_util.utcnow(), self._entry.options)

    @property
    def native_value(self) -> Any:
        """The state; None is unknown."""
        return self._now()[0]

    @property
    def extra_state_attributes(self) -> dict[str, Any]:
        """What the number belongs to."""
        return self._now()[1]

    @property
    def attribution(self) -> str:
        """The credits of the data."""
        return attribution_of(self.coordinator)
