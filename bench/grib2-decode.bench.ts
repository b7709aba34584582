import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bufferSource } from "@open-metocean/grib2/byte-source";
import { decodeGrib2 } from "@open-metocean/grib2/decode";
import { scanGrib2 } from "@open-metocean/grib2/scan";
import { gfsWaveFields } from "#test/feeds-mirror/forecast-fields.ts";
import { gribMessage } from "#test/feeds-mirror/grib-message.ts";
import { packJpeg2000 } from "#test/feeds-mirror/pack-jpeg2000.ts";
import { quantise } from "#test/feeds-mirror/pack-simple.ts";
import { globe, nodesOf } from "#test/feeds-mirror/planet.ts";
import { samplesDir } from "#test/samples.ts";
import { seeded } from "#test/seeded.ts";

const PASSES = 25;

const files = [
  { name: "gfs.t12z.pgrbf120.2p5deg.grib2", what: "GFS 2.5°, 343 fields, 5.3" },
  { name: "gfs.complex.grib2", what: "GFS 0.25°, 5.3" },
  { name: "gdaswave.t00z.wcoast.0p16.f000.grib2", what: "GFS-Wave 0.16°, 5.40" },
  { name: "gfs.jpeg.grib2", what: "GFS 0.25°, 5.40" },
  { name: "gfs.png.grib2", what: "GFS 0.25°, 5.41" },
  { name: "ecmwf-20240101-0h-oper-fc.ccsds.grib2", what: "ECMWF 0.4°, 5.42" },
];

/** Times only codes_get_values on loaded messages, with a new handle in each pass so that nothing is cached. */
const eccodes = `
import sys, time, eccodes as ec
ec.codes_grib_multi_support_on()
best = None
for _ in range(int(sys.argv[2])):
    with open(sys.argv[1], "rb") as file:
        handles = []
        while (handle := ec.codes_grib_new_from_file(file)) is not None:
            handles.append(handle)
    taken = 0
    for handle in handles:
        begin = time.process_time()
        ec.codes_get_values(handle)
        taken += time.process_time() - begin
        ec.codes_release(handle)
    best = taken if best is None else min(best, taken)
print(best)
`;

/**
 * Prints how fast GRIB2 fields are decoded, compared with eccodes in one Python process, in processor time. MB/s refer
 * to float32 values.
 */
export async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "grib2-decode-"));
  const wave = join(folder, "wave.grib2");
  writeFileSync(wave, seaRow());
  compare(wave, "GFS-Wave 0.25°, one row of sea points, 5.40");
  rmSync(folder, { recursive: true });
  if (samplesDir === undefined) return console.log("grib2 decode: no samples, nothing else measured");
  for (const { name, what } of files) compare(join(samplesDir, "grib2", name), what);
}

function compare(path: string, what: string): void {
  const { seconds, bytes } = timeOurs(path);
  const rate = (bytes / 1e6 / seconds).toFixed(0);
  const theirs = timeEccodes(path);
  const against =
    theirs === undefined
      ? "eccodes not measured: no /usr/bin/python3 with eccodes"
      : `eccodes ${(theirs * 1e3).toFixed(1)} ms, ratio ${(theirs / seconds).toFixed(2)}×`;
  console.log(`grib2 decode: ${what}: ${(seconds * 1e3).toFixed(1)} ms, ${rate} MB/s; ${against}`);
}

/** A message of the significant height, in the form and about the size of the real one. */
function seaRow(): Uint8Array {
  const field = gfsWaveFields(Date.UTC(2026, 8, 1) / 1000, 6).find(({ element }) => element === "HTSGW")!;
  const grid = globe(0.25, 0);
  const random = seeded(1);
  const values = field.values(nodesOf(grid)).map((height) => height + 0.03 * random());
  const centre = { code: 7, tablesVersion: 2, localTablesVersion: 1, process: 96 };
  return gribMessage(centre, grid, field.parameter, field.validity, packJpeg2000(quantise(values, 2)));
}

function timeOurs(path: string): { seconds: number; bytes: number } {
  const source = bufferSource(path, readFileSync(path));
  const { fields } = scanGrib2(source);
  let seconds = Number.POSITIVE_INFINITY;
  let bytes = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    bytes = 0;
    const begin = process.cpuUsage();
    for (const field of fields) bytes += decodeGrib2(source, field).byteLength;
    const { user, system } = process.cpuUsage(begin);
    seconds = Math.min(seconds, (user + system) / 1e6);
  }
  return { seconds, bytes };
}

function timeEccodes(path: string): number | undefined {
  if (!existsSync("/usr/bin/python3")) return undefined;
  const { status, stdout } = spawnSync("/usr/bin/python3", ["-c", eccodes, path, String(PASSES)], {
    encoding: "utf8",
  });
  return status === 0 ? Number(stdout) : undefined;
}
