import type { DrawnVariable } from "#lib/catalog/colours.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";

/** What a viewer looks at: until the next look, or the end. */
export interface Look {
  /** Seconds since midnight UTC. */
  at: number;
  variable: DrawnVariable;
  /** Hours from now that are shown. */
  ahead: number;
  box: ViewBox;
  /** Time plays: later steps are read as they come. */
  isPlaying: boolean;
}

/** Regions where people sail: share of the viewers, middle, and hours that clocks are ahead of UTC. */
const regions = [
  { share: 0.28, latitude: 47, longitude: -3, clock: 1 },
  { share: 0.17, latitude: 40, longitude: 8, clock: 1 },
  { share: 0.08, latitude: 57, longitude: 12, clock: 1 },
  { share: 0.17, latitude: 36, longitude: -74, clock: -5 },
  { share: 0.08, latitude: 17, longitude: -64, clock: -4 },
  { share: 0.06, latitude: 36, longitude: -124, clock: -8 },
  { share: 0.05, latitude: -25, longitude: -45, clock: -3 },
  { share: 0.06, latitude: 30, longitude: 126, clock: 8 },
  { share: 0.05, latitude: -34, longitude: 152, clock: 10 },
] as const;

/** Share of the viewers of a day in each hour of their clocks: mornings and evenings. */
const hours = [1, 1, 1, 1, 2, 4, 7, 9, 8, 6, 5, 5, 5, 4, 4, 4, 5, 6, 7, 8, 7, 5, 3, 2];

const layers: readonly [DrawnVariable, number][] = [
  ["wind", 0.55],
  ["wave", 0.2],
  ["rain", 0.1],
  ["current", 0.08],
  ["pressure", 0.07],
];

/** What a viewer does next. */
const actions = [
  ["pan", 0.35],
  ["zoom", 0.2],
  ["time", 0.25],
  ["layer", 0.1],
  ["play", 0.1],
] as const;

/** Looks of a session, on average; the number is geometric. */
const MEAN_LOOKS = 8;
/** Pause between looks, seconds, on average; exponential. */
const MEAN_PAUSE_S = 15;
/** Steps of an hour that are played, and seconds for each. */
const PLAYED = 24;
const PLAYED_S = 0.5;

/**
 * One visit: near home, at zoom 2.5 to 8 in a window of 1440 × 900 or a phone of 390 × 844, half of a day ahead on average.
 *
 * @param random In [0, 1).
 */
export function sessionOf(random: () => number): Look[] {
  const region = pick(regions, ({ share }) => share, random);
  const local = pick([...hours.keys()], (hour) => hours[hour]!, random);
  let at = ((local - region.clock + 24) % 24) * 3600 + random() * 3600;
  const isPhone = random() < 0.5;
  let [variable] = pick(layers, ([, share]) => share, random);
  let zoom = 2.5 + 5.5 * random() ** 1.5;
  let latitude = region.latitude + 6 * normal(random);
  let longitude = region.longitude + 8 * normal(random);
  let ahead = 0;
  const looks: Look[] = [];
  const look = (isPlaying: boolean) =>
    looks.push({ at, variable, ahead, box: boxOf(latitude, longitude, zoom, isPhone), isPlaying });
  look(false);
  while (random() > 1 / MEAN_LOOKS) {
    at += -Math.log(1 - random()) * MEAN_PAUSE_S;
    const [action] = pick(actions, ([, share]) => share, random);
    if (action === "layer") [variable] = pick(layers, ([, share]) => share, random);
    if (action === "zoom") zoom = Math.min(9, Math.max(2, zoom + (random() < 0.65 ? 1 : -1)));
    if (action === "time") ahead = Math.min(168, Math.floor(-Math.log(1 - random()) * 24));
    if (action === "pan") {
      const degrees = 180 / 2 ** zoom;
      latitude = Math.max(-70, Math.min(70, latitude + degrees * normal(random)));
      longitude += degrees * normal(random);
    }
    if (action !== "play") look(false);
    else
      for (let step = 0; step < PLAYED; step++, ahead++, at += PLAYED_S) {
        look(true);
      }
  }
  return looks;
}

/** What is in view, by Web Mercator with tiles of 512 pixels. */
function boxOf(latitude: number, longitude: number, zoom: number, isPhone: boolean): ViewBox {
  const world = 512 * 2 ** zoom;
  const [width, height] = isPhone ? [390, 844] : [1440, 900];
  const middle = Math.asinh(Math.tan((latitude * Math.PI) / 180));
  const reach = (height / world) * Math.PI;
  const degrees = (y: number) => (Math.atan(Math.sinh(y)) * 180) / Math.PI;
  const aside = Math.min(180, (width / world) * 180);
  return {
    south: degrees(middle - reach),
    north: degrees(middle + reach),
    west: longitude - aside,
    east: longitude + aside,
  };
}

function pick<Item>(items: readonly Item[], weight: (item: Item) => number, random: () => number): Item {
  let left = random() * items.reduce((sum, item) => sum + weight(item), 0);
  for (const item of items) {
    left -= weight(item);
    if (left < 0) return item;
  }
  return items.at(-1)!;
}

/** Sum of uniform numbers: about normal, with a deviation of one. */
function normal(random: () => number): number {
  let sum = -6;
  for (let count = 0; count < 12; count++) sum += random();
  return sum;
}
