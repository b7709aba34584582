import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { formatInstant } from "#lib/time.ts";
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
