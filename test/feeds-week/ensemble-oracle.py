"""Statistics by numpy over members that eccodes decodes: ensemble-oracle.py FILE… prints one JSON object.

Each FILE has the messages of one member at one step; wind gusts (0/2/22) are read. Rows are south to north, columns west to
east from -180 on.
"""
import json, sys
import eccodes as ec
import numpy as np

members = []
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        while (handle := ec.codes_grib_new_from_file(file)) is not None:
            if [ec.codes_get(handle, key) for key in ("discipline", "parameterCategory", "parameterNumber")] == [0, 2, 22]:
                shape = ec.codes_get(handle, "Nj"), ec.codes_get(handle, "Ni")
                west = ec.codes_get(handle, "longitudeOfFirstGridPointInDegrees")
                values = ec.codes_get_values(handle).reshape(shape)[::-1]
                members.append(np.roll(values, round((west + 180) % 360 / 360 * shape[1]), axis=1))
            ec.codes_release(handle)
members = np.array(members)
out = {f"p{p}": np.percentile(members, p, axis=0) for p in (10, 25, 50, 75, 90)}
out["mean"], out["spread"] = members.mean(axis=0), members.std(axis=0, ddof=1)
for knots in (22, 34, 48):
    out[f"over_{knots}kn"] = 100 * (members > knots * 1852 / 3600).sum(axis=0) / len(members)
out["closest"] = np.min([np.abs(members - knots * 1852 / 3600).min() for knots in (22, 34, 48)])
print(json.dumps({name: np.asarray(values).ravel().tolist() for name, values in out.items()}))
