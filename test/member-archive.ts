import type { FieldName } from "#lib/catalog/fields.ts";
import type { StoredName } from "#lib/catalog/stored-names.ts";
import { HOUR_S } from "#lib/time.ts";
import type { PointSource } from "#server/archive/reader.ts";
import type { EnsembleRun, Manifest, Run } from "#server/archive/run.ts";
import { runOf } from "./archive.ts";
import { seeded } from "./seeded.ts";

const wind = ["eastward_wind_10m", "northward_wind_10m"] as const;
const waves = [
  "sea_surface_wave_from_direction_x",
  "sea_surface_wave_from_direction_y",
  "sea_surface_wave_significant_height",
  "sea_surface_wave_mean_period",
] as const;
const current = ["surface_eastward_sea_water_velocity", "surface_northward_sea_water_velocity"] as const;

/** The part of an ensemble that one run has. */
export interface MembersOfRun {
  members: readonly number[];
  /** Hours after the base time at which its forecast ends. */
  hours?: number;
  /** Base time, Unix seconds; that of the archive by default. */
  referenceTime?: number;
}

interface Options {
  now: number;
  parts: readonly MembersOfRun[];
  size?: number;
  seed?: number;
}

/**
 * An archive with an ensemble, `ens`, whose numbers are functions of member, place and time, and with a best forecast of the same
 * wind, waves and currents; the ensemble has no currents.
 */
export function memberArchive({ now, parts, size = 31, seed = 1 }: Options): PointSource & { read: Run[] } {
  const times = (hours: number, from: number) =>
    Array.from({ length: hours + 1 }, (_, at) => from + at * HOUR_S);
  const fieldsOf = (names: readonly FieldName[], members: boolean) =>
    Object.fromEntries(names.map((name) => [name, members ? { members: true as const } : {}]));
  const ensembles = parts.map(
    ({ members, hours = 240, referenceTime = now }, at): EnsembleRun => ({
      ...runOf({
        id: `ens-${at}`,
        source: "ens",
        model: "Ensemble 1°",
        referenceTime,
        times: times(hours + (now - referenceTime) / HOUR_S, referenceTime),
        fields: fieldsOf([...wind, "wind_speed_of_gust", ...waves], true),
      }),
      ensemble: { members: [...members], size },
    }),
  );
  const best = runOf({
    id: "best",
    source: "best",
    referenceTime: now,
    times: times(240, now),
    fields: fieldsOf([...wind, "wind_speed_of_gust", ...waves, ...current], false),
  });
  const manifest: Manifest = { version: 1, runs: [best], ensembles };
  const read: Run[] = [];
  const draws = new Map<number, number[]>();
  const drawn = (member: number) => {
    const known = draws.get(member);
    if (known) return known;
    const random = seeded(1000 * seed + member);
    const made = Array.from({ length: 4 }, random);
    draws.set(member, made);
    return made;
  };
  return {
    read,
    manifest: async () => manifest,
    refresh: async () => manifest,
    async valuesAt(run, field, points, indices, out) {
      read.push(run);
      const member = run.member === undefined ? undefined : run.ensemble!.members[run.member]!;
      const [a, b, c, d] =
        member === undefined ? [0.5, 0.5, 0.5, 0.5] : (drawn(member) as [number, number, number, number]);
      for (const at of indices ?? out.keys()) {
        const hours = (points.time[at]! - now) / HOUR_S;
        const phase = hours / 40 + points.longitude[at]! / 8 + 2 * a!;
        const spread = 1 + Math.min(1, hours / 96) * (b! - 0.5);
        const speed = Math.max(0.2, (9 + 6 * Math.sin(phase)) * spread);
        const angle = 2 * c! + hours / 60;
        out[at] = numberOf(field, speed, angle, d!);
      }
    },
  };
}

function numberOf(field: StoredName, speed: number, angle: number, draw: number): number {
  switch (field) {
    case "eastward_wind_10m":
      return speed * Math.sin(angle);
    case "northward_wind_10m":
      return speed * Math.cos(angle);
    case "wind_speed_of_gust":
      return speed * (1.2 + 0.3 * draw);
    case "sea_surface_wave_significant_height":
      return 0.2 * speed * (0.8 + 0.4 * draw);
    case "sea_surface_wave_mean_period":
      return 6;
    case "sea_surface_wave_from_direction_x":
      return Math.sin(angle);
    case "sea_surface_wave_from_direction_y":
      return Math.cos(angle);
    default:
      return field.includes("velocity") ? 0.2 : Number.NaN;
  }
}
