import type { Grid } from "@open-metocean/geo/grid";
import { HOUR_S } from "#lib/time.ts";
import {
  expectedAt,
  type FieldFeed,
  leadOf,
  type Mirror,
  newestCycle,
  type Part,
} from "#server/ingest/feeds/field-feed.ts";
import type { FieldRule, GribSelector } from "#server/ingest/sources/source.ts";
import type { AnalyticField } from "./analytic.ts";
import { fieldOf, type Row, windowWords } from "./forecast-fields.ts";
import type { FileGrid } from "./grib-message.ts";
import { type GribField, type GribFile, gribPieces, wgrib2Index } from "./grib-object.ts";
import { ecmwfIndex } from "./host-ecmwf.ts";
import type { Planet } from "./planet.ts";
import type { Host, Published } from "./published.ts";

/** WMO's code for a centre that is not named. */
export const NOBODY = { code: 255, tablesVersion: 27, localTablesVersion: 0, process: 255 };
/** Cycles that a host keeps. */
const KEPT = 40;

/** The part that an object belongs to, and whether the object is the index of another. */
interface Named {
  part: Part;
  form: "wgrib2" | "ecmwf" | "none";
  /** The only message, where each has an object of its own. */
  element?: string;
  /** Name of the object, where this is its index. */
  indexOf?: string;
}

/**
 * A host with the files of a publisher, by what its folder says: GRIB2 files with an index, files of several steps, or one
 * for each message, which is not packed here. They have the messages of the first choice of each field. Windows begin at
 * the step before; sums in files without wgrib2's index begin with the forecast.
 */
export function publisherHost(feed: FieldFeed, mirror: Mirror): Host {
  const prefix = new URL(mirror.base).pathname.replace(/\/$/, "");
  const rows = rowsOf(feed.source.rules);
  const named = new Map<number, Map<string, Named>>();
  const ofCycle = (cycle: number) => {
    const known = named.get(cycle);
    if (known) return known;
    const found = new Map<string, Named>();
    for (const part of feed.parts(cycle, "full")) {
      const objects = feed.objects(part, "full", mirror);
      if (objects?.kind === "all")
        for (const [i, { element }] of (objects.wanted ?? []).entries())
          found.set(`${prefix}/${objects.objects[i]}`, { part, form: "none", element });
      if (objects?.kind === "file") found.set(`${prefix}/${objects.objects[0]}`, { part, form: "none" });
      if (objects?.kind !== "messages") continue;
      const { form } = objects.index;
      found.set(`${prefix}/${objects.object}`, { part, form });
      found.set(`${prefix}/${objects.index.object}`, { part, form, indexOf: `${prefix}/${objects.object}` });
    }
    named.set(cycle, found);
    return found;
  };
  return ({ path, now }, planet) => {
    const newest = newestCycle(feed, now);
    for (let back = 0; back < KEPT; back++) {
      const found = ofCycle(newest - back * feed.cycles.every).get(path);
      if (found) return publishedPart(feed, rows, found, planet);
    }
    return undefined;
  };
}

function publishedPart(
  feed: FieldFeed,
  rows: readonly Row[],
  { part, form, indexOf, element }: Named,
  planet: Planet,
): Published {
  const parts = feed.parts(part.cycle, "full");
  const before = parts[part.index - 1]?.times.at(-1);
  return {
    from: expectedAt(feed, part, parts.length),
    ...(indexOf !== undefined && { indexOf }),
    pieces: (variant) => {
      const cycle = part.cycle - variant.hoursEarlier * HOUR_S;
      const leadAt = (time: number) => (time - part.cycle) / HOUR_S;
      const lead = leadOf(part);
      const wanted = rows.filter((row) => element === undefined || row.element === element);
      const file: GribFile = {
        key: `${feed.name}:${cycle}:${lead}:${element}`,
        centre: NOBODY,
        grid: gridOf(feed.grid!.full, planet.resolution),
        fields: part.times.flatMap((time, step) => {
          const since = part.times[step - 1] ?? before;
          return fieldsAt(wanted, form, cycle, leadAt(time), since === undefined ? undefined : leadAt(since));
        }),
      };
      if (indexOf === undefined) return gribPieces(file, variant);
      return [form === "wgrib2" ? wgrib2Index(file, variant) : ecmwfIndex(file, "oper", lead, variant)];
    },
  };
}

/** @param since Lead of the step before; at the first step there is no window yet. */
function fieldsAt(
  rows: readonly Row[],
  form: Named["form"],
  cycle: number,
  lead: number,
  since: number | undefined,
): GribField[] {
  return rows
    .filter(({ statistic }) => statistic === undefined || since !== undefined)
    .map((row) => {
      const isSinceBase = form !== "wgrib2" && row.statistic === "accumulation";
      const start = row.statistic === undefined ? lead : isSinceBase ? 0 : since!;
      const window = form === "ecmwf" ? String(lead) : windowWords(lead, start, row.statistic);
      const field = fieldOf(row, cycle, lead, lead - start, window);
      // Where there is no wind sea changes with time.
      return row.field.startsWith("sea_surface_wind_wave") ? { ...field, there: "varies" } : field;
    });
}

/** The messages of all fields, each once, because two fields may be made of one direction. */
export function rowsOf(rules: readonly FieldRule[]): Row[] {
  const rows = rules.map(rowOf).map((row) => [`${row.element}:${row.level}:${row.statistic}`, row] as const);
  return [...new Map(rows).values()];
}

/**
 * The message of a field: how a value of the catalog becomes one of the file follows from the conversion.
 *
 * @throws RangeError for a field that is made of several messages: such a publisher has a host of its own.
 */
function rowOf({ field, choices }: FieldRule): Row {
  const { needs, convert } = choices[0]!;
  const [need] = needs;
  if (needs.length !== 1 || need?.kind !== "grib2")
    throw new RangeError(`${field} is not one message of GRIB2: its publisher needs a host of its own`);
  const { parameter, level, time } = need;
  const [offset = 0, one = 1] = need.isDirection ? [] : convert([Float32Array.of(0, 1)]);
  const factor = one - offset;
  // An accumulation arrives at the conversion as its mean a second.
  const scale = (time === "accumulation" ? HOUR_S : 1) / factor;
  return {
    element: parameter.element,
    level: level.words,
    parameter: { code: parameter.codes, ...surfacesOf(level) },
    field: (need.isDirection ? field.slice(0, -2) : field) as AnalyticField,
    // A rate is the difference of two rounded sums.
    decimals: Math.max(0, Math.ceil(3 - Math.log10(scale))) + (time === "accumulation" ? 1 : 0),
    scale,
    offset: -offset / factor,
    ...(time !== "instant" && { statistic: time }),
  };
}

function surfacesOf({ type, value, to }: GribSelector["level"]) {
  const second = to === undefined ? {} : { second: { type, value: to } };
  return { surface: { type, ...(value !== undefined && { value }) }, ...second };
}

/** The domain of a publisher at the resolution of the planet, north to south. */
export function gridOf({ latitude, longitude }: Grid, step: number): FileGrid {
  const countOf = (axis: Grid["latitude"]) => Math.floor(((axis.count - 1) * axis.step) / step + 1e-9) + 1;
  const rows = countOf(latitude);
  return {
    rows,
    columns: countOf(longitude),
    latitude: latitude.start + (rows - 1) * step,
    latitudeStep: -step,
    longitude: longitude.start,
    longitudeStep: step,
  };
}
