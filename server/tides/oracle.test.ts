import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { Catalog, chartDatumOf } from "./catalog.ts";
import { streamAt } from "./stream.ts";
import { tideCurve } from "./tide.ts";

interface Oracle {
  extreme_days: number;
  stations: { id: string; datum?: string; years: OracleYear[] }[];
}

/** By fixtures/make_oracle.py, Schureman's method in Python; metres, or knots of streams. */
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
      // Where the water stands, the moment of its extreme tells nothing, and its height all.
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

/** High and low waters of three days from 2026-07-15 as NOAA's CO-OPS gives them: GMT, metres above MLLW. */
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
