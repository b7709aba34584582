import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./archive.ts";

const PYTHON = "/usr/bin/python3";

/** Reads every message of a file: the keys that tests compare, and the values, null where missing. */
const script = `
import eccodes as e, json, sys, numpy
out = []
with open(sys.argv[1], "rb") as f:
    while True:
        h = e.codes_grib_new_from_file(f)
        if h is None: break
        m = {}
        for key in sys.argv[2].split(","):
            try: m[key] = e.codes_get(h, key)
            except Exception: m[key] = None
        e.codes_set(h, "missingValue", 1e30)
        v = e.codes_get_values(h)
        m["values"] = [None if x == 1e30 else x for x in v.tolist()]
        places = e.codes_grib_iterator_new(h, 0)
        m["first"] = list(e.codes_grib_iterator_next(places))[:2]
        e.codes_grib_iterator_delete(places)
        m["latitudes"] = e.codes_get_array(h, "distinctLatitudes").tolist()
        m["longitudes"] = e.codes_get_array(h, "distinctLongitudes").tolist()
        out.append(m)
print(json.dumps(out))
`;

export interface EccodesMessage {
  [key: string]: unknown;
  /** Values in the order of the message; null = missing. */
  values: (number | null)[];
  /** Latitude and longitude of the first value, degrees. */
  first: [number, number];
  /** Rows and columns of the grid, degrees. */
  latitudes: number[];
  longitudes: number[];
}

/**
 * Whether eccodes and cdo are installed, as they are in CI.
 *
 * @throws where they are missing and REQUIRE_ECCODES is set.
 */
export function hasEccodes(): boolean {
  const found =
    spawnSync(PYTHON, ["-c", "import eccodes, numpy"]).status === 0 &&
    spawnSync("cdo", ["--version"]).status === 0;
  if (!found && process.env.REQUIRE_ECCODES) throw new Error("python3-eccodes and cdo are not installed");
  return found;
}

const usualKeys = [
  "discipline,parameterCategory,parameterNumber,typeOfFirstFixedSurface,level,shortName,units",
  "dataDate,dataTime,validityDate,validityTime,stepRange,stepType,significanceOfReferenceTime,productionStatusOfProcessedData",
  "gridType,Ni,Nj,scanningMode,packingType,bitsPerValue,bitmapPresent,numberOfMissing,centre,productDefinitionTemplateNumber",
];

/** @param keys Keys of eccodes that are read besides the usual ones; null where a message does not have them. */
export function readByEccodes(bytes: Uint8Array, keys: readonly string[] = []): EccodesMessage[] {
  const file = join(temporaryFolder(), "written.grib2");
  writeFileSync(file, bytes);
  const json = execFileSync(PYTHON, ["-c", script, file, [...usualKeys, ...keys].join()], {
    maxBuffer: 2 ** 30,
  });
  return JSON.parse(json.toString()) as EccodesMessage[];
}

/**
 * The value of a message at a node; null where it is missing.
 *
 * @param longitude Degrees, of any turn.
 */
export function valueAtNode(
  { latitudes, longitudes, first, values }: EccodesMessage,
  { latitude, longitude }: { latitude: number; longitude: number },
): number | null {
  const column = longitudes.findIndex((value) => Math.abs(((value - longitude + 540) % 360) - 180) < 1e-6);
  const row = latitudes.findIndex((value) => Math.abs(value - latitude) < 1e-6);
  const fromFirst = Math.abs(first[0] - latitudes[0]!) < 1e-6 ? row : latitudes.length - 1 - row;
  return values[fromFirst * longitudes.length + column]!;
}
