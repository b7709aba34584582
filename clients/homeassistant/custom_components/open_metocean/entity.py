"""What all entities of a place have in common."""

from __future__ import annotations

from homeassistant.config_entries import ConfigEntry
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo

from .const import DOMAIN


def device_of(entry: ConfigEntry) -> DeviceInfo:
    """The place of an entry as a device."""
    return DeviceInfo(
        identifiers={(DOMAIN, entry.entry_id)},
        name=entry.title,
        manufacturer="Open MetOcean",
        entry_type=DeviceEntryType.SERVICE,
    )


def attribution_of(coordinator) -> str:
    """The credits of the data. Old and invented data say so first."""
    answers = coordinator.data
    return " ".join([*answers.notices, *answers.credits, "Not for navigation."])
