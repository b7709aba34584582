import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWithSamples } from "../../test/samples.ts";
import { seeded } from "../../test/seeded.ts";
import { bufferSource } from "./byte-source.ts";
import { decodeGrib2 } from "./decode.ts";
import { GribError } from "./octets.ts";
import { scanGrib2 } from "./scan.ts";

const CUTS = 200;
const FLIPS = 500;
/** Number of damaged bytes per round, so that most of a file is still read and later rounds reach other fields. */
const FLIPS_A_ROUND = 5;
/** Memory for typed arrays that one field may need in addition to the file, bytes. */
const MAX_MEMORY = 600 * 2 ** 20;
/** Processor time to read one damaged file, microseconds. */
const MAX_CPU_US = 5e6;

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url));

describe("survives damage", () => {
  survives("templates", fixture("templates.grib2"));
  survives("refused", fixture("refused.grib2"));
});

describeWithSamples("survives damage of samples", (samples) => {
  const sample = (name: string) => readFileSync(join(samples, "grib2", name));
  survives("GFS", sample("gfs.t12z.pgrbf120.2p5deg.grib2").subarray(0, 200_000));
  survives("GFS-Wave", sample("gdaswave.t00z.wcoast.0p16.f000.grib2").subarray(0, 60_000));
  survives("scanning mode", sample("scanning_mode.grib2"));
});

/** Reads everything readable; only a GribError may be thrown. */
function survives(name: string, bytes: Buffer): void {
  it(`of ${name}: cut anywhere`, () => {
    const random = seeded(1);
    for (let cut = 0; cut < CUTS; cut++) readAll(bytes.subarray(0, Math.floor(random() * bytes.length)));
  });

  it(`of ${name}: bytes flipped anywhere`, () => {
    const random = seeded(2);
    for (let round = 0; round < FLIPS / FLIPS_A_ROUND; round++) {
      const damaged = Buffer.from(bytes);
      for (let flip = 0; flip < FLIPS_A_ROUND; flip++) {
        damaged[Math.floor(random() * damaged.length)]! ^= 1 + Math.floor(random() * 255);
      }
      readAll(damaged);
    }
  });

  it(`of ${name}: random bytes in the descriptions of its first message`, () => {
    const random = seeded(3);
    const first = bytes.subarray(0, bytes.readUInt32BE(12));
    for (let round = 0; round < FLIPS; round++) {
      const damaged = Buffer.from(first);
      damaged[16 + Math.floor(random() * Math.min(240, first.length - 20))] = Math.floor(random() * 256);
      readAll(damaged);
    }
  });
}

function readAll(bytes: Buffer): void {
  const begin = process.cpuUsage();
  const source = bufferSource("damaged.grib2", bytes);
  for (const field of scanGrib2(source).fields) {
    try {
      decodeGrib2(source, field);
    } catch (error) {
      if (!(error instanceof GribError)) throw error;
    }
  }
  expect(process.memoryUsage().arrayBuffers).toBeLessThan(MAX_MEMORY);
  expect(process.cpuUsage(begin).user).toBeLessThan(MAX_CPU_US);
}
