"""Client of an Open MetOcean service: marine weather at points and in boxes, tasks, storms, passages,
watches.

Standard library only. With pandas :meth:`Client.points` takes and returns DataFrames; with xarray and netCDF4
:meth:`Client.box` returns Datasets.
"""

from .client import Client
from .errors import (
    AuthenticationError,
    Conflict,
    ConnectionFailed,
    Expired,
    HttpError,
    MetOceanError,
    NotFound,
    RateLimited,
    RequestFailed,
    StorageFull,
    TaskCancelled,
    TooLarge,
    Unavailable,
    UnexpectedReply,
    ValidationError,
)
from .tasks import Task

__all__ = [
    "AuthenticationError",
    "Client",
    "Conflict",
    "ConnectionFailed",
    "Expired",
    "HttpError",
    "MetOceanError",
    "NotFound",
    "RateLimited",
    "RequestFailed",
    "StorageFull",
    "Task",
    "TaskCancelled",
    "TooLarge",
    "Unavailable",
    "UnexpectedReply",
    "ValidationError",
]
