import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { analyticValue } from "#test/feeds-mirror/analytic.ts";
import { ecmwfFields } from "#test/feeds-mirror/ecmwf-fields.ts";
import { gfsWaveFields } from "#test/feeds-mirror/gfs-wave-fields.ts";
import { type GribFile, gribPieces } from "#test/feeds-mirror/grib-object.ts";
import { globe } from "#test/feeds-mirror/planet.ts";
import { asPublished } from "#test/feeds-mirror/published.ts";
import { answers, oneStep } from "./answers.ts";
import { checkArchive } from "./check-archive.ts";
import { feedNamed } from "./short-feed.ts";

const HOUR_S = 3600;
const CYCLE = Date.UTC(2026, 8, 1) / 1000;
const LEAD = 6;
const TIME = CYCLE + LEAD * HOUR_S;
const ECMWF =
  "/ecmwf-forecasts.s3.eu-central-1.amazonaws.com/20260901/00z/ifs/0p25/oper/20260901000000-6h-oper-fc";
const places = [
  { latitude: 10, longitude: 60 },
  { latitude: -35.25, longitude: -20.5 },
  { latitude: 30.75, longitude: 179.75 },
];
const hasEccodes = spawnSync("/usr/bin/python3", ["-c", "import eccodes"]).status === 0;

async function checked(archive: string): Promise<void> {
  const { wrong, compared } = await checkArchive(archive, new Set(), 2000);
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThanOrEqual(10_000);
}

it("a step of GFS-Wave comes from its host to the answer in its real form: pictures of one row of 695,537 sea points", async () => {
  const feed = oneStep(feedNamed("gfswave"), CYCLE, LEAD);
  // Packing all 19 takes ten seconds.
  const elements = gfsWaveFields(CYCLE, LEAD)
    .map(({ element }) => element)
    .filter((element) => !["HTSGW", "PERPW", "DIRPW", "WVHGT"].includes(element));
  const schedule = () => [{ fault: "lacks", match: ".", elements } as const];
  const found = await answers(feed, CYCLE, LEAD, places, { resolution: 0.25, schedule }, checked);
  for (const [i, { latitude, longitude }] of places.entries())
    expect(found[i]!.Waves_Significant_Height).toBeCloseTo(
      analyticValue("sea_surface_wave_significant_height", latitude, longitude, TIME),
      1,
    );
}, 120_000);

it.skipIf(!hasEccodes)(
  "a step of ECMWF of 0.25° comes from its host to the answer as eccodes packs it by CCSDS (needs python3-eccodes)",
  async () => {
    // Packing all nine takes three seconds more.
    const fields = ecmwfFields("oper", CYCLE, LEAD).filter(({ element }) =>
      ["10u", "10v", "msl", "2t", "tcc"].includes(element),
    );
    const objects = await packedByCcsds({
      key: "full-size",
      centre: { code: 98, tablesVersion: 27, localTablesVersion: 1, process: 154 },
      grid: globe(0.25, 180),
      fields,
    });
    const feed = oneStep(feedNamed("ecmwf"), CYCLE, LEAD);
    const found = await answers(feed, CYCLE, LEAD, places, { resolution: 0.25, objects }, checked);
    for (const [i, { latitude, longitude }] of places.entries())
      expect(found[i]!.Pressure).toBeCloseTo(
        analyticValue("air_pressure_at_mean_sea_level", latitude, longitude, TIME),
        1,
      );
  },
  120_000,
);

/** The object of a step and its index. */
async function packedByCcsds(file: GribFile): Promise<Map<string, Uint8Array>> {
  const folder = await mkdtemp(path.join(tmpdir(), "full-size-"));
  const [plain, packed] = [path.join(folder, "plain"), path.join(folder, "packed")];
  writeFileSync(plain, Buffer.concat(gribPieces(file, asPublished).map((piece) => piece.bytes())));
  const { status, stdout, stderr } = spawnSync("/usr/bin/python3", ["-c", repack, plain, packed], {
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  const bytes = readFileSync(packed);
  await rm(folder, { recursive: true });
  let offset = 0;
  const lines = stdout
    .trim()
    .split(" ")
    .map((length, i) => {
      const line = {
        date: "20260901",
        time: "0000",
        type: "fc",
        stream: "oper",
        step: String(LEAD),
        levtype: "sfc",
        param: file.fields[i]!.element,
        _offset: offset,
        _length: Number(length),
      };
      offset += Number(length);
      return `${JSON.stringify(line)}\n`;
    });
  return new Map<string, Uint8Array>([
    [`${ECMWF}.grib2`, bytes],
    [`${ECMWF}.index`, Buffer.from(lines.join(""))],
  ]);
}

/** Writes the messages of a file packed by CCSDS to another, and prints their lengths. */
const repack = `
import sys, eccodes as ec
lengths = []
with open(sys.argv[1], "rb") as plain, open(sys.argv[2], "wb") as packed:
    while (handle := ec.codes_grib_new_from_file(plain)) is not None:
        values = ec.codes_get_values(handle)
        # Otherwise the values are packed without it, and it stays in the message.
        ec.codes_set(handle, "decimalScaleFactor", 0)
        ec.codes_set(handle, "packingType", "grid_ccsds")
        ec.codes_set_values(handle, values)
        message = ec.codes_get_message(handle)
        lengths.append(len(message))
        packed.write(message)
        ec.codes_release(handle)
print(*lengths)
`;
