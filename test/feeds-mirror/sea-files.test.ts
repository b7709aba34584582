import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type AnalyticField, analyticValue } from "./analytic.ts";
import { type NetcdfContent, netcdfPieces } from "./netcdf-object.ts";
import { asPublished } from "./published.ts";
import { etopoFile, hycomFile, oisstFile, smocFile } from "./sea-files.ts";

const DAY = Date.UTC(2026, 8, 1) / 1000;
const HOUR_S = 3600;
const planet = { resolution: 2.5 } as const;
const folder = mkdtempSync(join(tmpdir(), "mirror-"));
const python = "/usr/bin/python3";
const hasXarray = spawnSync(python, ["-c", "import xarray, netCDF4"]).status === 0;
afterAll(() => rmSync(folder, { recursive: true }));

const east = "surface_eastward_sea_water_velocity";
const north = "surface_northward_sea_water_velocity";

describe.each<[string, NetcdfContent, Record<string, AnalyticField>, number[], number]>([
  [
    "SMOC",
    smocFile(DAY, DAY, planet, asPublished),
    { utotal: east, vtotal: north },
    Array.from({ length: 24 }, (_, hour) => DAY + hour * HOUR_S),
    1e-6,
  ],
  ["HYCOM", hycomFile(DAY, 3, planet, asPublished), { water_u: east, water_v: north }, [DAY], 0.000_51],
  [
    "OISST",
    oisstFile(DAY, planet, asPublished),
    { sst: "sea_surface_temperature" },
    [DAY + 12 * HOUR_S],
    0.0051,
  ],
  ["ETOPO", etopoFile(5, planet, asPublished), { z: "sea_floor_depth_below_sea_surface" }, [0], 0.001],
])("the file of %s", (name, content, fields, times, tolerance) => {
  const path = join(folder, `${name}.nc`);
  writeFileSync(path, Buffer.concat(netcdfPieces(content, asPublished).map((piece) => piece.bytes())));

  it.skipIf(!hasXarray)(
    "is read by xarray with the same values (needs python3-xarray and python3-netcdf4)",
    () => {
      const [variable, field] = Object.entries(fields)[0]!;
      const script = `
import json, sys, xarray
file = xarray.open_dataset(sys.argv[1], decode_times=False)
data = file[sys.argv[2]].isel({d: -1 for d in file[sys.argv[2]].dims if d[:3] not in ("lat", "lon")}, drop=True)
places = data.stack(place=data.dims)[::997]
print(json.dumps([[float(a), float(b), None if v != v else float(v)] for (a, b), v in zip(places.place.values, places.values)]))`;
      const { stdout, stderr } = spawnSync(python, ["-c", script, path, variable], { encoding: "utf8" });
      expect(stdout, stderr).not.toBe("");
      for (const [latitude, longitude, value] of JSON.parse(stdout) as [number, number, number | null][]) {
        const truth = analyticValue(field, latitude, longitude, times.at(-1)!);
        if (name === "ETOPO") expect(value! >= 0).toBe(Number.isNaN(truth));
        else expect(value === null).toBe(Number.isNaN(truth));
        if (!Number.isNaN(truth))
          expect(Math.abs(Math.abs(value!) - Math.abs(truth))).toBeLessThan(tolerance);
      }
    },
  );
});
