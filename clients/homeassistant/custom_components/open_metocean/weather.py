"""The weather of a place, with its forecast by the hour."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from homeassistant.components.weather import (
    Forecast,
    SingleCoordinatorWeatherEntity,
    WeatherEntityFeature,
)
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import UnitOfPrecipitationDepth, UnitOfPressure, UnitOfSpeed, UnitOfTemperature
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddEntitiesCallback
from homeassistant.helpers.sun import is_up
from homeassistant.util import dt as dt_util

from .api import Hour
from .coordinator import OpenMetoceanCoordinator
from .entity import attribution_of, device_of

#: From Beaufort 7 on the wind is what matters in dry weather, m/s.
WINDY_M_S = 13.9

#: Rain: from here on the hour counts as rainy, and as pouring, mm/h.
RAINY_MM_H = 0.1
POURING_MM_H = 7.6


def condition_of(hour: Hour, is_day: bool) -> str | None:
    """Home Assistant's word for an hour; None where rain and cloud are not known."""
    rain, cloud, wind = hour.rain_mm_h, hour.cloud_percent, hour.wind_m_s
    if rain is not None and rain >= RAINY_MM_H:
        return "pouring" if rain >= POURING_MM_H else "rainy"
    if wind is not None and wind >= WINDY_M_S:
        return "windy" if cloud is None or cloud < 50 else "windy-variant"
    if cloud is None:
        return None
    if cloud >= 85:
        return "cloudy"
    if cloud >= 20:
        return "partlycloudy"
    return "sunny" if is_day else "clear-night"


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddEntitiesCallback
) -> None:
    """Adds the weather of an entry."""
    async_add_entities([OpenMetoceanWeather(entry.runtime_data, entry)])


class OpenMetoceanWeather(SingleCoordinatorWeatherEntity):
    """The weather of a place."""

    _attr_has_entity_name = True
    _attr_name = None
    _attr_native_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_native_pressure_unit = UnitOfPressure.HPA
    _attr_native_wind_speed_unit = UnitOfSpeed.METERS_PER_SECOND
    _attr_native_precipitation_unit = UnitOfPrecipitationDepth.MILLIMETERS
    _attr_supported_features = WeatherEntityFeature.FORECAST_HOURLY

    def __init__(self, coordinator: OpenMetoceanCoordinator, entry: ConfigEntry) -> None:
        super().__init__(coordinator)
        self._attr_unique_id = f"{entry.entry_id} weather"
        self._attr_device_info = device_of(entry)

    def _value(self, name: str) -> Any:
        hour = self.coordinator.data.current(dt_util.utcnow())
        return None if hour is None else getattr(hour, name)

    def _condition(self, hour: Hour) -> str | None:
        return condition_of(hour, is_up(self.hass, hour.time))

    @property
    def condition(self) -> str | None:
        """The word for the present hour."""
        hour = self.coordinator.data.current(dt_util.utcnow())
        return None if hour is None else self._condition(hour)

    @property
    def native_temperature(self) -> float | None:
        """Of the air at 2 m."""
        return self._value("air_c")

    @property
    def native_pressure(self) -> float | None:
        """At sea level."""
        return self._value("pressure_hpa")

    @property
    def native_wind_speed(self) -> float | None:
        """At 10 m."""
        return self._value("wind_m_s")

    @property
    def native_wind_gust_speed(self) -> float | None:
        """At 10 m."""
        return self._value("gust_m_s")

    @property
    def wind_bearing(self) -> float | None:
        """Where the wind comes from."""
        return self._value("wind_from")

    @property
    def cloud_coverage(self) -> float | None:
        """Percent of the sky."""
        return self._value("cloud_percent")

    @property
    def attribution(self) -> str:
        """The credits of the data."""
        return attribution_of(self.coordinator)

    @callback
    def _async_forecast_hourly(self) -> list[Forecast]:
        now: datetime = dt_util.utcnow()
        return [
            Forecast(
                datetime=hour.time.isoformat(),
                condition=self._condition(hour),
                native_temperature=hour.air_c,
                native_pressure=hour.pressure_hpa,
                native_precipitation=hour.rain_mm_h,
                native_wind_speed=hour.wind_m_s,
                native_wind_gust_speed=hour.gust_m_s,
                wind_bearing=hour.wind_from,
                cloud_coverage=hour.cloud_percent,
            )
            for hour in self.coordinator.data.hours
            if hour.time > now and hour.air_c is not None
        ]
