import { LRUCache } from "lru-cache";
import { HOUR_S } from "#lib/time.ts";
import {
  expectedAt,
  type FieldFeed,
  type Mirror,
  type PartObjects,
} from "#server/ingest/feeds/field-feed.ts";
import { windowWords } from "./forecast-fields.ts";
import { type GribFile, gribPieces, wgrib2Index } from "./grib-object.ts";
import { ecmwfIndex } from "./host-ecmwf.ts";
import { gridOf, NOBODY, rowsOf } from "./host-publisher.ts";
import { valuesOfPart } from "./members.ts";
import type { Planet } from "./planet.ts";
import { type Host, type Published, timeOf } from "./published.ts";

type MessageObject = Extract<PartObjects, { kind: "messages" }>;

interface Step {
  /** When its objects are published, Unix seconds. */
  from: number;
  objects: readonly MessageObject[];
}

/** The base time and the lead in the name of an object. */
const NAMES = [
  /gefs\.(?<day>\d{8})\/(?<hour>\d\d)\/.*\.f(?<lead>\d{3})(?:\.|$)/,
  /\/(?<day>\d{8})\/(?<hour>\d\d)z\/.*-(?<lead>\d+)h-/,
];
/** The control of ECMWF's ensemble is a deterministic forecast, which has a host of its own. */
const IS_DETERMINISTIC = /-(?:oper|wave)-fc\.\w+$/;

/** Number of steps whose objects are cached: a round asks for every member of one step at a time. */
const CACHED_STEPS = 64;

/** A host with the files of an ensemble, by what its folder says. */
export function ensembleHost(feed: FieldFeed, mirror: Mirror): Host {
  const prefix = new URL(mirror.base).pathname.replace(/\/$/, "");
  const rows = rowsOf(feed.source.rules);
  const steps = new LRUCache<string, Step>({ max: CACHED_STEPS });
  const stepOf = (cycle: number, lead: number): Step | undefined => {
    const known = steps.get(`${cycle} ${lead}`);
    if (known) return known;
    const parts = feed.parts(cycle, "full");
    const part = parts.find(({ times }) => times[0] === cycle + lead * HOUR_S);
    const objects = part && feed.objects(part, "full", mirror);
    if (objects?.kind !== "members") return undefined;
    const step = { from: expectedAt(feed, part!, parts.length), objects: objects.objects };
    steps.set(`${cycle} ${lead}`, step);
    return step;
  };
  return ({ path }, planet) => {
    if (IS_DETERMINISTIC.test(path)) return undefined;
    const groups = NAMES.map((name) => name.exec(path)?.groups).find((found) => found);
    if (!groups) return undefined;
    const cycle = timeOf(groups.day!, groups.hour);
    if (cycle % feed.cycles.every !== 0) return undefined;
    const lead = Number(groups.lead);
    const step = stepOf(cycle, lead);
    const isIndex = ({ index }: MessageObject) => `${prefix}/${index.object}` === path;
    const found = step?.objects.find((one) => `${prefix}/${one.object}` === path || isIndex(one));
    if (!step || !found) return undefined;
    const published: Published = {
      from: step.from,
      pieces: (variant) => {
        const base = cycle - variant.hoursEarlier * HOUR_S;
        const file = fileOf(feed, rows, found, base, lead, planet);
        if (!isIndex(found)) return gribPieces(file, variant);
        if (found.index.form === "wgrib2") return [wgrib2Index(file, variant)];
        return [ecmwfIndex(file, "enfo", lead, variant)];
      },
    };
    if (isIndex(found)) published.indexOf = `${prefix}/${found.object}`;
    return published;
  };
}

function fileOf(
  feed: FieldFeed,
  rows: ReturnType<typeof rowsOf>,
  { object, wanted, index }: MessageObject,
  cycle: number,
  lead: number,
  { resolution }: Planet,
): GribFile {
  const { size } = feed.ensemble!;
  const time = cycle + lead * HOUR_S;
  return {
    key: `${feed.name}:${object}:${cycle}`,
    centre: NOBODY,
    grid: gridOf(feed.grid!.full, resolution),
    // Another plan may take other fields of the same object.
    fields: [...new Set(wanted.map(({ part }) => part))].flatMap((part) =>
      rows
        // At the base time there is no window yet.
        .filter(({ statistic }) => statistic === undefined || lead > 0)
        .map((row) => ({
          element: row.element,
          level: row.level,
          window: index.form === "ecmwf" ? String(lead) : windowWords(lead, lead, undefined),
          parameter: row.parameter,
          validity: {
            cycle,
            from: row.statistic === undefined ? time : time - 3 * HOUR_S,
            to: time,
            ...(row.statistic && { statistic: row.statistic }),
          },
          ensemble: { part: part!, size },
          decimals: row.decimals,
          there: row.parameter.code[0] === 10 ? ("sea" as const) : ("everywhere" as const),
          values: (nodes) => {
            const { scale = 1, offset = 0 } = row;
            const shift = part === "spread" ? 0 : offset;
            return valuesOfPart(row.field, nodes, part!, { size, cycle, time }).map(
              (value) => value * scale + shift,
            );
          },
        })),
    ),
  };
}
