import type { StormEntry } from "@open-metocean/storms/schema";
import { outputsIn } from "#lib/catalog/fields.ts";
import type { VariableName } from "#lib/catalog/variables.ts";
import type { WatchQuestion } from "#lib/contract/watch.ts";
import { quantities, STORM_NM, TIDE_M } from "./quantities.ts";

/**
 * The data on which a watch was evaluated: the newest run of each forecast source and the newest bulletin of
 * each storm, by name.
 */
export type Edition = Readonly<Record<string, { at: number; of: string }>>;

/** The properties of a published run that watches need. */
export interface PublishedRun {
  /** Identifies the content. */
  id: string;
  source: string;
  /** Unix seconds. */
  referenceTime: number;
  fields: Readonly<Record<string, unknown>>;
}

/** The newest cycle of a source. */
export interface SourceEdition {
  at: number;
  /** Ids of all its runs; a cycle may be published in parts. */
  ids: string[];
  variables: ReadonlySet<VariableName>;
}

/** The newest run that has members of a variable. */
interface ArrivedMembers {
  /** Base time, Unix seconds. */
  at: number;
  /** How many members it has. */
  arrived: number;
}

/** The published members of an ensemble. */
export interface EnsembleEdition {
  /** The newest cycle of each of its sources. */
  sources: ReadonlyMap<string, SourceEdition>;
  /** Name for people. */
  title: string;
  /** CF realizations of the members of all its runs. */
  members: readonly number[];
  /** By variable, because the members of one source may come later than those of another. */
  arrived: ReadonlyMap<VariableName, ArrivedMembers>;
  /** How many members are made. */
  size: number;
}

/** Everything published at one time. */
export interface World {
  sources: ReadonlyMap<string, SourceEdition>;
  /** Ensembles by name. */
  ensembles: ReadonlyMap<string, EnsembleEdition>;
  /** Storms by provider; a provider whose storms were never read is absent. */
  storms: ReadonlyMap<string, readonly StormEntry[]>;
}

const watched = [...new Set(Object.values(quantities).map((row) => row.variable))];

/** The newest cycle of each source. @param runs Runs of the forecast dataset. */
export function sourcesOf(runs: readonly PublishedRun[]): Map<string, SourceEdition> {
  const sources = new Map<string, SourceEdition>();
  for (const [source, all] of Map.groupBy(runs, (run) => run.source)) {
    const at = Math.max(...all.map(({ referenceTime }) => referenceTime));
    const newest = all.filter(({ referenceTime }) => referenceTime === at);
    const has = (name: VariableName) => newest.some(({ fields }) => outputsIn(fields, name).length > 0);
    sources.set(source, {
      at,
      ids: newest.map(({ id }) => id).sort(),
      variables: new Set(watched.filter(has)),
    });
  }
  return sources;
}

/** The newest run of each variable that has members. @param runs Runs of one ensemble. */
export function arrivedIn(
  runs: readonly (PublishedRun & { ensemble: { members: readonly number[] } })[],
): Map<VariableName, ArrivedMembers> {
  const arrived = new Map<VariableName, ArrivedMembers>();
  for (const name of watched) {
    const having = runs.filter(({ fields }) => outputsIn(fields, name).length > 0);
    if (having.length === 0) continue;
    const at = Math.max(...having.map(({ referenceTime }) => referenceTime));
    // A cycle may be published in parts.
    const newest = having.filter(({ referenceTime }) => referenceTime === at);
    arrived.set(name, { at, arrived: new Set(newest.flatMap(({ ensemble }) => ensemble.members)).size });
  }
  return arrived;
}

/**
 * The newest run that a question depends on, and how many members have all that it needs of this run.
 *
 * @returns undefined if the ensemble has no members of any variable that the question needs.
 */
export function arrivedFor(
  question: WatchQuestion,
  { arrived }: EnsembleEdition,
): ArrivedMembers | undefined {
  const all = dependsOn(question).flatMap((name) => arrived.get(name) ?? []);
  if (all.length === 0) return undefined;
  const at = Math.max(...all.map((one) => one.at));
  return { at, arrived: Math.min(...all.map((one) => (one.at === at ? one.arrived : 0))) };
}

export function variablesOf(question: WatchQuestion): VariableName[] {
  if (question.kind === "new_run") return [];
  const asked = question.conditions.flatMap(({ quantity }) =>
    quantity === STORM_NM || quantity === TIDE_M ? [] : [quantities[quantity].variable],
  );
  return [...new Set(asked)];
}

/** The variables that a question is about, and those that the speed of a vessel depends on. */
function dependsOn(question: WatchQuestion): VariableName[] {
  const driving = question.kind === "route" ? (["wind", "wave", "current"] as const) : [];
  return [...new Set([...variablesOf(question), ...driving])];
}

/** Provider whose storms a question is about; undefined if it is about none. */
export function providerOf(question: WatchQuestion): "jtwc" | "jma" | undefined {
  if (question.kind !== "place" && question.kind !== "route") return undefined;
  return question.conditions.some(({ quantity }) => quantity === STORM_NM) ? question.provider : undefined;
}

/** The part of the published data on which a question depends. */
export function editionOf(question: WatchQuestion, { sources, ensembles, storms }: World): Edition {
  const edition: Record<string, { at: number; of: string }> = {};
  const read = dependsOn(question);
  if ("ensemble" in question && question.ensemble !== undefined) {
    const ensemble = ensembles.get(question.ensemble);
    if (!ensemble) return edition;
    const count = `${arrivedFor(question, ensemble)?.arrived ?? 0} members`;
    for (const [source, { at, ids, variables }] of ensemble.sources)
      if (read.some((name) => variables.has(name)))
        edition[`members ${question.ensemble} ${source}`] = { at, of: [...ids, count].join() };
    return edition;
  }
  for (const [source, { at, ids, variables }] of sources) {
    if (question.kind === "new_run") {
      // A cycle that is published in parts counts as one run.
      if (question.source === undefined || question.source === source)
        edition[`run ${source}`] = { at, of: "" };
    } else if (read.some((name) => variables.has(name))) edition[`run ${source}`] = { at, of: ids.join() };
  }
  const provider = providerOf(question);
  for (const entry of (provider && storms.get(provider)) ?? [])
    edition[`storm ${provider} ${entry.id}`] = {
      at: entry.tracks.forecast?.issued_at ?? entry.tracks.observed.at(-1)?.time ?? 0,
      of: entry.is_active ? "" : "ended",
    };
  return edition;
}

const isStorm = (name: string) => name.startsWith("storm ");

/**
 * Lists the additions of an edition to an earlier one: a later cycle or bulletin, more of the same cycle, a storm
 * that appeared or disappeared. Older data, from a run that was withdrawn or arrives late, is not new.
 *
 * @returns Names of what is new.
 */
export function newIn(edition: Edition, before: Edition): string[] {
  const changed = Object.entries(edition).filter(([name, { at, of }]) => {
    const known = before[name];
    return !known || at > known.at || (at === known.at && of !== known.of);
  });
  const gone = Object.keys(before).filter((name) => isStorm(name) && !edition[name]);
  return [...changed.map(([name]) => name), ...gone];
}

/** Merges two editions: the newer entry of each source, and the storms of `edition`. */
export function newestOf(edition: Edition, before: Edition): Edition {
  const names = new Set([...Object.keys(before).filter((name) => !isStorm(name)), ...Object.keys(edition)]);
  return Object.fromEntries(
    [...names].sort().map((name) => {
      const [now, known] = [edition[name], before[name]];
      return [name, now && !(known && known.at > now.at) ? now : known!];
    }),
  );
}
