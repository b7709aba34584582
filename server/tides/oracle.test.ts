import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { describeWithSamples } from "#test/samples.ts";
import { Catalog, chartDatumOf } from "./catalog.ts";
import { HarmonicSum } from "./harmonics.ts";
import { streamAt } from "./stream.ts";
import { tideCurve } from "./tide.ts";

interface Oracle {
  extreme_days: number;
  stations: { id: string; datum?: string; years: OracleYear[] }[];
}

/** Schureman's method in Python, by fixtures/make_oracle.py; metres, or knots for streams. */
interface OracleYear {
  start: number;
  minutes: number[];
  millimetres: number[];
  extremes_from: number;
  extreme_seconds: number[];
  extreme_millimetres: number[];
  zero_seconds?: number[];
}

const file = new URL("./fixtures/tide.oracle.json", import.meta.url);
const { stations, extreme_days }: Oracle = JSON.parse(readFileSync(file, "utf8"));
const catalog = new Catalog(false);
const cases = stations.flatMap(({ id, datum, years }) =>
  years.map((year) => ({ id, datum, year, named: formatInstant(year.start).slice(0, 4) })),
);

const NEAR_S = 180;

it.each(cases)(
  "an independent computation by Schureman's method agrees at $id in $named: heights within 3 cm, high and low waters and slacks within 3 min",
  ({ id, datum, year }) => {
    const station = catalog.station(id);
    const first = year.extremes_from;
    const last = first + extreme_days * 86_400;
    const sum = catalog.sum(station);
    const isTide = station.kind === "tide";
    if (isTide) expect(chartDatumOf(station)).toBe(datum);
    const tide = isTide ? tideCurve(sum, station, catalog.chartLevel(station), first, last) : undefined;
    const stream = isTide ? undefined : streamAt(sum, station, first, last);
    const at = (time: number) => (tide ?? stream)!.at(time);
    const fault = (time: number, millimetres: number) => Math.abs(at(time) - millimetres / 1000);

    let time = year.start;
    const faults = year.minutes.map((after, number) => {
      time += 60 * after;
      return fault(time, year.millimetres[number]!);
    });
    expect(Math.max(...faults)).toBeLessThan(0.03);

    const events = stream?.events ?? [];
    const turns = tide?.extremes ?? events.filter(({ type }) => type.startsWith("max"));
    const unmatched = year.extreme_seconds.filter((seconds, number) => {
      const moment = first + seconds;
      // While the water stands, the time of its extreme is undefined, so only the height is compared.
      const isMatched = turns.some((turn) => {
        const away = Math.abs(turn.time - moment);
        return away < NEAR_S || (away < 1800 && Math.abs(at(moment) - at(turn.time)) < 0.01);
      });
      return !isMatched || fault(moment, year.extreme_millimetres[number]!) > 0.03;
    });
    expect(unmatched).toEqual([]);

    const slacks = events.filter(({ type }) => type.startsWith("slack"));
    const missed = (year.zero_seconds ?? []).filter(
      (seconds) => !slacks.some((slack) => Math.abs(slack.time - first - seconds) < NEAR_S),
    );
    expect(missed).toEqual([]);
  },
);

