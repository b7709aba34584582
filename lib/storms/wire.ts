import type { StormBox, StormPlace } from "#lib/contract/storm-form.ts";
import type { Box } from "#lib/geo/box.ts";
import type { Place } from "#lib/geo/sphere.ts";

/** A place as the storm endpoints write it, 0.001° (110 m). */
export function toWire({ latitude, longitude }: Place): StormPlace {
  return { lat: thousandths(latitude), lon: thousandths(longitude) };
}

export function ofWire({ lat, lon }: StormPlace): Place {
  return { latitude: lat, longitude: lon };
}

/** A box, rounded outward: what it stands for stays inside. */
export function boxToWire({ south, north, west, east }: Box): StormBox {
  return { s: down(south), n: -down(-north), w: down(west), e: -down(-east) };
}

function thousandths(degrees: number): number {
  return Math.round(degrees * 1000) / 1000 + 0;
}

/** Rounds down, but not for a whisker that the arithmetic left. */
function down(degrees: number): number {
  return Math.floor(degrees * 1000 + 1e-6) / 1000 + 0;
}

/** Kilometres, and km/h, at a tenth. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
