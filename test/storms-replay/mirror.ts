import { HOUR_S } from "#lib/time.ts";
import type { Chance, Publication, Season } from "./season.ts";

/** A fault between agency and reader, from one poll until before another one. */
export type Fault = { from: number; until: number } & (
  | { kind: "freeze" | "empty" | "absent" | "repeat" }
  | { kind: "missing" | "stuck"; source: string }
  /** A text ends after a share of its bytes, 0..1, or `-n` bytes before its end. */
  | { kind: "cut"; source: string; at: number }
  /** A text appears in an older version. */
  | { kind: "older"; source: string; versions: number }
  /** The reader's clock is wrong. */
  | { kind: "clock"; seconds: number }
  /** The mirror is read a second time after the clock was set back. */
  | { kind: "step"; seconds: number }
);

/** Hourly polls of a season, and the faults at them. */
export interface Schedule {
  /** Time of the first poll, Unix seconds. */
  start: number;
  polls: number;
  faults: Fault[];
}

/** @param longest Number of polls; undefined for up to three days, or in one of ten cases the whole season. */
export function randomSchedule(chance: Chance, { publications }: Season, longest?: number): Schedule {
  const begin = publications[0]!.at;
  const all = Math.ceil((publications.at(-1)!.at + 36 * HOUR_S - begin) / HOUR_S);
  const isWhole = chance.is(0.1) && longest === undefined;
  const polls = Math.min(all, isWhole ? all : chance.between(12, longest ?? 72));
  const start = begin + chance.between(0, all - polls) * HOUR_S + chance.between(0, 59) * 60;
  const during = publications.filter(({ at }) => at > start - HOUR_S && at < start + (polls - 1) * HOUR_S);
  const faults = Array.from({ length: chance.of([0, 1, 2, 4, 8, 12]) }, () => {
    const kind = chance.of(kinds);
    const isOfText = kind === "cut" || kind === "older" || kind === "missing" || kind === "stuck";
    if (!isOfText) return faultOfMirror(chance, kind, chance.between(0, polls - 1));
    if (during.length === 0) return [];
    const { at, source } = chance.of(during);
    return faultOfText(chance, kind, source, Math.max(0, Math.ceil((at - start) / HOUR_S)));
  });
  return { start, polls, faults: faults.flat() };
}

const kinds = [
  ...(["cut", "cut", "cut", "cut", "older", "older", "missing", "missing", "stuck", "stuck"] as const),
  ...(["freeze", "freeze", "empty", "absent", "clock", "step", "repeat"] as const),
];

function faultOfText(
  chance: Chance,
  kind: "cut" | "older" | "missing" | "stuck",
  source: string,
  from: number,
): Fault {
  if (kind === "cut") {
    const at = chance.is(0.5) ? chance.between(0, 1000) / 1000 : -chance.between(1, 60);
    return { kind, source, from, until: from + chance.of([1, 1, 1, 3]), at };
  }
  if (kind === "older")
    return { kind, source, from, until: from + chance.between(1, 4), versions: chance.between(1, 4) };
  if (kind === "missing") return { kind, source, from, until: from + chance.of([1, 2, 6, 30]) };
  const begins = chance.is(0.4) ? 0 : from;
  return { kind, source, from: begins, until: begins + chance.of([6, 30, 72, 10_000]) };
}

function faultOfMirror(
  chance: Chance,
  kind: "freeze" | "empty" | "absent" | "clock" | "step" | "repeat",
  from: number,
): Fault {
  if (kind === "clock")
    return {
      kind,
      from,
      until: from + chance.of([1, 5, 10_000]),
      seconds: chance.of([-600, -300, 300, 600]),
    };
  if (kind === "step") return { kind, from, until: from + 1, seconds: chance.of([-600, -60, -1]) };
  if (kind === "repeat") return { kind, from, until: from + 1 };
  return { kind, from, until: from + chance.of([1, 3, 8, 20, 40, 72]) };
}

/** A text in the mirror at one poll. */
export interface Seen {
  text: string;
  /** The version that the text is, or is a part of. */
  of: Publication;
  /** Whether it is exactly as published. */
  isWhole: boolean;
  /** Whether it is the newest published version. */
  isNewest: boolean;
}

/** Result of one poll. */
export interface Poll {
  index: number;
  /** True time, Unix seconds. */
  time: number;
  /** Times of the reader's clock when it reads the mirror, once or twice. */
  readings: number[];
  /** Texts by source; undefined if the directory is not there. */
  texts: Map<string, Seen> | undefined;
}

export function* polls({ publications }: Season, schedule: Schedule): Generator<Poll> {
  const versions = new Map<string, Publication[]>();
  const mirror = new Map<string, number>();
  let next = 0;
  for (let index = 0; index < schedule.polls; index++) {
    const time = schedule.start + index * HOUR_S;
    const faults = schedule.faults.filter(({ from, until }) => index >= from && index < until);
    const has = (kind: Fault["kind"]) => faults.some((fault) => fault.kind === kind);
    for (; next < publications.length && publications[next]!.at <= time; next++) {
      const publication = publications[next]!;
      versions.set(publication.source, [...(versions.get(publication.source) ?? []), publication]);
    }
    const isAt = (kind: Fault["kind"], source: string) =>
      faults.some((fault) => fault.kind === kind && "source" in fault && fault.source === source);
    for (const [source, all] of has("freeze") ? [] : versions)
      if (isAt("missing", source)) mirror.delete(source);
      else if (!isAt("stuck", source) || !mirror.has(source)) mirror.set(source, all.length - 1);
    const now = time + (faults.findLast((fault) => fault.kind === "clock")?.seconds ?? 0);
    const step = faults.find((fault) => fault.kind === "step")?.seconds;
    yield {
      index,
      time,
      readings: step !== undefined ? [now, now + step] : has("repeat") ? [now, now] : [now],
      texts: has("absent") ? undefined : has("empty") ? new Map() : textsOf(mirror, versions, faults),
    };
  }
}

function textsOf(
  mirror: ReadonlyMap<string, number>,
  versions: ReadonlyMap<string, Publication[]>,
  faults: readonly Fault[],
): Map<string, Seen> {
  const texts = new Map<string, Seen>();
  for (const [source, newest] of mirror) {
    const all = versions.get(source)!;
    const older = faults.find((fault) => fault.kind === "older" && fault.source === source);
    const of = all[Math.max(0, newest - (older?.kind === "older" ? older.versions : 0))]!;
    if (of.text === null) continue;
    const cut = faults.find((fault) => fault.kind === "cut" && fault.source === source);
    const text = cut?.kind === "cut" ? cutText(of.text, cut.at) : of.text;
    texts.set(source, { text, of, isWhole: text === of.text, isNewest: of === all.at(-1) });
  }
  return texts;
}

/** @param at 0..1: the share that stays; negative: number of missing bytes. */
function cutText(text: string, at: number): string {
  const bytes = Buffer.from(text);
  const length = at < 0 ? Math.max(0, bytes.length + at) : Math.floor(bytes.length * at);
  return bytes.subarray(0, length).toString("utf8");
}
