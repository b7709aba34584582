import { fromKnots } from "#lib/knots.ts";
import type { WordsWith } from "#lib/messages/words.ts";
import { compassLetters, formatBearing } from "#lib/position.ts";
import type { StreamReading, TideReading } from "#lib/tides/reading.ts";
import { textIn, type Unit, type Units, unitFor } from "#lib/units.ts";

type Words = WordsWith<"tides">;

/** Heights to a decimal in metres and in feet, as tide tables have them. */
export function heightUnit(units: Units, words: Words): Unit {
  return { ...unitFor("m", units, undefined, words), decimals: 1 };
}

/** `Rising, 3.4 m`. */
export function formatTideNow({ trend, height }: TideReading, units: Units, words: Words): string {
  return words.tides.now[trend ?? "none"]({ height: textIn(height, heightUnit(units, words)) });
}

/** `1.8 kn`. @param knots At most. */
export function formatStream(knots: number, units: Units, words: Words): string {
  return textIn(fromKnots(knots), unitFor("m/s", units, "slow", words));
}

/** `Flooding, 1.8 kn 070° (ENE)`. */
export function formatStreamNow(reading: StreamReading, units: Units, words: Words): string {
  const { speed, phase, direction } = reading;
  const { now } = words.tides;
  if (phase === "slack" || direction === undefined) return now.slack;
  return now[phase]({
    speed: formatStream(speed, units, words),
    direction: words.point.bearing({
      bearing: formatBearing(direction),
      point: compassLetters(direction, words),
    }),
  });
}
