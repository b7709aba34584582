import { HOUR_S } from "#lib/time.ts";
import type { Chance } from "./chance.ts";
import { type Deck, moved } from "./deck.ts";
import { type JmaArchive, type JmaBulletin, writtenBulletins } from "./jma-writer.ts";
import { placed, turnOfYear } from "./placing.ts";
import {
  ascending,
  type GivenFix,
  type Publication,
  placeKey,
  type Season,
  type SeasonStorm,
} from "./season.ts";

/**
 * A season of the JMA: real bulletins at the times at which they were published, or such as are written from best tracks,
 * with the list of active storms as it was at each time.
 */
export function jmaSeason(chance: Chance, archives: readonly JmaArchive[], decks: readonly Deck[]): Season {
  const isReal = archives.length > 0 && chance.is(0.5);
  const chosen = isReal ? movedArchives(chance, archives) : writtenArchives(chance, decks);
  const storms: SeasonStorm[] = [];
  const publications: Publication[] = [];
  const lives: { code: string; bulletins: JmaBulletin[]; until: number }[] = [];
  for (const [index, { code, bulletins }] of chosen.entries()) {
    const tracked = new Set(bulletins.map(({ base }) => base));
    const storm: SeasonStorm = { ids: [], code, given: [], tracked, forecasts: [], lines: [] };
    const removes = chance.is(0.4);
    for (const bulletin of bulletins) {
      read(storm, bulletin);
      const hours = bulletin.specifications.flatMap((part) => part.advancedHours ?? []);
      const at = bulletin.issued + chance.between(0, 10) * 60;
      const says = { storm: index, base: bulletin.base };
      const forecasts = { ...says, forecast: { base: bulletin.base, hours: hours.length > 1 ? hours : [] } };
      const { specifications, forecast } = bulletin;
      publications.push(
        { at, source: `${code}/specifications.json`, text: JSON.stringify(specifications), says: forecasts },
        {
          at: at + chance.between(0, 3) * 60,
          source: `${code}/forecast.json`,
          text: JSON.stringify(forecast),
          says,
        },
      );
    }
    const last = bulletins.at(-1)!;
    // An archive that ends in the middle of a life: the storm stays listed.
    const isOver = last.specifications.length <= 2;
    const until = last.issued + (isOver ? 3 : 40) * HOUR_S;
    lives.push({ code, bulletins, until });
    if (removes)
      for (const half of ["specifications", "forecast"])
        publications.push({
          at: until + 1800,
          source: `${code}/${half}.json`,
          text: null,
          says: { storm: index },
        });
    storms.push(storm);
  }
  return { provider: "jma", publications: ascending([...publications, ...targetLists(lives)]), storms };
}

/** `targetTc.json` whenever it changes: a storm is on it from its first bulletin, and not in a gap of a day. */
function targetLists(
  lives: readonly { code: string; bulletins: JmaBulletin[]; until: number }[],
): Publication[] {
  const moments = new Set(
    lives.flatMap(({ bulletins, until }) => [until, ...bulletins.map(({ issued }) => issued)]),
  );
  for (const { bulletins } of lives)
    for (const [at, { issued }] of bulletins.entries())
      if ((bulletins[at + 1]?.issued ?? issued) - issued > 24 * HOUR_S) moments.add(issued + 3 * HOUR_S);
  const lists = [...moments].toSorted((one, other) => one - other);
  return lists.map((at) => {
    const listed = lives.flatMap(({ code, bulletins, until }) => {
      const newest = bulletins.findLast(({ issued }) => issued <= at);
      if (!newest || at >= until) return [];
      const next = bulletins.find(({ issued }) => issued > at);
      const isGap = next !== undefined && next.issued - newest.issued > 24 * HOUR_S;
      if (isGap && at >= newest.issued + 3 * HOUR_S) return [];
      const { typhoonNumber } = newest.specifications[0] as { typhoonNumber?: string };
      const issue = `${new Date((newest.issued + 9 * HOUR_S) * 1000).toISOString().slice(0, 19)}+09:00`;
      return [{ tropicalCyclone: code, typhoonNumber, category: "TS", issue }];
    });
    const keys = listed.map(({ tropicalCyclone }) => tropicalCyclone);
    return {
      at,
      source: "targetTc.json",
      text: JSON.stringify(listed),
      says: { lists: { keys, basins: ["WP"] } },
    };
  });
}

