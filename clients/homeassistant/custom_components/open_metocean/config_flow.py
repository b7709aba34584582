"""Asks for the service, the place and the limits."""

from __future__ import annotations

from typing import Any, Mapping

import voluptuous as vol

from homeassistant.config_entries import ConfigEntry, ConfigFlow, ConfigFlowResult, OptionsFlow
from homeassistant.const import CONF_API_KEY, CONF_LATITUDE, CONF_LONGITUDE, CONF_NAME, CONF_URL
from homeassistant.core import callback
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.util import dt as dt_util

from .api import Api, AuthError, LimitError, ServiceError
from .const import (
    CONF_PROVIDER,
    CONF_WAVE_LIMIT,
    CONF_WIND_LIMIT,
    DOMAIN,
    PROVIDERS,
    WAVE_LIMIT_M,
    WIND_LIMIT_KT,
)


def _limits(given: Mapping[str, Any]) -> dict:
    return {
        vol.Required(CONF_WIND_LIMIT, default=given.get(CONF_WIND_LIMIT, WIND_LIMIT_KT)): vol.All(
            vol.Coerce(float), vol.Range(min=1, max=100)
        ),
        vol.Required(CONF_WAVE_LIMIT, default=given.get(CONF_WAVE_LIMIT, WAVE_LIMIT_M)): vol.All(
            vol.Coerce(float), vol.Range(min=0.1, max=20)
        ),
    }


class OpenMetoceanConfigFlow(ConfigFlow, domain=DOMAIN):
    """A place of a service."""

    VERSION = 1

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """The first form."""
        errors: dict[str, str] = {}
        given = user_input or {}
        if user_input is not None:
            url = user_input[CONF_URL].rstrip("/")
            latitude, longitude = user_input[CONF_LATITUDE], user_input[CONF_LONGITUDE]
            await self.async_set_unique_id(f"{url} {latitude:.3f} {longitude:.3f}")
            self._abort_if_unique_id_configured()
            errors = await self._problem(url, user_input.get(CONF_API_KEY), latitude, longitude)
            if not errors:
                options = {name: user_input[name] for name in (CONF_WIND_LIMIT, CONF_WAVE_LIMIT)}
                data = {
                    name: value
                    for name, value in user_input.items()
                    if name not in options and name != CONF_NAME
                }
                return self.async_create_entry(
                    title=user_input[CONF_NAME], data={**data, CONF_URL: url}, options=options
                )
        home = self.hass.config
        schema = vol.Schema(
            {
                vol.Required(CONF_NAME, default=given.get(CONF_NAME, home.location_name)): str,
                vol.Required(CONF_URL, default=given.get(CONF_URL, vol.UNDEFINED)): str,
                vol.Optional(CONF_API_KEY, default=given.get(CONF_API_KEY, vol.UNDEFINED)): str,
                vol.Required(CONF_LATITUDE, default=given.get(CONF_LATITUDE, home.latitude)): cv.latitude,
                vol.Required(
                    CONF_LONGITUDE, default=given.get(CONF_LONGITUDE, home.longitude)
                ): cv.longitude,
                vol.Required(CONF_PROVIDER, default=given.get(CONF_PROVIDER, PROVIDERS[0])): vol.In(PROVIDERS),
                **_limits(given),
            }
        )
        return self.async_show_form(step_id="user", data_schema=schema, errors=errors)

    async def async_step_reauth(self, entry_data: Mapping[str, Any]) -> ConfigFlowResult:
        """The key is no longer accepted."""
        return await self.async_step_reauth_confirm()

    async def async_step_reauth_confirm(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Asks for another key."""
        errors: dict[str, str] = {}
        if user_input is not None:
            entry = self.hass.config_entries.async_get_entry(self.context["entry_id"])
            data = {**entry.data, CONF_API_KEY: user_input[CONF_API_KEY]}
            errors = await self._problem(
                data[CONF_URL], data[CONF_API_KEY], data[CONF_LATITUDE], data[CONF_LONGITUDE]
            )
            if not errors:
                return self.async_update_reload_and_abort(entry, data=data)
        schema = vol.Schema({vol.Required(CONF_API_KEY): str})
        return self.async_show_form(step_id="reauth_confirm", data_schema=schema, errors=errors)

    async def _problem(
        self, url: str, key: str | None, latitude: float, longitude: float
    ) -> dict[str, str]:
        """Why the service does not answer; empty if it does."""
        api = Api(async_get_clientsession(self.hass), url, key)
        try:
            await api.check(latitude, longitude, dt_util.utcnow())
        except AuthError:
            return {"base": "invalid_auth"}
        except LimitError:
            return {"base": "limit_reached"}
        except ServiceError:
            return {"base": "cannot_connect"}
        return {}

    @staticmethod
    @callback
    def async_get_options_flow(config_entry: ConfigEntry) -> OptionsFlow:
        """The form of the limits."""
        return OpenMetoceanOptionsFlow()


class OpenMetoceanOptionsFlow(OptionsFlow):
    """The limits of a place."""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """The only form."""
        if user_input is not None:
            return self.async_create_entry(data=user_input)
        schema = vol.Schema(_limits(self.config_entry.options))
        return self.async_show_form(step_id="init", data_schema=schema)
