import { HOUR_S } from "#lib/time.ts";
import {
  ascending,
  type Chance,
  type GivenFix,
  type Publication,
  placeKey,
  type Season,
  type SeasonStorm,
} from "./season.ts";

type LatLon = [number, number];

interface Part {
  advancedHours?: number;
  position?: { deg: LatLon };
  center?: LatLon;
  maximumWind?: { sustained?: { kt?: string } };
  track?: { preTyphoon?: LatLon[]; typhoon?: LatLon[] };
  validtime?: { UTC: string };
}

/** A bulletin of the JMA: its two files, whose first part is the title. */
export type JmaFiles = Record<"specifications" | "forecast", Part[]>;

/** The bulletins of one storm, oldest first. */
export interface JmaArchive {
  code: string;
  bulletins: JmaFiles[];
}

/**
 * A season of the JMA: bulletins at the times of their publication, some moved over New Year, with the list of active
 * storms at each time.
 */
export function jmaSeason(chance: Chance, archives: readonly JmaArchive[]): Season {
  const chosen = chance.is(0.5) ? [...archives] : [chance.of(archives)];
  const newYear = Date.UTC(2027, 0, 1) / 1000;
  const { issued } = identityOf(chance.of(chance.of(chosen).bulletins));
  const shiftS = chance.is(0.4) ? Math.round((newYear - issued) / (6 * HOUR_S)) * 6 * HOUR_S : 0;
  const storms: SeasonStorm[] = [];
  const publications: Publication[] = [];
  const lives: Life[] = [];
  for (const [index, archive] of chosen.entries()) {
    const { code } = archive;
    const bulletins = archive.bulletins.map((files) => movedTimes(files, shiftS));
    const storm: SeasonStorm = { ids: [], code, given: [], tracked: new Set(), forecasts: [], lines: [] };
    for (const files of bulletins) {
      const { issued, base } = read(storm, files);
      const hours = files.specifications.flatMap((part) => part.advancedHours ?? []);
      const says = { storm: index, base };
      const at = issued + chance.between(0, 10) * 60;
      publications.push(
        text(at, code, "specifications", files, { ...says, hours: hours.length > 1 ? hours : [] }),
        text(at + chance.between(0, 3) * 60, code, "forecast", files, says),
      );
    }
    storm.tracked = new Set(storm.given.map(({ time }) => time));
    // The archive ends in the middle of a storm's life, so the storm stays listed.
    const isOver = bulletins.at(-1)!.specifications.length <= 2;
    const titles = bulletins.map(identityOf);
    const until = titles.at(-1)!.issued + (isOver ? 3 : 40) * HOUR_S;
    lives.push({ code, titles, until });
    if (chance.is(0.4))
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

function text(at: number, code: string, half: keyof JmaFiles, files: JmaFiles, says: Publication["says"]) {
  return { at, source: `${code}/${half}.json`, text: JSON.stringify(files[half]), says };
}

/** Time of issue of a bulletin, Unix seconds, and the number or letter of its storm. */
function identityOf({ specifications: [title] }: JmaFiles) {
  const { issue, typhoonNumber } = title as unknown as { issue: { UTC: string }; typhoonNumber: string };
  return { issued: Date.parse(issue.UTC) / 1000, typhoonNumber };
}

/** Records what a bulletin states. */
function read(storm: SeasonStorm, files: JmaFiles) {
  const { issued, typhoonNumber } = identityOf(files);
  const analysis = files.specifications.find(({ advancedHours }) => advancedHours === 0)!;
  const base = Date.parse(analysis.validtime!.UTC) / 1000;
  const fixOf = (part: Part): GivenFix[] => {
    const [latitude, longitude] = part.position?.deg ?? part.center ?? [];
    if (part.advancedHours === undefined || latitude === undefined || longitude === undefined) return [];
    const windKt = Number(part.maximumWind?.sustained?.kt ?? 0) || null;
    return [{ time: base + part.advancedHours * HOUR_S, latitude, longitude, windKt, radii: {} }];
  };
  storm.given.push(...fixOf(analysis));
  const id = /^\d{4}$/.test(typhoonNumber)
    ? `WP${typhoonNumber.slice(2)}20${typhoonNumber.slice(0, 2)}`
    : `WP${91 + typhoonNumber.charCodeAt(0) - 97}20${storm.code!.slice(2, 4)}`;
  if (storm.ids.at(-1) !== id) storm.ids.push(id);
  storm.forecasts.push({ base, points: [...files.specifications, ...files.forecast].flatMap(fixOf) });
  for (const { track } of files.forecast)
    if (track)
      storm.lines.push(
        [...(track.preTyphoon ?? []), ...(track.typhoon ?? [])].map(([latitude, longitude]) =>
          placeKey({ latitude, longitude }),
        ),
      );
  return { issued, base };
}

function movedTimes(files: JmaFiles, shiftS: number): JmaFiles {
  const moved = JSON.stringify(files).replaceAll(
    /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(Z|\+09:00)/g,
    (_, local: string, zone: string) =>
      `${new Date(Date.parse(`${local}Z`) + shiftS * 1000).toISOString().slice(0, 19)}${zone}`,
  );
  return JSON.parse(moved) as JmaFiles;
}

interface Life {
  code: string;
  titles: ReturnType<typeof identityOf>[];
  until: number;
}

/** `targetTc.json` whenever it changes. A storm is listed from its first bulletin, except in a gap of a day. */
function targetLists(lives: readonly Life[]): Publication[] {
  const isGap = ({ titles }: Life, at: number) =>
    (titles[at + 1]?.issued ?? titles[at]!.issued) - titles[at]!.issued > 24 * HOUR_S;
  const moments = lives.flatMap((life) => [
    life.until,
    ...life.titles.flatMap(({ issued }, at) => (isGap(life, at) ? [issued, issued + 3 * HOUR_S] : [issued])),
  ]);
  return [...new Set(moments)].map((at) => {
    const listed = lives.flatMap((life) => {
      const newest = life.titles.findLastIndex(({ issued }) => issued <= at);
      if (newest < 0 || at >= life.until) return [];
      const { issued, typhoonNumber } = life.titles[newest]!;
      if (isGap(life, newest) && at >= issued + 3 * HOUR_S) return [];
      const issue = `${new Date((issued + 9 * HOUR_S) * 1000).toISOString().slice(0, 19)}+09:00`;
      return [{ tropicalCyclone: life.code, typhoonNumber, category: "TS", issue }];
    });
    const keys = listed.map(({ tropicalCyclone }) => tropicalCyclone);
    const says = { lists: { keys, basins: ["WP"] } };
    return { at, source: "targetTc.json", text: JSON.stringify(listed), says };
  });
}