/** High and low waters of three days from 2026-07-15 as published by NOAA's CO-OPS: GMT, metres above MLLW. */
it.each([
  [
    "Friday Harbor, a mixed tide",
    "noaa:9449880",
    "02:52 2.568, 06:58 2.128, 10:47 2.353, 19:02 -0.891",
    "03:24 2.551, 08:07 1.925, 11:55 2.163, 19:48 -0.682",
    "03:55 2.519, 09:15 1.66, 13:09 1.926, 20:30 -0.373",
  ],
  [
    "Nurse Channel, subordinate by ratios",
    "noaa:TEC4635",
    "00:52 0.914, 07:27 -0.054, 13:13 0.713, 19:26 -0.106",
    "01:43 0.903, 08:17 -0.061, 14:08 0.732, 20:20 -0.07",
    "02:33 0.87, 09:06 -0.052, 15:01 0.739, 21:15 -0.015",
  ],
  [
    "Kamalo Harbor, subordinate by heights",
    "noaa:1613077",
    "02:01 0.841, 09:37 0.022, 14:07 0.273, 19:43 -0.041",
    "02:42 0.804, 10:13 0.018, 15:03 0.307, 20:34 0.013",
    "03:21 0.744, 10:47 0.019, 16:01 0.345, 21:28 0.083",
  ],
])("NOAA's own predictions agree within 2 cm and 3 min at %s", (_, id, ...days) => {
  const theirs = days.flatMap((day, number) =>
    day.split(", ").map((turn) => {
      const [clock, height] = turn.split(" ");
      return { time: parseInstant(`2026-07-${15 + number}T${clock}:00Z`), height: Number(height) };
    }),
  );
  const station = catalog.station(id);
  const [first, last] = ["15", "18"].map((day) => parseInstant(`2026-07-${day}T00:00:00Z`)) as [
    number,
    number,
  ];
  const { extremes } = tideCurve(catalog.sum(station), station, catalog.chartLevel(station), first, last);
  const ours = extremes.filter(({ time }) => time >= first && time < last);
  expect([chartDatumOf(station), ours.length]).toEqual(["MLLW", theirs.length]);
  for (const [number, { time, height }] of theirs.entries()) {
    expect(Math.abs(ours[number]!.time - time)).toBeLessThan(NEAR_S);
    expect(Math.abs(ours[number]!.value - height)).toBeLessThan(0.02);
  }
});

