#!/usr/bin/python3
"""Writes wind.grib2 beside itself: GFS wind 10 m above the ground on a global 10° grid, 2026-11-26T00:00Z and three hours later.

Everywhere 8 m/s eastward and -3 m/s northward. Run with Debian's /usr/bin/python3 and python3-eccodes.
"""
import os
import eccodes as ec
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS, COLUMNS, STEP = 19, 36, 10

with open(os.path.join(HERE, "wind.grib2"), "wb") as out:
    for hour in (0, 3):
        for number, value in ((2, 8.0), (3, -3.0)):
            handle = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
            keys = {
                "centre": "kwbc", "dataDate": 20261126, "dataTime": 0,
                "productDefinitionTemplateNumber": 0, "indicatorOfUnitOfTimeRange": 1, "forecastTime": hour,
                "discipline": 0, "parameterCategory": 2, "parameterNumber": number,
                "typeOfFirstFixedSurface": 103, "scaleFactorOfFirstFixedSurface": 0,
                "scaledValueOfFirstFixedSurface": 10, "typeOfSecondFixedSurface": 255,
                "Ni": COLUMNS, "Nj": ROWS,
                "latitudeOfFirstGridPointInDegrees": 90, "latitudeOfLastGridPointInDegrees": -90,
                "longitudeOfFirstGridPointInDegrees": 0, "longitudeOfLastGridPointInDegrees": 360 - STEP,
                "iDirectionIncrementInDegrees": STEP, "jDirectionIncrementInDegrees": STEP,
                "bitsPerValue": 16,
            }
            for key, key_value in keys.items():
                ec.codes_set(handle, key, key_value)
            ec.codes_set_values(handle, np.full(ROWS * COLUMNS, value))
            ec.codes_write(handle, out)
            ec.codes_release(handle)
