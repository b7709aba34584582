import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codedValues } from "#lib/grib2/coded-values.ts";
import { type GribPacking, gribMessage } from "#lib/grib2/message.ts";
import { regularGrid } from "#lib/grib2/regular-grid.ts";
import { bufferSource } from "#server/ingest/byte-source.ts";
import { decodeGrib2 } from "#server/ingest/grib2/decode.ts";
import { scanGrib2 } from "#server/ingest/grib2/scan.ts";
import { median } from "./median.ts";

const PASSES = 9;
const [ROWS, COLUMNS] = [721, 1440];
const DECIMALS = 2;

const axis = (start: number, step: number, count: number) =>
  Float64Array.from({ length: count }, (_, i) => start + i * step);

/** A 0.25° globe: weather-like numbers with noise of some hundredths, and with land or without. */
function field(withLand: boolean): Float64Array {
  return Float64Array.from({ length: ROWS * COLUMNS }, (_, i) => {
    const [row, column] = [Math.floor(i / COLUMNS), i % COLUMNS];
    const [lat, lon] = [(row - 360) / 230, (column / COLUMNS) * 2 * Math.PI];
    if (withLand && Math.sin(3 * lon + lat) + Math.cos(5 * lat) > 0.9) return Number.NaN;
    const noise = ((i * 2_654_435_761) % 1000) / 12_000;
    return 9 * Math.sin(7 * lon) * Math.cos(4 * lat) + 4 * Math.cos(23 * lon + 9 * lat) + noise;
  });
}

/**
 * Encodes the same doubles in the same packing, precision and bitmap with eccodes: a message is cloned, its values are set
 * (which packs them), and its bytes are taken.
 */
const eccodes = `
import sys, time, numpy, json, eccodes as ec
values = numpy.fromfile(sys.argv[1])
missing = numpy.isnan(values).any()
values[numpy.isnan(values)] = 9999
h = ec.codes_grib_new_from_samples("regular_ll_sfc_grib2")
for key, value in (("Ni", ${COLUMNS}), ("Nj", ${ROWS}), ("latitudeOfFirstGridPointInDegrees", 90), ("latitudeOfLastGridPointInDegrees", -90),
    ("longitudeOfFirstGridPointInDegrees", 180), ("longitudeOfLastGridPointInDegrees", 179.75), ("iDirectionIncrementInDegrees", 0.25),
    ("jDirectionIncrementInDegrees", 0.25), ("bitmapPresent", 1 if missing else 0), ("missingValue", 9999), ("decimalPrecision", ${DECIMALS})):
    ec.codes_set(h, key, value)
complex = sys.argv[3] == "complex"
times = []
for _ in range(int(sys.argv[2])):
    c = ec.codes_clone(h)
    begin = time.perf_counter()
    ec.codes_set_values(c, values)
    # It packs complex messages only out of others.
    if complex: ec.codes_set(c, "packingType", "grid_complex_spatial_differencing")
    message = ec.codes_get_message(c)
    times.append(time.perf_counter() - begin)
    back = ec.codes_get_values(c)
    kind = ec.codes_get(c, "packingType")
    ec.codes_release(c)
print(json.dumps([sorted(times)[len(times) // 2], len(message), kind, float(abs(back - values).max())]))
`;

/** Prints size and speed of written GRIB2 messages, against eccodes in a Python process of the same run. */
export async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "grib2-write-"));
  for (const withLand of [false, true]) {
    const values = field(withLand);
    // eccodes is given the order of the message: rows north to south.
    const turned = new Float64Array(values.length);
    for (let row = 0; row < ROWS; row++)
      turned.set(values.subarray(row * COLUMNS, (row + 1) * COLUMNS), (ROWS - 1 - row) * COLUMNS);
    const file = join(folder, "values");
    writeFileSync(file, turned);
    for (const packing of ["simple", "complex"] as const) {
      const { seconds, bytes } = ours(values, packing);
      const theirs = timeEccodes(file, packing);
      const against = theirs
        ? `eccodes ${(theirs.seconds * 1e3).toFixed(1)} ms, ${theirs.bytes} B (${theirs.kind}, off by ${theirs.off.toFixed(4)}): ` +
          `speed ${(theirs.seconds / seconds).toFixed(2)}×, size ${(theirs.bytes / bytes).toFixed(2)}×`
        : "eccodes not measured: no /usr/bin/python3 with eccodes";
      const what = withLand ? "a globe with land" : "a globe";
      console.log(
        `grib2 write: ${what} at 0.25°, ${packing}: ${(seconds * 1e3).toFixed(1)} ms, ${bytes} B; ${against}`,
      );
    }
  }
  rmSync(folder, { recursive: true });
}

function ours(values: Float64Array, packing: GribPacking): { seconds: number; bytes: number } {
  const grid = regularGrid(axis(-90, 0.25, ROWS), axis(-180, 0.25, COLUMNS));
  const times: number[] = [];
  let message: Uint8Array = new Uint8Array();
  for (let pass = 0; pass < PASSES; pass++) {
    const begin = performance.now();
    message = gribMessage(
      {
        discipline: 0,
        category: 2,
        number: 2,
        surface: { type: 103, value: 10 },
        grid,
        referenceTime: 0,
        validTime: 0,
        synthetic: true,
        values: codedValues(values, COLUMNS, DECIMALS),
      },
      packing,
    );
    times.push((performance.now() - begin) / 1e3);
  }
  const source = bufferSource("written", message);
  const read = decodeGrib2(source, scanGrib2(source).fields[0]!);
  for (const [i, value] of values.entries())
    if (Number.isNaN(value) ? !Number.isNaN(read[i]!) : Math.abs(value - read[i]!) > 0.00501)
      throw new Error(`The value at ${i} was ${value}, and is ${read[i]}`);
  return { seconds: median(times), bytes: message.length };
}

function timeEccodes(file: string, packing: GribPacking) {
  if (!existsSync("/usr/bin/python3")) return undefined;
  const { status, stdout, stderr } = spawnSync(
    "/usr/bin/python3",
    ["-c", eccodes, file, String(PASSES), packing],
    {
      encoding: "utf8",
    },
  );
  if (status !== 0) {
    console.error(stderr);
    return undefined;
  }
  const [seconds, bytes, kind, off] = JSON.parse(stdout) as [number, number, string, number];
  return { seconds, bytes, kind, off };
}