describeWithSamples("tables of offices", (samples) => {
  const read = (name: string) => JSON.parse(readFileSync(`${samples}/tides/${name}.json`, "utf8"));
  const rms = (faults: readonly number[]) =>
    Math.sqrt(faults.reduce((sum, fault) => sum + fault ** 2, 0) / faults.length);
  const {
    tables,
  }: { tables: Record<string, { waters: [time: string, height: number, type: "H" | "L"][] }> } =
    read("offices");

  /**
   * Heights are compared about their mean, because the datum of an office is that of its charts, and LAT computed from
   * constants may differ by decimetres.
   */
  it.each([
    ["Liverpool", "ticon:liverpool_gladstone_dock-liv-gbr-bodc", 0.04],
    ["Holyhead", "ticon:holyhead-hol-gbr-bodc", 0.03],
    ["Newlyn", "ticon:newlyn-new-gbr-bodc", 0.015],
    ["Dover", "ticon:dover-dov-gbr-bodc", 0.05],
    ["Reykjavik", "ticon:reykjavik-reyk-isl-icg", 0.02],
    ["Sydney", "ticon:fort_denison-333-aus-uhslc_fd", 0.01],
    ["Auckland", "ticon:auckland-070a-nzl-uhslc_rq", 0.045],
    ["Avonmouth", "ticon:avonmouth-avo-gbr-bodc", 0.27],
  ])("agree with the heights of %s, relative to their mean", (office, id, within) => {
    const sum = catalog.sum(catalog.station(id));
    const faults = tables[office]!.waters.map(([time, height]) => sum.at(parseInstant(time)) - height);
    const mean = faults.reduce((one, other) => one + other) / faults.length;
    expect(rms(faults.map((fault) => fault - mean))).toBeLessThan(within);
  });

  it("have three high waters at Rio on 21 August 2026, and so has the prediction", () => {
    const station = catalog.station("ticon:ilha_fiscal_rj-280-bra-uhslc_fd");
    const theirs = tables["Rio de Janeiro"]!.waters.filter(([, , type]) => type === "H").map(([time]) =>
      parseInstant(time),
    );
    const from = parseInstant("2026-08-21T06:00:00Z");
    const { extremes } = tideCurve(catalog.sum(station), station, 0, from, from + 64_800);
    const ours = extremes.filter(({ time, isHigh }) => isHigh && time > from && time < from + 64_800);
    expect(ours).toHaveLength(3);
    for (const [at, { time }] of ours.entries()) expect(Math.abs(time - theirs[at]!)).toBeLessThan(25 * 60);
  });

  interface Stream {
    id: string;
    offset: number;
    constituents: [name: string, amplitude: number, phase: number][];
    events: [time: string, type: string, speed: number][];
  }
  const { reference, subordinate }: { reference: Stream[]; subordinate: Pick<Stream, "id" | "events">[] } =
    read("noaa-currents");

  /** NOAA uses the nodal corrections of the middle of the year, which explains 0.03 kt at Deception Pass (PUG1701). */
  it.each(reference)("NOAA's streams agree at $id", ({ offset, constituents, events }) => {
    const terms = constituents.map(([name, amplitude, phase]) => ({ name, amplitude, phase }));
    const sum = new HarmonicSum(terms, offset);
    expect(rms(events.map(([time, , speed]) => sum.at(parseInstant(time)) - speed))).toBeLessThan(0.06);
  });

  /** NOAA also calls a minimum of the ebb between two maxima an ebb. */
  it.each([...reference, ...subordinate])(
    "each slack, maximum and minimum of NOAA's is ours at $id",
    ({ id, events }) => {
      const station = catalog.station(`noaa:${id}`);
      const [first, last] = [parseInstant(events[0]![0]), parseInstant(events.at(-1)![0])];
      const ours = streamAt(catalog.sum(station), station, first, last).events;
      const faults = events.map(([time, type, speed]) => {
        const isSlack = type === "slack";
        const same = ours.filter(
          (one) => one.type.startsWith("slack") === isSlack && (isSlack || one.speed * speed > 0),
        );
        const [minutes = Number.POSITIVE_INFINITY, knots = 0] =
          same
            .map(
              (one) => [Math.abs(one.time - parseInstant(time)) / 60, Math.abs(one.speed - speed)] as const,
            )
            .toSorted(([one], [other]) => one - other)[0] ?? [];
        return { minutes, knots };
      });
      const median = (values: number[]) => values.toSorted((one, other) => one - other)[values.length >> 1];
      expect(median(faults.map(({ minutes }) => minutes))).toBeLessThanOrEqual(5);
      expect(median(faults.map(({ knots }) => knots))).toBeLessThanOrEqual(0.03);
      expect(Math.max(...faults.map(({ minutes }) => minutes))).toBeLessThan(30);
    },
  );
});

it.each([
  ["Liverpool, at high water", "ticon:liverpool_gladstone_dock-liv-gbr-bodc", "2026-09-14T00:32:00Z", 9.65],
  ["Liverpool, at low water", "ticon:liverpool_gladstone_dock-liv-gbr-bodc", "2026-09-14T07:32:00Z", 1.16],
])("the office's height agrees within 8 cm at %s", (_, id, time, height) => {
  const station = catalog.station(id);
  const at = catalog.sum(station).at(parseInstant(time)) - catalog.chartLevel(station);
  expect(Math.abs(at - height)).toBeLessThan(0.08);
});

it("the fastest ebb at Deception Pass is NOAA's, −5.15 kt at 03:33 on 1 June 2026", () => {
  const station = catalog.station("noaa:PUG1701");
  const at = parseInstant("2026-06-01T03:33:00Z");
  const { events } = streamAt(catalog.sum(station), station, at - 3600, at + 3600);
  const ebb = events.find(({ type, time }) => type === "max_ebb" && Math.abs(time - at) < 3600)!;
  expect(Math.abs(ebb.time - at)).toBeLessThan(NEAR_S);
  expect(Math.abs(ebb.speed + 5.15)).toBeLessThan(0.04);
});
