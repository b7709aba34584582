import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { bufferSource } from "#server/ingest/byte-source.ts";
import type { FieldFeed, WantedMessage } from "#server/ingest/feeds/field-feed.ts";
import { scanGrib2 } from "#server/ingest/grib2/scan.ts";
import type { Grib2Field } from "#server/ingest/grib2/sections.ts";
import { choice, grib, matchesField, rule, type Source, scaled } from "#server/ingest/sources/source.ts";
import { describeWithSamples } from "#test/samples.ts";
import { answers, oneStep } from "./answers.ts";
import { feedNamed } from "./short-feed.ts";

const HOUR_S = 3600;
const AWS = "/noaa-gfs-bdp-pds.s3.amazonaws.com";
const ECMWF = "/ecmwf-forecasts.s3.eu-central-1.amazonaws.com";

/** A place, and what eccodes reads there, as the API gives it: fixtures/make_real_samples.py. */
type Row = { latitude: number; longitude: number } & Record<string, number | null>;
const oracle = JSON.parse(
  readFileSync(new URL("fixtures/real-samples.json", import.meta.url), "utf8"),
) as Record<"gfs" | "gfswave" | "ecmwf", Row[]>;

/** Packing of the archive, and rounding of the answer. */
function tolerance(name: string): number {
  if (name.endsWith("Direction")) return 0.6;
  if (name.endsWith("Period")) return 0.07;
  return (
    { MUCAPE: 1, Cloud_Cover: 0.6, Pressure: 0.06, Temperature_2m: 0.06, Precipitation: 0.02 }[name] ?? 0.03
  );
}

/** With only some messages of the index: those that the file has, of the choices of the source. */
function restricted(feed: FieldFeed, wanted: readonly WantedMessage[]): FieldFeed {
  return {
    ...feed,
    objects(...asked) {
      const objects = feed.objects(...asked);
      return objects?.kind === "messages" ? { ...objects, wanted } : objects;
    },
  };
}

/** The messages of the first choice of each rule that a file has whole. */
function messagesOf(source: Source, fields: readonly Grib2Field[]): WantedMessage[] {
  return source.rules.flatMap(({ choices }) => {
    const found = choices.find(({ needs }) =>
      needs.every((need) => need.kind === "grib2" && fields.some((field) => matchesField(need, field))),
    );
    return (found?.needs ?? []).flatMap((need): WantedMessage[] =>
      need.kind !== "grib2"
        ? []
        : [{ element: need.parameter.element, level: need.level.words, time: need.time, selectors: [need] }],
    );
  });
}

/** The index that wgrib2 would write: of what is not wanted only where it lies. */
function wgrib2Index(
  fields: readonly Grib2Field[],
  wanted: readonly WantedMessage[],
  date: string,
  lead: number,
) {
  return fields
    .map((field) => {
      const known = wanted.find(({ selectors }) => matchesField(selectors![0]!, field));
      const { start, end } = field.time;
      const window =
        start === end ? `${lead} hour fcst` : `${lead - (end - start) / HOUR_S}-${lead} hour ave fcst`;
      const several = fields.filter(({ message }) => message === field.message).length > 1;
      const number = several ? `${field.message}.${field.part}` : field.message;
      return `${number}:${field.offset}:d=${date}:${known?.element ?? "OTHER"}:${known?.level ?? "somewhere"}:${window}:\n`;
    })
    .join("");
}

function expectAsEccodes(found: readonly Record<string, number | null>[], rows: readonly Row[]): void {
  let compared = 0;
  for (const [i, { latitude, longitude, ...expected }] of rows.entries())
    for (const [name, truth] of Object.entries(expected)) {
      const value = found[i]![name];
      const where = `${name} at ${latitude}, ${longitude}: ${value}, by eccodes ${truth}`;
      if (truth === null) expect(value, where).toBeNull();
      else {
        // Otherwise null would pass for a true 0.
        expect(value, where).toEqual(expect.any(Number));
        const off = Math.abs(value! - truth);
        expect(name.endsWith("Direction") ? Math.min(off, 360 - off) : off, where).toBeLessThan(
          tolerance(name),
        );
        compared++;
      }
    }
  expect(compared).toBeGreaterThan(rows.length / 2);
}

