import { readDecimal } from "#lib/decimal.ts";
import type { Fix } from "#lib/geo/dead-reckoning.ts";
import { parseShownTime, writeShownTime } from "./shown-time.ts";

/** Fastest ship, kn, as POST /storms/approach takes it. */
export const MAX_SPEED = 100;

/** `48.5,-5.17,45,6.5,2026-09-15T06:12:00Z`: latitude, longitude, course, speed and time; undefined for any other text. */
export function parseShip(text: string): Fix | undefined {
  const [latitude = "", longitude = "", course = "", speed = "", at = "", ...rest] = text.split(",");
  const time = parseShownTime(at);
  if (rest.length > 0 || typeof time !== "number") return undefined;
  const fix = {
    latitude: within(latitude, -90, 90),
    longitude: within(longitude, -180, 180),
    course: within(course, 0, 360),
    speed: within(speed, 0, MAX_SPEED),
    time,
  };
  return Object.values(fix).every(Number.isFinite) ? fix : undefined;
}

/** Inverse of `parseShip`, to 11 m, 0.1° and 0.1 kn. */
export function writeShip({ latitude, longitude, course, speed, time }: Fix): string {
  const place = [latitude, longitude].map((degrees) => Number(degrees.toFixed(4)));
  return [...place, ...[course, speed].map((value) => Number(value.toFixed(1))), writeShownTime(time)].join(
    ",",
  );
}

/** A link with a ship. @param address The link without. */
export function withShip(address: string, ship: Fix): string {
  const link = new URL(address);
  link.searchParams.set("ship", writeShip(ship));
  return link.href;
}

function within(text: string, least: number, most: number): number {
  const value = readDecimal(text);
  return value >= least && value <= most ? value : Number.NaN;
}
