import { tideFormats, tideKinds } from "#lib/contract/tides.ts";
import { DAY_S, formatInstant, HOUR_S } from "#lib/time.ts";
import type { Random } from "./random.ts";

/**
 * Stations of every kind: semidiurnal, with a stand, diurnal, with hardly any tide, subordinate, beyond the date line.
 */
const heights = [
  "ticon:brest-822-fra-uhslc_fd",
  "ticon:southampton-sou-gbr-da_idh",
  "noaa:8443970",
  "noaa:8729840",
  "noaa:8722146",
  "noaa:TWC2303",
  "noaa:TPT2875",
  "kartverket:BGO",
  "ticon:stockholm-2069-swe-smhi",
];

const streams = ["noaa:BOS1111", "noaa:n01010", "noaa:ACT0091", "noaa:PCT5721"];

/** A station of another licence, an id in the database's form, and an unknown id. */
const unknown = ["ticon:warnemuendetg-war-deu-cmems", "noaa%2F8443970", "noaa:0"];

export function stationId(random: Random): string {
  return random.of(random.chance(0.1) ? unknown : random.chance(0.3) ? streams : heights);
}

const datums = ["MSL", "LAT", "MLLW", "CD", "NN2000", "GT", "constructor", ""];

/** A time in the forecast, anywhere in the years of predictions, or around their ends. */
function timeOf(random: Random, now: number): number {
  if (random.chance(0.7)) return now + random.below(400) * HOUR_S;
  const [first, end] = [Date.UTC(1900, 0, 1) / 1000, Date.UTC(2101, 0, 1) / 1000];
  return random.chance(0.2)
    ? random.of([first, end]) + (random.below(5) - 2) * DAY_S
    : Math.floor(random.between(first, end));
}

function boxOf(random: Random): string {
  if (random.chance(0.1)) return "-180,-90,180,90";
  const [west, south] = [random.between(-180, 180), random.between(-90, 80)];
  const east = west + random.between(0, 60);
  return [west, south, east > 180 ? east - 360 : east, south + random.between(0, 10)]
    .map((degrees) => degrees.toFixed(2))
    .join();
}

/** An almost valid query of an operation of tides; undefined for other operations. */
export function tideQuery(path: string, random: Random, now: number): Record<string, string> | undefined {
  const place = () => ({
    lat: random.between(-90, 90).toFixed(3),
    lon: random.between(-180, 180).toFixed(3),
  });
  const kind = () => random.chance(0.5) && { kind: random.of(tideKinds) };
  const from = timeOf(random, now);
  const days = random.chance(0.9) ? random.between(0, 5) : random.between(0, 400);
  const asText = (time: number) => formatInstant(time).slice(0, random.chance(0.3) ? 10 : undefined);
  const period = () => ({
    ...(random.chance(0.7) && { from: asText(from), to: asText(from + Math.floor(days * DAY_S)) }),
    ...(random.chance(0.4) && { step: String(random.of([1, 10, 60, 1440, 0])) }),
    ...(random.chance(0.3) && { datum: random.of(datums) }),
    ...(random.chance(0.3) && { f: random.of(Object.keys(tideFormats)) }),
  });
  switch (path) {
    case "/tides":
      return { ...place(), ...kind(), ...(random.chance(0.6) && { within_km: "500" }), ...period() };
    case "/tides/{station_id}":
      return period();
    case "/tides/now":
      return { bbox: boxOf(random), ...kind(), ...(random.chance(0.5) && { at: formatInstant(from) }) };
    case "/tides/stations":
      return {
        ...kind(),
        ...random.of<Record<string, string>>([
          { search: random.of(["brest", "San Fr", "x", "United States", "é", "a b c d e f g"]) },
          place(),
          { bbox: boxOf(random) },
        ]),
        limit: String(random.of([1, 20, 1000])),
        ...(random.chance(0.3) && { offset: String(random.of([0, 8000, 1e9])) }),
      };
    case "/edr/collections/tides/locations":
      return { ...(random.chance(0.5) && { bbox: boxOf(random) }), limit: String(1 + random.below(1000)) };
    case "/edr/collections/tides/locations/{location_id}":
      return {
        ...(random.chance(0.7) && {
          datetime: random.of([asText(from), `${asText(from)}/${asText(from + Math.floor(days * DAY_S))}`]),
        }),
        ...(random.chance(0.3) && { "parameter-name": random.of(["Tide_Height", "Wind_Speed"]) }),
      };
    default:
      return undefined;
  }
}
