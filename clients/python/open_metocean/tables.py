"""Points and answers in the forms that callers have them in: lists of dictionaries, pandas, xarray."""

from __future__ import annotations

import datetime as dt
import os
import tempfile
from typing import Any, Iterable, Union

Time = Union[str, dt.datetime]

_COLUMNS = ("latitude", "longitude", "timestamp")
_OTHER_NAMES = {"lat": "latitude", "lon": "longitude", "lng": "longitude", "time": "timestamp"}


def instant(time: Any) -> str:
    """An instant as the service takes it: ``YYYY-MM-DDThh:mm:ssZ``.

    :param time: such a text; or a datetime, pandas.Timestamp or numpy.datetime64. One without a zone is UTC.
        Fractions of a second are dropped.
    :raises ValueError: for a missing time.
    """
    if isinstance(time, str):
        return time
    if type(time).__module__ == "numpy":
        time = time.astype("datetime64[s]").item()
    if not isinstance(time, dt.datetime) or time != time:  # pandas.NaT is a datetime that differs from itself
        raise ValueError(f"This is not an instant: {time!r}")
    if time.tzinfo is None:
        time = time.replace(tzinfo=dt.timezone.utc)
    return time.astimezone(dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def is_frame(table: Any) -> bool:
    """Whether a table is a pandas.DataFrame, without importing pandas."""
    return type(table).__module__.split(".")[0] == "pandas" and hasattr(table, "columns")


def point_list(places: Any) -> list[dict[str, Any]]:
    """Places as the service takes them.

    :param places: a pandas.DataFrame, or dictionaries or tuples, with latitude (degrees north), longitude
        (degrees east, -180..180) and timestamp. ``lat``, ``lon`` and ``time`` are understood too.
    :raises ValueError: where a column is missing.
    """
    if is_frame(places):
        frame = places.rename(columns=_OTHER_NAMES)
        missing = [name for name in _COLUMNS if name not in frame.columns]
        if missing:
            raise ValueError(f"The table has no column {', '.join(missing)}")
        rows: Iterable[Any] = zip(*(frame[name] for name in _COLUMNS))
    else:
        rows = [_row(place) for place in places]
    return [
        {"latitude": float(latitude), "longitude": float(longitude), "timestamp": instant(timestamp)}
        for latitude, longitude, timestamp in rows
    ]


def _row(place: Any) -> tuple[Any, Any, Any]:
    if not isinstance(place, dict):
        latitude, longitude, timestamp = place
        return latitude, longitude, timestamp
    named = {_OTHER_NAMES.get(name, name): value for name, value in place.items()}
    missing = [name for name in _COLUMNS if name not in named]
    if missing:
        raise ValueError(f"A place has no {', '.join(missing)}: {place!r}")
    return named["latitude"], named["longitude"], named["timestamp"]


def rows_of(result: dict[str, Any]) -> list[dict[str, Any]]:
    """A point answer as one dictionary a point: latitude, longitude, timestamp, and the fields asked for."""
    return [{**row["coordinates"], **row["conditions"]} for row in result["results"]]


def beside(places: Any, result: dict[str, Any]) -> Any:
    """An answer in the form of the places: a DataFrame with the same index and columns of its own beside the
    given ones (missing values are NaN), else a list of dictionaries (missing values are None)."""
    if not is_frame(places):
        return rows_of(result)
    import pandas

    rows = [row["conditions"] for row in result["results"]]
    conditions = pandas.DataFrame(rows, index=places.index, dtype="float64")
    kept = places.drop(columns=[name for name in places.columns if name in conditions.columns])
    return pandas.concat([kept, conditions], axis=1)


def has_xarray() -> bool:
    """Whether a NetCDF file can be opened as a dataset here."""
    try:
        import netCDF4  # noqa: F401
        import xarray  # noqa: F401
    except ImportError:
        return False
    return True


def dataset_of(netcdf: bytes) -> Any:
    """An ``xarray.Dataset`` in memory from the bytes of a NetCDF file."""
    import xarray

    # Not from a buffer: netCDF4 reads files alone.
    handle, name = tempfile.mkstemp(suffix=".nc")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(netcdf)
        with xarray.open_dataset(name) as opened:
            return opened.load()
    finally:
        os.unlink(name)
