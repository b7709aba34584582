import { HOUR_S } from "#lib/time.ts";
import type { Part } from "./field-feed.ts";

/** Date and hour of a time as file names write them, UTC: `{ day: "20261123", hour: "06" }`. @param time Unix seconds. */
export function stamp(time: number): { day: string; hour: string } {
  const iso = new Date(time * 1000).toISOString();
  return { day: iso.slice(0, 10).replaceAll("-", ""), hour: iso.slice(11, 13) };
}

/** Whole numbers from `from` to `to`, both included. */
export function range(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
}

/** One part for each lead. @param leads Hours after the base time, ascending. */
export function partsAt(cycle: number, leads: readonly number[]): Part[] {
  return leads.map((lead, index) => ({ cycle, index, times: [cycle + lead * HOUR_S] }));
}

/** Lead of a part with one time, hours. */
export function leadOf({ cycle, times }: Part): number {
  return (times[0]! - cycle) / HOUR_S;
}