/** What a bulletin gives. */
function read(storm: SeasonStorm, { base, specifications, forecast, typhoonNumber }: JmaBulletin): void {
  const analysis = specifications.find(({ advancedHours }) => advancedHours === 0)!;
  const [latitude, longitude] = analysis.position!.deg;
  const fix: GivenFix = {
    time: base,
    latitude,
    longitude,
    windKt: Number(analysis.maximumWind?.sustained?.kt ?? 0) || null,
    radii: {},
  };
  storm.given.push(fix);
  const id = /^\d{4}$/.test(typhoonNumber)
    ? `WP${typhoonNumber.slice(2)}20${typhoonNumber.slice(0, 2)}`
    : `WP${91 + typhoonNumber.charCodeAt(0) - 97}20${storm.code!.slice(2, 4)}`;
  if (storm.ids.at(-1) !== id) storm.ids.push(id);
  const points = [...specifications, ...forecast].flatMap((part): GivenFix[] => {
    const [latitude, longitude] = part.position?.deg ?? part.center ?? [];
    if (part.advancedHours === undefined || latitude === undefined || longitude === undefined) return [];
    const windKt = Number(part.maximumWind?.sustained?.kt ?? 0) || null;
    return [{ time: base + part.advancedHours * HOUR_S, latitude, longitude, windKt, radii: {} }];
  });
  storm.forecasts.push({ base, points });
  for (const part of forecast) {
    if (!part.track) continue;
    const line = [...(part.track.preTyphoon ?? []), ...(part.track.typhoon ?? [])];
    storm.lines.push(line.map(([latitude, longitude]) => placeKey({ latitude, longitude })));
  }
}

/** Real bulletins, some moved over New Year. Numbers stay those of the old year, as they do with the JMA. */
function movedArchives(chance: Chance, archives: readonly JmaArchive[]): JmaArchive[] {
  const chosen = chance.is(0.5) ? [...archives] : [chance.of(archives)];
  if (!chance.is(0.4)) return chosen;
  const life = chance.of(chosen).bulletins;
  const newYear = Date.UTC(2027, 0, 1) / 1000;
  const shiftS = Math.round((newYear - chance.of(life).base) / (6 * HOUR_S)) * 6 * HOUR_S;
  return chosen.map(({ code, bulletins }) => ({
    code,
    bulletins: bulletins.map((bulletin) => ({
      ...bulletin,
      issued: bulletin.issued + shiftS,
      base: bulletin.base + shiftS,
      specifications: movedTimes(bulletin.specifications, shiftS),
      forecast: movedTimes(bulletin.forecast, shiftS),
    })),
  }));
}

function movedTimes<Content>(content: Content, shiftS: number): Content {
  const text = JSON.stringify(content).replaceAll(
    /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(Z|\+09:00)/g,
    (_, local: string, zone: string) =>
      `${new Date(Date.parse(`${local}Z`) + shiftS * 1000).toISOString().slice(0, 19)}${zone}`,
  );
  return JSON.parse(text) as Content;
}

function writtenArchives(chance: Chance, decks: readonly Deck[]): JmaArchive[] {
  const chosen = [...new Set(Array.from({ length: chance.of([1, 1, 2, 3]) }, () => chance.of(decks)))];
  const around = chance.is(0.4) ? turnOfYear(chance, "WP") : undefined;
  return placed(chance, chosen, around).map(({ deck, shiftS }, index) => {
    const number = chance.between(1, 8) + 9 * index;
    return writtenBulletins(chance, moved(deck, number, shiftS), "abc"[index % 3]!);
  });
}
