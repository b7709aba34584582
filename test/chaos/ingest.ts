/**
 * Kills ingests at random moments and prints what the archive served afterwards:
 * `node test/chaos/ingest.ts [kills] [samples]`. Exits 1 if it served anything but the old run or the new one.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createDecoder } from "#server/ingest/decoder.ts";
import { openNetcdf4 } from "#server/ingest/netcdf/netcdf4.ts";
import { ingestForTest, removeScratch, scratch } from "#test/ingest.ts";
import { chaosIngest } from "./ingest-kills.ts";

const [kills = "50", samples = process.env.SAMPLES_DIR ?? "../shared/samples"] = process.argv.slice(2);
const original = join(samples, "netcdf/reduced_testdata_weather.nc");

/** A copy with one temperature changed: other values of the same base time and grid. */
async function changedCopy(): Promise<string> {
  const file = await openNetcdf4(original);
  const value = file.read("thetao", [0, 0, 0, 0], [1, 10, 12, 12]).find((found) => !Number.isNaN(found))!;
  file.close();
  const bytes = await readFile(original);
  const stored = Buffer.alloc(8);
  stored.writeDoubleLE(value);
  bytes.writeDoubleLE(value + 1, bytes.indexOf(stored));
  const path = join(await scratch(), "changed.nc");
  await writeFile(path, bytes);
  return path;
}

const decoder = createDecoder();
try {
  const files = [original, await changedCopy()] as const;
  await ingestForTest(await scratch(), decoder, "cmems", original);
  const began = performance.now();
  await ingestForTest(await scratch(), decoder, "cmems", original);
  // Includes the start of a process, so that some kills come after its end.
  const longest = (performance.now() - began) * 2 + 1000;
  const counts = await chaosIngest(decoder, "cmems", files, Number(kills), () =>
    delay(Math.random() * longest),
  );
  console.log(
    `${counts.kills} ingests killed within ${Math.round(longest)} ms of their start (${counts.late} had ended): ` +
      `${counts.old} times the old run answered, ${counts.new} times the new one; no mixture, no debris`,
  );
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await decoder.close();
  await removeScratch();
}
