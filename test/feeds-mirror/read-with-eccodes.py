#!/usr/bin/python3
"""Prints what eccodes reads in a GRIB2 file: one JSON line a field, with values at every n-th node (null = missing).

read-with-eccodes.py FILE N   (Debian's python3-eccodes)
"""
import json, sys
import eccodes as ec

KEYS = ["shortName", "dataDate", "dataTime", "stepRange", "typeOfLevel", "level", "Ni", "Nj", "dataRepresentationTemplateNumber"]

with open(sys.argv[1], "rb") as file:
    while (message := ec.codes_grib_new_from_file(file)) is not None:
        ec.codes_set(message, "missingValue", 1e20)
        keys = {key: ec.codes_get(message, key) for key in KEYS}
        values = ec.codes_get_values(message)
        latitudes, longitudes = (ec.codes_get_array(message, key) for key in ("latitudes", "longitudes"))
        picks = range(0, len(values), int(sys.argv[2]))
        print(json.dumps({
            **keys,
            "places": [[round(float(latitudes[i]), 6), round(float(longitudes[i]), 6)] for i in picks],
            "values": [None if values[i] > 1e19 else float(values[i]) for i in picks],
        }))
        ec.codes_release(message)
