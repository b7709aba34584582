import { type Fault, pollTime, type Schedule } from "./schedule.ts";
import type { Publication, Season } from "./season.ts";

/** A text in the mirror at one poll. */
export interface Seen {
  text: string;
  /** The version that it is, or a part of which it is. */
  of: Publication;
  /** Exactly as it was published. */
  isWhole: boolean;
  /** The newest version that is out. */
  isNewest: boolean;
}

/** What one poll finds. */
export interface Poll {
  index: number;
  /** True time, Unix seconds. */
  time: number;
  /** Times of the reader's clock when it reads the mirror: once or twice. */
  readings: number[];
  /** By source; undefined if the directory is not there. */
  texts: Map<string, Seen> | undefined;
  /** The process starts again before it. */
  restarts: boolean;
}

/** The polls of a schedule, one after the other. */
export function* polls({ publications }: Season, schedule: Schedule): Generator<Poll> {
  const versions = new Map<string, Publication[]>();
  const mirror = new Map<string, number>();
  let next = 0;
  for (let index = 0; index < schedule.polls; index++) {
    const time = pollTime(schedule, index);
    const faults = schedule.faults.filter(({ from, until }) => index >= from && index < until);
    const has = (kind: Fault["kind"]) => faults.some((fault) => fault.kind === kind);
    for (; next < publications.length && publications[next]!.at <= time; next++) {
      const publication = publications[next]!;
      const known = versions.get(publication.source);
      if (known) known.push(publication);
      else versions.set(publication.source, [publication]);
    }
    const isAt = (kind: Fault["kind"], source: string) =>
      faults.some((fault) => fault.kind === kind && "source" in fault && fault.source === source);
    for (const [source, all] of has("freeze") ? [] : versions)
      if (isAt("missing", source)) mirror.delete(source);
      else if (!isAt("stuck", source) || !mirror.has(source)) mirror.set(source, all.length - 1);
    const skew = faults.flatMap((fault) => (fault.kind === "clock" ? [fault.seconds] : [])).at(-1) ?? 0;
    const now = time + skew;
    const step = faults.find(({ kind }) => kind === "step");
    yield {
      index,
      time,
      readings: step?.kind === "step" ? [now, now + step.seconds] : has("repeat") ? [now, now] : [now],
      texts: has("absent") ? undefined : has("empty") ? new Map() : textsOf(mirror, versions, faults),
      restarts: has("restart"),
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
    const back = older?.kind === "older" ? older.versions : 0;
    const of = all[Math.max(0, newest - back)]!;
    const cut = faults.find((fault) => fault.kind === "cut" && fault.source === source);
    if (of.text === null) continue;
    const text = cut?.kind === "cut" ? cutText(of.text, cut.at) : of.text;
    texts.set(source, { text, of, isWhole: text === of.text, isNewest: of === all.at(-1) });
  }
  return texts;
}

/** @param at 0..1: the part that stays; negative: bytes that are missing. */
function cutText(text: string, at: number): string {
  const bytes = Buffer.from(text);
  const length = at < 0 ? Math.max(0, bytes.length + at) : Math.floor(bytes.length * at);
  return bytes.subarray(0, length).toString("utf8");
}
