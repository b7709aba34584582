import type { Box } from "@open-metocean/geo/box";
import type { Place } from "@open-metocean/geo/sphere";
import type { StormBox, StormPlace } from "./schema.ts";

/** A place in the form of the storm endpoints, rounded to 0.001° (110 m). */
export function toWire({ latitude, longitude }: Place): StormPlace {
  return { lat: thousandths(latitude), lon: thousandths(longitude) };
}

export function ofWire({ lat, lon }: StormPlace): Place {
  return { latitude: lat, longitude: lon };
}

/** A box rounded outward, so that it contains the original one. */
export function boxToWire({ south, north, west, east }: Box): StormBox {
  return { s: down(south), n: -down(-north), w: down(west), e: -down(-east) };
}

function thousandths(degrees: number): number {
  return Math.round(degrees * 1000) / 1000 + 0;
}

/** Rounds down to 0.001°, with a tolerance for floating-point error. */
function down(degrees: number): number {
  return Math.floor(degrees * 1000 + 1e-6) / 1000 + 0;
}

/** Rounds kilometres or km/h to a tenth. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
