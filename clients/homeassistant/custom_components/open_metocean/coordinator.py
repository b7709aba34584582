"""Asks the service for a place at an interval, for all entities together."""

from __future__ import annotations

import logging

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_API_KEY, CONF_LATITUDE, CONF_LONGITUDE, CONF_URL
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConfigEntryAuthFailed
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.update_coordinator import DataUpdateCoordinator, UpdateFailed
from homeassistant.util import dt as dt_util

from .api import Answers, Api, AuthError, ServiceError
from .const import CONF_PROVIDER, DOMAIN, FORECAST_HOURS, UPDATE_INTERVAL

LOGGER = logging.getLogger(__name__)


class OpenMetoceanCoordinator(DataUpdateCoordinator):
    """The answers for the place of an entry."""

    data: Answers

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry) -> None:
        super().__init__(
            hass, LOGGER, config_entry=entry, name=DOMAIN, update_interval=UPDATE_INTERVAL
        )
        self._entry = entry
        self._api = Api(
            async_get_clientsession(hass), entry.data[CONF_URL], entry.data.get(CONF_API_KEY)
        )

    async def _async_update_data(self) -> Answers:
        data = self._entry.data
        try:
            return await self._api.answers(
                data[CONF_LATITUDE],
                data[CONF_LONGITUDE],
                data[CONF_PROVIDER],
                dt_util.utcnow(),
                FORECAST_HOURS,
            )
        except AuthError as error:
            raise ConfigEntryAuthFailed(str(error)) from error
        except ServiceError as error:
            raise UpdateFailed(str(error)) from error
