import { readFileSync } from "node:fs";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { createDecoder } from "#server/ingest/decoder.ts";
import { planRuns } from "#server/ingest/plan.ts";
import { matches } from "#server/ingest/sources/source.ts";
import { ofParameter } from "#test/grib-objects.ts";
import { ingestForTest, removeScratch, scratch, storedStep } from "#test/ingest.ts";
import { describeWithSamples } from "#test/samples.ts";
import { ecmwf } from "./ecmwf/publisher.ts";
import { gfs } from "./gfs/publisher.ts";

const fixtures = join(import.meta.dirname, "fixtures");

type Oracle = Record<string, Record<string, Record<string, (number | null)[]>>>;

/** Values by source, lead in hours and field, computed by eccodes, netCDF4 and numpy. */
const oracle = Object.assign(
  {},
  ...["feeds.json", "models.json"].map((name) => JSON.parse(readFileSync(join(fixtures, name), "utf8"))),
) as Oracle;

const base = Date.UTC(2026, 10, 23) / 1000;
const decoder = createDecoder();
afterAll(() => decoder.close());
afterAll(removeScratch);

async function ingested(source: string, file: string, from = join(fixtures, file)) {
  const archive = await scratch();
  const { runs } = await ingestForTest(archive, decoder, source, from);
  expect(runs).toHaveLength(1);
  return { archive, run: runs[0]! };
}

/** Compares every field at every step with the independent values, within half a step of our packing and of float32. */
async function expectOracle(source: keyof typeof oracle, file: string, from?: string, as = source) {
  const { archive, run } = await ingested(as, file, from);
  const leads = Object.keys(oracle[source]!).map(Number);
  expect(run).toMatchObject({ referenceTime: base, times: leads.map((lead) => base + lead * 3600) });
  for (const [index, lead] of leads.entries()) {
    for (const [name, expected] of Object.entries(oracle[source]![lead]!)) {
      const values = await storedStep(archive, run, name as FieldName, index);
      for (const [cell, value] of expected.entries()) {
        const where = `${name} at +${lead} h, cell ${cell}`;
        if (value === null) expect(values[cell], where).toBeNaN();
        else
          expect(Math.abs(values[cell]! - value), where).toBeLessThan(
            fields[name as FieldName].scale * 0.51 + Math.abs(value) * 1e-6,
          );
      }
    }
  }
  return run;
}

describe("ECMWF's open data equals eccodes and numpy", () => {
  it("atmosphere: own parameter numbers, CCSDS, longitudes from 180° E, rain from sums where no rate is", async () => {
    const run = await expectOracle("ecmwf", "ecmwf.grib2");
    expect(run.grid.longitude).toEqual({ start: -180, step: 30, count: 12 });
    expect(run.fields.precipitation_flux?.comment).toBe(
      "3-h average ending at the valid time (at 2 of 4 steps)",
    );
    expect(run.fields.wind_speed_of_gust).toMatchObject({
      steps: [1, 2, 3],
      comment: "maximum of the 3 h that end at the valid time",
    });
  });

  it("waves: land masked, with the mean period and not the peak period", async () => {
    const run = await expectOracle("ecmwfwave", "ecmwfwave.grib2");
    expect(run.fields.sea_surface_wave_mean_period?.comment).toBe("mean period by energy (mwp)");
  });
});

/**
 * A message that is about waves with periods of 10 to 12 s, by product template 4.103, with other values than the message
 * about all waves from which it is made.
 */
function ofPeriodRange(message: Buffer): Buffer {
  const parts = [message.subarray(0, 16)];
  for (let at = 16; at < message.length - 4; ) {
    const end = at + message.readUInt32BE(at);
    const section = Buffer.from(message.subarray(at, end));
    if (section[4] === 4) {
      section.writeUInt32BE(section.length + 11, 0);
      section.writeUInt16BE(103, 7);
      const range = Buffer.from([7, 0, 0, 0, 0, 10, 0, 0, 0, 0, 12]);
      parts.push(section.subarray(0, 11), range, section.subarray(11));
    } else {
      // The reference value is part of every value.
      if (section[4] === 5) section.writeFloatBE(5, 11);
      parts.push(section);
    }
    at = end;
  }
  const whole = Buffer.concat([...parts, Buffer.from("7777")]);
  whole.writeBigUInt64BE(BigInt(whole.length), 8);
  return whole;
}

it("the height of all waves of AIFS is not taken for that of a range of periods, nor is such a message a damage", async () => {
  const bytes = await readFile(join(fixtures, "ecmwfwave.grib2"));
  const { records } = await decoder.scan(join(fixtures, "ecmwfwave.grib2"));
  const heights = records.flatMap((record) =>
    record.kind === "grib2" && record.field.parameter === 3 ? record.field : [],
  );
  const ranges = heights.map(({ offset, length }) => ofPeriodRange(bytes.subarray(offset, offset + length)));
  const file = join(await scratch(), "aifs.grib2");
  await writeFile(file, Buffer.concat([...ranges, bytes, ...ranges]));
  const scanned = (await decoder.scan(file)).records.flatMap((record) =>
    record.kind === "grib2" ? record.field : [],
  );
  const { level, level2, time } = heights[0]!;
  expect(scanned[0]).toMatchObject({ level, time, periodRange: { from: 10, to: 12 } });
  expect(scanned[0]!.level2).toEqual(level2);
  await expectOracle("ecmwfwave", "ecmwfwave.grib2", file, "ecmwfaifswave");
});

