import { fromKnots } from "@open-metocean/geo/knots";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import type { World } from "#lib/watches/edition.ts";
import type { Sample } from "#lib/watches/judge.ts";
import type { KnownWorld } from "#server/watches/evaluate.ts";

/** Base time of the first run of the tests, around New Year. */
export const FIRST_RUN = parseInstant("2026-12-31T18:00:00Z");

/** Request of a gale watch at a place. */
export const galeWatch = {
  name: "Ushant",
  question: {
    kind: "place",
    latitude: 48.5,
    longitude: -5.2,
    window_hours: 48,
    join: "any",
    conditions: [
      { quantity: "gust_kt", over: 30 },
      { quantity: "sea_m", over: 3 },
    ],
  },
} as const;

/** Hours of a place with gusts and waves. @param sea null: not known. */
export function samplesOf(from: number, gusts: readonly (number | null)[], sea: number | null = 1): Sample[] {
  return gusts.map((gust, hour) => ({
    latitude: 48.5,
    longitude: -5.2,
    time: from + hour * HOUR_S,
    weather: { Gust_10m: gust === null ? null : fromKnots(gust), Waves_Significant_Height: sea },
  }));
}

export interface WorldAt {
  /** Base time of the newest run, Unix seconds. */
  at: number;
  /** Ids of its parts. */
  ids?: string[];
  gusts: readonly (number | null)[];
  source?: string;
}

/** Known data with one source of forecasts. */
export function worldAt({ at, ids = [`gfs.${at}`], gusts, source = "gfs" }: WorldAt): KnownWorld {
  const variables = new Set(["gust", "wave", "wind"] as const);
  const world: World = {
    sources: new Map([[source, { at, ids, variables }]]),
    ensembles: new Map(),
    storms: new Map(),
  };
  const now = at + 4 * HOUR_S;
  return {
    ...world,
    text: JSON.stringify([source, at, ids]),
    now,
    synthetic: false,
    models: new Map([[source, "GFS 0.25°"]]),
    readMember: async () => ({ samples: [], storm: undefined, runOf: () => undefined, runs: [] }),
    readTide: async () => undefined,
    readExtremes: async () => undefined,
    read: async () => ({
      samples: samplesOf(now, gusts),
      storm: undefined,
      runOf: () => ({ model: "GFS 0.25°", at }),
      runs: [{ model: "GFS 0.25°", at }],
    }),
  };
}

/** The data of a model: the base time of its newest run, and its gusts from now on; undefined if it has no run. */
export type ModelAt = { at: number; gusts: readonly (number | null)[] } | undefined;

/** Known data with several models, whose runs come every six hours. @param now Unix seconds. */
export function worldOfModels(now: number, models: Readonly<Record<string, ModelAt>>): KnownWorld {
  const known = Object.entries(models).flatMap(([model, has]) => (has ? [[model, has] as const] : []));
  const variables = new Set(["gust", "wind"] as const);
  return {
    ...worldAt({ at: now, gusts: [] }),
    sources: new Map(known.map(([model, { at }]) => [model, { at, ids: [`${model}.${at}`], variables }])),
    text: JSON.stringify([now, models]),
    now,
    read: async (_question, _signal, model = "") => {
      const has = models[model];
      const run = has && {
        model: `${model.toUpperCase()} 0.25°`,
        at: has.at,
        source: model,
        rhythm: { every: 6, delay: 6 },
      };
      const gusts = has?.gusts ?? [null, null, null, null];
      return { samples: samplesOf(now, gusts, null), storm: null, runOf: () => run, runs: run ? [run] : [] };
    },
  };
}

/** The data of an ensemble: its newest run, how many of 31 members it has, and the gusts of each from now on. */
export interface EnsembleAt {
  at: number;
  /** How many members of the newest run have arrived; all of `gusts` by default. */
  arrived?: number;
  /** Gusts of each member, hour by hour. */
  gusts: readonly (readonly (number | null)[])[];
}

/** Known data with an ensemble, `ens`, whose runs come every six hours. @param now Unix seconds. */
export function worldOfMembers(
  now: number,
  { at, gusts, arrived = gusts.length }: EnsembleAt,
  sea: readonly number[] = [],
): KnownWorld {
  const variables = new Set(["gust", "wave", "wind"] as const);
  const ids = [`ens.${at}.${arrived}`];
  const run = { model: "Ensemble 1°", at, source: "ens", rhythm: { every: 6, delay: 6 } };
  return {
    ...worldAt({ at: now, gusts: [] }),
    text: JSON.stringify([now, at, arrived, gusts]),
    now,
    ensembles: new Map([
      [
        "ens",
        {
          sources: new Map([["ens", { at, ids, variables }]]),
          title: "Ensemble",
          members: gusts.map((_, member) => member),
          arrived: new Map([...variables].map((name) => [name, { at, arrived }])),
          size: 31,
        },
      ],
    ]),
    readMember: async (_question, _ensemble, member) => ({
      samples: samplesOf(now, gusts[member]!, sea[member] ?? 1),
      storm: null,
      runOf: () => run,
      runs: [run],
    }),
  };
}