describeWithSamples("real files, from the mirror to the answer", (samples) => {
  const read = (name: string) => readFileSync(path.join(samples, "grib2", name));
  const scan = (bytes: Buffer) => scanGrib2(bufferSource("sample", bytes)).fields;

  describe("are answered as eccodes reads them", () => {
    it("of GFS-Wave by their own index, under the name of the global file", async () => {
      const name = "gdaswave.t00z.wcoast.0p16.f000.grib2";
      const cycle = Date.UTC(2021, 10, 30) / 1000;
      const object = `${AWS}/gfs.20211130/00/wave/gridded/gfswave.t00z.global.0p25.f000.grib2`;
      const objects = new Map([
        [object, read(name)],
        [`${object}.idx`, read(`${name}.idx`)],
      ]);
      const feed = oneStep(feedNamed("gfswave"), cycle, 0);
      expectAsEccodes(await answers(feed, cycle, 0, oracle.gfswave, { objects }), oracle.gfswave);
    }, 60_000);

    it("of GFS, of 2011 and 2.5°, with two fields in a message: without heights and instant rain, which it lacks", async () => {
      const bytes = read("gfs.t12z.pgrbf120.2p5deg.grib2");
      const cycle = Date.UTC(2011, 0, 10, 12) / 1000;
      const object = `${AWS}/gfs.20110110/12/atmos/gfs.t12z.pgrb2.0p25.f120`;
      const gfs = feedNamed("gfs");
      const fields = scan(bytes);
      const wanted = messagesOf(gfs.source, fields);
      const index = wgrib2Index(fields, wanted, "2011011012", 120);
      const objects = new Map<string, Uint8Array>([
        [object, bytes],
        [`${object}.idx`, Buffer.from(index)],
      ]);
      const feed = oneStep(restricted(gfs, wanted), cycle, 120);
      expectAsEccodes(await answers(feed, cycle, 120, oracle.gfs, { objects }), oracle.gfs);
    }, 60_000);

    it("of ECMWF, packed by CCSDS: soil stands for the air, because the sample has no field that is published", async () => {
      const bytes = read("ecmwf-20240101-0h-oper-fc.ccsds.grib2");
      const cycle = Date.UTC(2024, 0, 1) / 1000;
      const object = `${ECMWF}/20240101/00z/ifs/0p25/oper/20240101000000-0h-oper-fc`;
      const soil = grib({ codes: [2, 0, 2], element: "st" }, { type: 106, words: "sfc" });
      const ecmwf = feedNamed("ecmwf");
      const source = {
        ...ecmwf.source,
        rules: [rule("air_temperature", choice([soil], scaled(1, -273.15)))],
      };
      const lines = scan(bytes).map((field) =>
        JSON.stringify({
          domain: "g",
          date: "20240101",
          time: "0000",
          expver: "0001",
          class: "od",
          type: "fc",
          stream: "oper",
          step: "0",
          levtype: "sfc",
          param: matchesField(soil, field) ? "st" : "other",
          _offset: field.offset,
          _length: field.length,
        }),
      );
      const objects = new Map<string, Uint8Array>([
        [`${object}.grib2`, bytes],
        [`${object}.index`, Buffer.from(`${lines.join("\n")}\n`)],
      ]);
      const wanted = [{ element: "st", level: "sfc", time: "instant", selectors: [soil] } as const];
      const feed = oneStep(restricted({ ...ecmwf, source }, wanted), cycle, 0);
      expectAsEccodes(await answers(feed, cycle, 0, oracle.ecmwf, { objects }), oracle.ecmwf);
    }, 60_000);
  });
});