it("reads longitudes that begin at 180° W as those that begin at 180° E", async () => {
  const bytes = await readFile(join(fixtures, "ecmwfwave.grib2"));
  const file = join(await scratch(), "west.grib2");
  // The value is 180 000 000 microdegrees, once without and once with GRIB2's sign bit.
  const east = Buffer.from([0x0a, 0xba, 0x95, 0x00]);
  let changed = 0;
  for (let at = bytes.indexOf(east); at >= 0; at = bytes.indexOf(east, at), changed++) bytes[at] = 0x8a;
  await writeFile(file, bytes);
  const [ofEast, ofWest] = [await decoder.scan(join(fixtures, "ecmwfwave.grib2")), await decoder.scan(file)];
  expect(changed).toBe(ofEast.records.length);
  expect(ofWest.records.map(({ grid }) => grid)).toEqual(ofEast.records.map(({ grid }) => grid));
  expect(await decoder.decode(ofWest.records[1]!)).toEqual(await decoder.decode(ofEast.records[1]!));
});

describe("models beside those equal eccodes, netCDF4 and numpy", () => {
  it("ARPEGE: several steps in a file, gusts of an hour, and sums since the base time", async () => {
    const run = await expectOracle("arpege", "arpege.grib2");
    expect(run.fields.wind_speed_of_gust).toMatchObject({
      steps: [1, 2, 3],
      comment: "maximum of the 1 h that end at the valid time",
    });
    expect(run.grid.longitude).toEqual({ start: -180, step: 30, count: 12 });
  });

  it("ARPEGE: total precipitation by the number that WMO's has replaced", async () => {
    const bytes = await readFile(join(fixtures, "arpege.grib2"));
    const { records } = await decoder.scan(join(fixtures, "arpege.grib2"));
    const messages = records.flatMap((record) => {
      if (record.kind !== "grib2") return [];
      const { offset, length, category, parameter } = record.field;
      const message = bytes.subarray(offset, offset + length);
      return [category === 1 && parameter === 52 ? ofParameter(message, 1, 8) : message];
    });
    const file = join(await scratch(), "arpege.grib2");
    await writeFile(file, Buffer.concat(messages));
    await expectOracle("arpege", "", file);
  });

  it("the Met Office: a file for each variable, and the components of a wind that is given as speed and direction", async () => {
    const run = await expectOracle("ukmo", "ukmo");
    expect(run).toMatchObject({ model: "UKMO global 30°", grid: { latitude: { start: -75, count: 6 } } });
  });
});

describe("sums and averages since the last multiple of six hours", () => {
  it("become means since the previous step; without that step they are missing", async () => {
    const run = await expectOracle("gfs", "gfs-windows.grib2");
    // Steps 4 and 5 are missing: the sum of hour 4 is missing, and that of hour 5 covers five hours.
    expect(run.fields.precipitation_flux?.steps).toEqual([1, 2, 3, 6, 7, 8]);
    expect(run.fields.precipitation_flux?.comment).toBe("1-h average ending at the valid time");
    expect(run.fields.cloud_area_fraction?.steps).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

it("reads the step before a part of a run for its differences, and does not publish it", async () => {
  const { records } = await decoder.scan(join(fixtures, "gfs-windows.grib2"));
  const [run] = planRuns(gfs.source, records, { times: new Set([base + 8 * 3600]) });
  expect(run?.times).toEqual([base + 8 * 3600]);
  const rain = run?.fields.find(({ name }) => name === "precipitation_flux");
  expect(rain?.steps[0]?.inputs[0]?.before?.validTime).toBe(base + 7 * 3600);
});

describeWithSamples("a real file of ECMWF", (samples) => {
  const file = join(samples, "grib2/ecmwf-20240101-0h-oper-fc.ccsds.grib2");

  it("has rain in metres since the start by ECMWF's own number, from which the first step gives nothing", async () => {
    const { records } = await decoder.scan(file);
    const rain = ecmwf.source.rules.find(({ field }) => field === "precipitation_flux")!;
    const found = rain.choices.map(({ needs }) => records.filter((record) => matches(needs[0]!, record)));
    expect(found.map(({ length }) => length)).toEqual([0, 1, 0]);
    expect(found[1]![0]!.grid.longitude).toMatchObject({ start: -180, count: 900 });
    const folder = await scratch();
    await copyFile(file, join(folder, "step0.grib2"));
    await expect(ingestForTest(await scratch(), decoder, "ecmwf", folder)).rejects.toThrow(
      "The files hold nothing that the source ecmwf reads",
    );
  });
});
