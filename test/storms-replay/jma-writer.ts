import { HOUR_S } from "#lib/time.ts";
import type { Chance } from "./chance.ts";
import { type Deck, twoDigits } from "./deck.ts";

type LatLon = [number, number];

interface Part {
  part: unknown;
  advancedHours?: number;
  position?: { deg: LatLon };
  center?: LatLon;
  maximumWind?: { sustained?: { kt?: string } };
  track?: { preTyphoon?: LatLon[]; typhoon?: LatLon[] };
}

/** A bulletin of the JMA: its two files. */
export interface JmaBulletin {
  /** When it was issued, and its analysis time, Unix seconds. */
  issued: number;
  base: number;
  typhoonNumber: string;
  specifications: Part[];
  forecast: Part[];
}

/** The bulletins of one storm, as an archive has them. */
export interface JmaArchive {
  code: string;
  bulletins: JmaBulletin[];
}

const THREE_S = 3 * HOUR_S;

/** How far north of what came a forecast is, degrees a day. */
const ERROR = 0.4;

/**
 * Bulletins every 3 h from a best track, hourly for a while as near Japan. The line drawn behind the storm has a point every
 * 3 h, and every hour where bulletins were hourly; its first part is that before the name.
 */
export function writtenBulletins(chance: Chance, deck: Deck, letter: string): JmaArchive {
  const begins = Math.ceil(deck.fixes[0]!.time / THREE_S) * THREE_S;
  const ends = deck.fixes.at(-1)!.time;
  const named = deck.fixes.find(({ windKt }) => (windKt ?? 0) >= 35)?.time ?? Number.POSITIVE_INFINITY;
  const hourlyFrom = begins + chance.between(4, 30) * THREE_S;
  const hourlyTo = chance.is(0.7) ? hourlyFrom + chance.between(2, 16) * THREE_S : hourlyFrom;
  const year = new Date(begins * 1000).getUTCFullYear();
  const typhoon = `${twoDigits(year % 100)}${twoDigits(deck.number)}`;
  const code = `TC${twoDigits(year % 100)}${twoDigits((deck.number + 40) % 100)}`;
  const bulletins: JmaBulletin[] = [];
  const line: { time: number; place: LatLon }[] = [];
  for (let time = begins; time <= ends; time += HOUR_S) {
    const isHourly = time > hourlyFrom && time < hourlyTo;
    if (!isHourly && time % THREE_S !== 0) continue;
    line.push({ time, place: placeAt(deck, time)! });
    // Some analyses are drawn and not published.
    if (!isHourly && chance.is(0.05)) continue;
    const isNamed = time >= named;
    const isLast = time + THREE_S > ends;
    bulletins.push({
      issued: time + 50 * 60,
      base: time,
      typhoonNumber: isNamed ? typhoon : letter,
      ...filesOf({
        deck,
        time,
        isNamed,
        isLast,
        isHourly,
        typhoonNumber: isNamed ? typhoon : letter,
        line,
        named,
      }),
    });
  }
  return { code, bulletins };
}

interface Moment {
  deck: Deck;
  time: number;
  isNamed: boolean;
  isLast: boolean;
  isHourly: boolean;
  typhoonNumber: string;
  line: readonly { time: number; place: LatLon }[];
  named: number;
}

function filesOf({ deck, time, isNamed, isLast, isHourly, typhoonNumber, line, named }: Moment) {
  const clock = (at: number) => ({ UTC: `${new Date(at * 1000).toISOString().slice(0, 19)}Z` });
  const title = {
    part: "title",
    typhoonNumber,
    issue: clock(time + 50 * 60),
    ...(isNamed ? { name: { en: "Demobeta" } } : {}),
  };
  const hours = isHourly
    ? [0, 1, 3, 6, 12, 24]
    : time % (2 * THREE_S) === 0
      ? [0, 12, 24, 48, 72]
      : [0, 12, 24, 45, 69];
  const parts = (isLast ? [0] : hours).flatMap((hour) => {
    const place = placeAt(deck, time + hour * HOUR_S);
    if (!place) return [];
    const [latitude, longitude] = place;
    const ahead: LatLon = [Math.round((latitude + (ERROR * hour) / 24) * 10) / 10, longitude];
    return [{ hour, place: ahead, valid: clock(time + hour * HOUR_S) }];
  });
  const wind = deck.fixes.findLast((fix) => fix.time <= time)?.windKt ?? null;
  const specifications: Part[] = parts.map(({ hour, place, valid }) => ({
    part: { en: hour === 0 ? "Analysis" : "Forecast" },
    ...(isNamed && wind ? { maximumWind: { sustained: { kt: String(wind) } } } : {}),
    advancedHours: hour,
    ...(hour > 1 ? { probabilityCircleRadius: { nm: hour * 2 } } : {}),
    // The last bulletins, which forecast nothing, are on a storm that has weakened.
    category: { en: isNamed && parts.length > 1 ? "TS" : "TD" },
    position: { deg: place },
    pressure: "990",
    validtime: valid,
  }));
  const before = line.filter((point) => point.time <= named);
  const after = line.filter((point) => point.time >= named);
  const places = (points: typeof line) => points.map(({ place }) => place);
  const forecast: Part[] = parts.map(({ hour, place, valid }) => ({
    part: { en: hour === 0 ? "Analysis" : "Forecast" },
    advancedHours: hour,
    validtime: valid,
    ...(hour === 0 ? { track: { preTyphoon: places(before), typhoon: places(after) } } : {}),
    ...(hour > 1 ? { probabilityCircle: { radius: hour * 2 * 1852 } } : {}),
    center: place,
  }));
  return { specifications: [title, ...specifications], forecast: [title, ...forecast] };
}

/** Linear between fixes, tenths of a degree; JMA's longitudes continue past 180. */
function placeAt({ fixes }: Deck, time: number): LatLon | undefined {
  const at = fixes.findIndex((fix) => fix.time >= time);
  const to = fixes[at];
  if (!to || time < fixes[0]!.time) return undefined;
  const from = fixes[Math.max(0, at - 1)]!;
  const part = to.time === from.time ? 0 : (time - from.time) / (to.time - from.time);
  const east = (longitude: number) => (longitude < 0 ? longitude + 360 : longitude);
  const round = (value: number) => Math.round(value * 10) / 10;
  return [
    round(from.latitude + part * (to.latitude - from.latitude)),
    round(east(from.longitude) + part * (east(to.longitude) - east(from.longitude))),
  ];
}
