import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
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

const MINUTES = 3;

describe("an independent computation by Schureman's method agrees", () => {
  it.each(cases)(
    "at $id in $named: heights within 3 cm, high and low waters and slacks within 3 min",
    (one) => {
      const station = catalog.station(one.id);
      const { start, minutes, millimetres, extremes_from: first, ...year } = one.year;
      const last = first + extreme_days * 86_400;
      const sum = catalog.sum(station);
      const isTide = station.kind === "tide";
      if (isTide) expect(chartDatumOf(station)).toBe(one.datum);
      const tide = isTide ? tideCurve(sum, station, catalog.chartLevel(station), first, last) : undefined;
      const stream = isTide ? undefined : streamAt(sum, station, first, last);
      const at = (time: number) => (tide ?? stream)!.at(time);

      let time = start;
      const faults = minutes.map((after, number) => {
        time += 60 * after;
        return Math.abs(at(time) - millimetres[number]! / 1000);
      });
      expect(Math.max(...faults)).toBeLessThan(0.03);

      const turns =
        tide?.extremes.map(({ time: moment }) => moment) ??
        stream!.events.flatMap(({ time: moment, type }) => (type.startsWith("max") ? moment : []));
      const unmatched = year.extreme_seconds.filter((seconds, number) => {
        const height = year.extreme_millimetres[number]! / 1000;
        // Where the water stands, the moment of its extreme tells nothing, and its height all.
        return (
          !turns.some(
            (turn) =>
              Math.abs(turn - first - seconds) < 60 * MINUTES ||
              (Math.abs(turn - first - seconds) < 1800 && Math.abs(at(first + seconds) - at(turn)) < 0.01),
          ) || Math.abs(at(first + seconds) - height) > 0.03
        );
      });
      expect(unmatched).toEqual([]);

      const slacks = stream?.events.flatMap(({ time: moment, type }) =>
        type.startsWith("slack") ? moment : [],
      );
      for (const seconds of year.zero_seconds ?? [])
        expect(slacks!.some((slack) => Math.abs(slack - first - seconds) < 60 * MINUTES)).toBe(true);
    },
  );
});

/** High and low waters of three days from 2026-07-15 as NOAA's CO-OPS gives them: GMT, metres above MLLW. */
const published: Record<string, string[]> = {
  "noaa:9449880": [
    "02:52 2.568, 06:58 2.128, 10:47 2.353, 19:02 -0.891",
    "03:24 2.551, 08:07 1.925, 11:55 2.163, 19:48 -0.682",
    "03:55 2.519, 09:15 1.66, 13:09 1.926, 20:30 -0.373",
  ],
  "noaa:TEC4635": [
    "00:52 0.914, 07:27 -0.054, 13:13 0.713, 19:26 -0.106",
    "01:43 0.903, 08:17 -0.061, 14:08 0.732, 20:20 -0.07",
    "02:33 0.87, 09:06 -0.052, 15:01 0.739, 21:15 -0.015",
  ],
  "noaa:1613077": [
    "02:01 0.841, 09:37 0.022, 14:07 0.273, 19:43 -0.041",
    "02:42 0.804, 10:13 0.018, 15:03 0.307, 20:34 0.013",
    "03:21 0.744, 10:47 0.019, 16:01 0.345, 21:28 0.083",
  ],
};

describe("NOAA's own predictions agree within 2 cm and 3 min", () => {
  it.each([
    ["Friday Harbor, a mixed tide", "noaa:9449880"],
    ["Nurse Channel, subordinate by ratios", "noaa:TEC4635"],
    ["Kamalo Harbor, subordinate by heights", "noaa:1613077"],
  ])("at %s", (_, id) => {
    const theirs = published[id]!.flatMap((day, number) =>
      day.split(", ").map((turn) => {
        const [clock, height] = turn.split(" ");
        return { time: parseInstant(`2026-07-${15 + number}T${clock}:00Z`), height: Number(height) };
      }),
    );
    const station = catalog.station(id);
    const [first, last] = [parseInstant("2026-07-15T00:00:00Z"), parseInstant("2026-07-18T00:00:00Z")];
    const { extremes } = tideCurve(catalog.sum(station), station, catalog.chartLevel(station), first, last);
    const ours = extremes.filter(({ time }) => time >= first && time < last);
    expect(chartDatumOf(station)).toBe("MLLW");
    expect(ours).toHaveLength(theirs.length);
    for (const [number, { time, height }] of theirs.entries()) {
      expect(Math.abs(ours[number]!.time - time)).toBeLessThan(60 * MINUTES);
      expect(Math.abs(ours[number]!.value - height)).toBeLessThan(0.02);
    }
  });
});
