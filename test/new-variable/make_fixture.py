#!/usr/bin/python3
"""Writes visibility.grib2 beside itself: GFS visibility (discipline 0, category 19, number 0) at the surface.

Two steps, at 2026-01-01T00:00Z and three hours later, on a global 10° grid. The value is 12 000 m + 100 m for each degree
north, and 1000 m more at the second step. Run with Debian's /usr/bin/python3 and python3-eccodes.
"""
import os
import eccodes as ec
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS, COLUMNS, STEP = 19, 36, 10

with open(os.path.join(HERE, "visibility.grib2"), "wb") as out:
    for hour in (0, 3):
        handle = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
        keys = {
            "centre": "kwbc", "dataDate": 20260101, "dataTime": 0,
            "productDefinitionTemplateNumber": 0, "indicatorOfUnitOfTimeRange": 1, "forecastTime": hour,
            "discipline": 0, "parameterCategory": 19, "parameterNumber": 0,
            "typeOfFirstFixedSurface": 1, "typeOfSecondFixedSurface": 255,
            "Ni": COLUMNS, "Nj": ROWS,
            "latitudeOfFirstGridPointInDegrees": 90, "latitudeOfLastGridPointInDegrees": -90,
            "longitudeOfFirstGridPointInDegrees": 0, "longitudeOfLastGridPointInDegrees": 360 - STEP,
            "iDirectionIncrementInDegrees": STEP, "jDirectionIncrementInDegrees": STEP,
            "bitsPerValue": 16,
        }
        for key, value in keys.items():
            ec.codes_set(handle, key, value)
        rows = [12_000 + 100 * (90 - STEP * row) + (1000 if hour else 0) for row in range(ROWS)]
        ec.codes_set_values(handle, np.repeat(rows, COLUMNS).astype(float))
        ec.codes_write(handle, out)
        ec.codes_release(handle)
